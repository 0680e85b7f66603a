internal import CMediaToken

/// Runs the body of a call that explains itself. The caller's `message` has room for `size` bytes. NULL with a size,
/// and a size that no memory has, are refused.
func answer(
  _ message: UnsafeMutablePointer<CChar>?, _ size: Int, _ body: () throws(Failure) -> Void
) -> mediatoken_code {
  guard size >= 0, size == 0 || (unsafe message != nil) else { return MEDIATOKEN_BAD_ARGUMENT }
  do throws(Failure) {
    try body()
    unsafe write("", to: message, size)
    return MEDIATOKEN_OK
  } catch {
    unsafe write(error.sentence, to: message, size)
    return error.code
  }
}

/// The text as far as there is room for it, in whole characters of UTF-8. It always ends with NUL if there is room for
/// one.
private func write(_ text: String, to message: UnsafeMutablePointer<CChar>?, _ size: Int) {
  guard let message = unsafe message, size > 0 else { return }
  let bytes = text.utf8Span.span
  var count = min(bytes.count, size - 1)
  // Not through a character: its later bytes begin with the bits 10.
  while count > 0, count < bytes.count, bytes[count] & 0xC0 == 0x80 { count -= 1 }
  // SAFETY: the caller's, for the length of the call; `size` is how many bytes it says there are.
  for index in 0..<count { unsafe message[index] = CChar(bitPattern: bytes[index]) }
  unsafe message[count] = 0
}
