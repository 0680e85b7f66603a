/// A part of a table: buckets of entries and as many retry words. A new table has one; each growth adds one at the end of
/// the file, and new tokens go into the last.
struct TablePart: Hashable, Sendable {
  /// The rated number of live tokens.
  let capacity: Int
  /// The beginning in the file.
  let offset: Int

  var buckets: Int { TableFormat.buckets(forCapacity: capacity) }
  var entryCount: Int { buckets * TableFormat.entriesPerBucket }
  var bytes: Int { entryCount * 16 }
  var end: Int { offset + bytes }

  init(firstOfCapacity capacity: Int) {
    self.capacity = capacity
    offset = TableFormat.headerBytes
  }

  /// A mapping of its own can begin at this part's offset.
  init(capacity: Int, after last: TablePart) {
    self.capacity = capacity
    offset = (last.end + TableFormat.partAlignment - 1) / TableFormat.partAlignment * TableFormat.partAlignment
  }
}

/// The number of an entry: its part, and its place there.
enum EntryNumber {
  private static let bits = 40

  /// The first entry of a part. Entries of the first part have the numbers that they have there.
  static func first(ofPart part: Int) -> Int { part << bits }
  static func part(_ entry: Int) -> Int { entry >> bits }
  static func index(_ entry: Int) -> Int { entry & (1 << bits - 1) }
}

extension TableFormat {
  static let mostParts = 8

  /// The header's place for the rated tokens of a part.
  static func capacityOffset(ofPart part: Int) -> Int { part == 0 ? Field.capacity.rawValue : 176 + 8 * part }

  /// The header's place for the second from which on all entries of a part are dead; 0: not known.
  static func endOffset(ofPart part: Int) -> Int { 240 + 8 * part }

  /// Nil if a number of the header is impossible; `word` is the header's number at an offset.
  static func parts(count: UInt64, _ word: (Int) -> UInt64) -> [TablePart]? {
    guard (1...UInt64(mostParts)).contains(count) else { return nil }
    var parts: [TablePart] = []
    for index in 0..<Int(count) {
      guard let capacity = Int(exactly: word(capacityOffset(ofPart: index))),
        (1...TableFormat.largestCapacity).contains(capacity)
      else { return nil }
      if let last = parts.last {
        guard capacity > last.capacity else { return nil }
        parts.append(TablePart(capacity: capacity, after: last))
      } else {
        parts.append(TablePart(firstOfCapacity: capacity))
      }
    }
    return parts
  }
}
