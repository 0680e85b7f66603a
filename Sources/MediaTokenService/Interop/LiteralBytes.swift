extension Span<UInt8> {
  /// Whether these are the bytes of `text` and no more.
  @inline(__always)
  func isExactly(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && begins(with: text)
  }

  /// Whether these bytes begin with those of `text`.
  @inline(__always)
  func begins(with text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard length <= count else { return false }
    // SAFETY: a StaticString's bytes live as long as the program, and here are `length` of them.
    let expected = unsafe UnsafeBufferPointer(start: text.utf8Start, count: length)
    for index in 0..<length where unsafe self[index] != expected[index] { return false }
    return true
  }

  /// Whether these bytes, with ASCII capitals made small, are those of `text`, which has none.
  func isExactlyIgnoringCase(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    // SAFETY: as above.
    let expected = unsafe UnsafeBufferPointer(start: text.utf8Start, count: count)
    for index in indices {
      let byte = self[index]
      let small = byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
      if unsafe small != expected[index] { return false }
    }
    return true
  }
}
