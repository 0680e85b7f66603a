internal import Glibc
internal import MediaToken

/// Reading a table's file without mapping it: a file that somebody cuts short is an error here, never SIGBUS, and on the
/// file systems where a table may stand a read sees what others wrote to their mappings.
extension TableFile {
  /// - Throws: if it is no regular file. Nothing else is asked.
  func sizeIfRegular() throws(ReplayTableError) -> Int {
    var facts = stat()
    // SAFETY: fstat fills in the structure that it is given.
    guard unsafe fstat(descriptor, &facts) == 0 else {
      throw ReplayTableError(path, .system("fstat", SystemError(code: errno)))
    }
    guard facts.st_mode & S_IFMT == S_IFREG else { throw ReplayTableError(path, .notRegular) }
    return facts.st_size
  }

  /// Calls `body` with each of the entries as it is when its turn comes.
  func forEachEntry(_ count: Int, _ body: (UInt64) -> Void) throws(ReplayTableError) {
    var words = [UInt64](repeating: 0, count: 128 * 1024)
    var done = 0
    while done < count {
      let wanted = min(words.count, count - done) * 8
      let offset = TableFormat.headerBytes + done * 8
      // SAFETY: pread writes at most as many bytes as it is told, which are no more than there are words.
      let got = unsafe words.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, wanted, offset) }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw ReplayTableError(path, .system("pread", SystemError(code: errno))) }
      guard got >= 8 else {
        throw ReplayTableError(path, .size(expected: TableFormat.headerBytes + count * 16, found: offset + got))
      }
      for index in 0..<(got / 8) { body(UInt64(littleEndian: words[index])) }
      done += got / 8
    }
  }
}
