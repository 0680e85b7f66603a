extension [UInt8] {
  /// Appends a copy of `bytes`.
  @inlinable
  package mutating func append(copying bytes: Span<UInt8>) {
    // SAFETY: the pointer is used inside the closure alone, by a copy of as many bytes as the span has.
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
