extension Span<UInt8> {
  /// Whether these are the bytes of `text` and no more.
  @inline(__always)
  func isExactly(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && begins(with: text)
  }

  /// Whether these bytes, with ASCII capitals made small, are those of `text`, which has none.
  func isExactlyIgnoringCase(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    // SAFETY: a StaticString's bytes live as long as the program, and here are `count` of them.
    let expected = unsafe UnsafeBufferPointer(start: text.utf8Start, count: count)
    for index in indices {
      let byte = self[index]
      let small = byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
      if unsafe small != expected[index] { return false }
    }
    return true
  }
}
