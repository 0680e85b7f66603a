internal import MediaTokenSystem

/// Reading a table's file without mapping it: a file that is cut short is an error here, never SIGBUS, and on the
/// file systems where a table may be, a read sees what others wrote to their mappings.
extension TableFile {
  /// The header, its numbers, and the size that `size` finds. A table that grows has another size from one moment to the
  /// next: a size that does not fit is looked at again.
  func readTable(
    _ size: (borrowing TableFile) throws(Problem) -> Int
  ) throws(Problem) -> (header: TableHeader, numbers: HeaderBytes, size: Int) {
    var looks = 0
    while true {
      looks += 1
      let size = try size(self)
      guard size >= TableFormat.headerBytes else { throw TableProblem.notATable(path).of(table: path) }
      let numbers = try readHeader()
      do throws(Problem) {
        return (try TableHeader(reading: numbers, size: size, path: path), numbers, size)
      } catch {
        guard error.code == TableProblem.size, looks < 3 else { throw error }
      }
    }
  }

  func readHeader() throws(Problem) -> HeaderBytes {
    var header = HeaderBytes()
    var room = header.bytes.mutableSpan
    let count = try? SystemCall.read(descriptor, at: 0, into: &room)
    guard count == header.bytes.count else { throw TableProblem.notATable(path).of(table: path) }
    return header
  }

  /// The entries of these parts that are live in a second, each as it is when its turn comes.
  func liveEntries(
    of parts: [TablePart], at second: UInt64, since epoch: UInt64
  ) throws(Problem) -> Int {
    let elapsed = EntryPlace.elapsed(at: second, since: epoch)
    var live = 0
    for part in parts {
      let count = part.entryCount
      var block = [UInt8](repeating: 0, count: min(count, 128 * 1024) * 8)
      var done = 0
      while done < count {
        let offset = part.offset + done * 8
        let got = try TableProblem.blaming(path, "pread", read(into: &block, at: offset))
        guard got >= 8 else {
          throw TableProblem.size(expected: part.end, found: offset + got).of(table: path)
        }
        let found = min(got / 8, count - done)
        let bytes = block.span
        for index in 0..<found where !EntryPlace.isDead(bytes.word(at: index * 8), after: elapsed) { live += 1 }
        done += found
      }
    }
    return live
  }

  private func read(into block: inout [UInt8], at offset: Int) throws(SystemError) -> Int {
    var room = block.mutableSpan
    return try SystemCall.read(descriptor, at: offset, into: &room)
  }
}
