/// A part of a table: buckets of entries and as many retry words. A new table has one; each growth adds one at the end of
/// the file, and new tokens go into the last.
struct TablePart: Hashable, Sendable {
  /// The rated number of live tokens.
  let capacity: Int
  /// Where it begins in the file.
  let offset: Int

  var buckets: Int { TableFormat.buckets(forCapacity: capacity) }
  var entryCount: Int { buckets * TableFormat.entriesPerBucket }
  /// Entries and retry words.
  var bytes: Int { entryCount * 16 }
  var end: Int { offset + bytes }

  /// The first part of a table.
  init(firstOfCapacity capacity: Int) {
    self.capacity = capacity
    offset = TableFormat.headerBytes
  }

  /// The one after `last`, where a mapping of its own can begin.
  init(capacity: Int, after last: TablePart) {
    self.capacity = capacity
    offset = (last.end + TableFormat.partAlignment - 1) / TableFormat.partAlignment * TableFormat.partAlignment
  }
}

/// The number of an entry: which part it is in, and where.
enum EntryNumber {
  private static let bits = 40

  /// The first entry of a part. Entries of the first part have the numbers that they have there.
  static func first(ofPart part: Int) -> Int { part << bits }
  static func part(_ entry: Int) -> Int { entry >> bits }
  static func index(_ entry: Int) -> Int { entry & (1 << bits - 1) }
}

extension TableFormat {
  /// The most parts that a table can have.
  static let mostParts = 8

  /// Where the header says how many tokens a part is rated for.
  static func capacityOffset(ofPart part: Int) -> Int { part == 0 ? Field.capacity.rawValue : 176 + 8 * part }

  /// Where the header says from which second on all entries of a part are dead; 0: not known.
  static func endOffset(ofPart part: Int) -> Int { 240 + 8 * part }

  /// The parts that a header names.
  ///
  /// - Parameter word: the header's number at an offset.
  /// - Returns: nil if a number in it is impossible.
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
