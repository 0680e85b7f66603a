extension [UInt8] {
  /// Appends a copy of `bytes`.
  @inline(__always)
  mutating func append(copying bytes: Span<UInt8>) {
    // SAFETY: the pointer is used inside the closure alone, by a copy of as many bytes as the span has.
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Appends the bytes of a text that is known when the program is written.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    // SAFETY: a StaticString's bytes live as long as the program, and there are `utf8CodeUnitCount` of them.
    unsafe append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
