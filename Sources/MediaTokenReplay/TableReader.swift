internal import MediaTokenSystem

/// Reading a table's file without mapping it: a file that somebody cuts short is an error here, never SIGBUS, and on the
/// file systems where a table may stand a read sees what others wrote to their mappings.
extension TableFile {
  /// The header's numbers as they are in the file.
  func readHeader() throws(ReplayTableError) -> HeaderBytes {
    var header = HeaderBytes()
    var room = header.bytes.mutableSpan
    let count = try? SystemCall.read(descriptor, at: 0, into: &room)
    guard count == header.bytes.count else { throw ReplayTableError(path, .notATable) }
    return header
  }

  /// Calls `body` with each of the entries as it is when its turn comes.
  func forEachEntry(_ count: Int, _ body: (UInt64) -> Void) throws(ReplayTableError) {
    var block = [UInt8](repeating: 0, count: min(count, 128 * 1024) * 8)
    var done = 0
    while done < count {
      let offset = TableFormat.headerBytes + done * 8
      let got = try ReplayTableError.blaming(path, "pread") { () throws(SystemError) in
        var room = block.mutableSpan
        return try SystemCall.read(descriptor, at: offset, into: &room)
      }
      guard got >= 8 else {
        throw ReplayTableError(path, .size(expected: TableFormat.headerBytes + count * 16, found: offset + got))
      }
      let found = min(got / 8, count - done)
      let bytes = block.span
      for index in 0..<found { body(bytes.word(at: index * 8)) }
      done += found
    }
  }
}

/// One sector of header.
struct HeaderBytes {
  fileprivate var bytes = InlineArray<512, UInt8>(repeating: 0)

  subscript(_ field: TableFormat.Field) -> UInt64 { bytes.span.word(at: field.rawValue) }
}
