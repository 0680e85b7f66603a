internal import CMediaToken

/// The caller's room for a sentence: always ends with NUL if there is room for one.
@safe struct MessageBuffer {
  // SAFETY: the caller's, for the length of the call; `size` is how many bytes it says there are.
  private let start: UnsafeMutablePointer<CChar>?
  private let size: Int

  /// - Returns: nil for NULL with a size, and for a size that no memory has.
  init?(_ start: UnsafeMutablePointer<CChar>?, _ size: Int) {
    guard size >= 0, size == 0 || (unsafe start != nil) else { return nil }
    unsafe self.start = start
    self.size = size
  }

  /// Writes as much of the text as there is room for, in whole characters of UTF-8.
  func write(_ text: String) {
    guard let start = unsafe start, size > 0 else { return }
    let bytes = text.utf8Span.span
    var count = min(bytes.count, size - 1)
    // Not through a character: its later bytes begin with the bits 10.
    while count > 0, count < bytes.count, bytes[count] & 0xC0 == 0x80 { count -= 1 }
    for index in 0..<count { unsafe start[index] = CChar(bitPattern: bytes[index]) }
    unsafe start[count] = 0
  }
}

/// Runs the body of a call that explains itself, and says how it ended.
func answer(
  _ message: UnsafeMutablePointer<CChar>?, _ size: Int, _ body: () throws(Failure) -> Void
) -> mediatoken_code {
  guard let buffer = unsafe MessageBuffer(message, size) else { return MEDIATOKEN_BAD_ARGUMENT }
  do throws(Failure) {
    try body()
    buffer.write("")
    return MEDIATOKEN_OK
  } catch {
    buffer.write(error.sentence)
    return error.code
  }
}
