extension [UInt8] {
  /// Appends the bytes of a text that is known when the program is written.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    // SAFETY: a StaticString's bytes live as long as the program, and there are `utf8CodeUnitCount` of them.
    unsafe append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}

extension Span<UInt8> {
  /// Whether these bytes are the name of a header field, in any case.
  @inline(__always)
  func isSameName(as name: StaticString) -> Bool {
    // SAFETY: as above.
    unsafe isSameName(as: Span(_unsafeStart: name.utf8Start, count: name.utf8CodeUnitCount))
  }
}

extension Span<UInt8> {
  /// Whether these bytes begin with those of `text`.
  func begins(with text: StaticString) -> Bool {
    guard count >= text.utf8CodeUnitCount else { return false }
    // SAFETY: as above.
    let expected = unsafe Span(_unsafeStart: text.utf8Start, count: text.utf8CodeUnitCount)
    for index in expected.indices where self[index] != expected[index] { return false }
    return true
  }
}

extension UnsafePointer<CChar> {
  /// The same bytes as numbers from 0 to 255.
  @inline(__always)
  var asBytes: UnsafePointer<UInt8> {
    // SAFETY: both types have the same size and alignment, and any bits are a value of both.
    unsafe UnsafeRawPointer(self).assumingMemoryBound(to: UInt8.self)
  }
}
