internal import MediaTokenBatch

/// Some whole lines of a batch, and their answers.
///
/// Made once and used again; at any moment one thread has it: the one that took it out of the ``Pipeline``.
final class LineBlock: @unchecked Sendable {
  /// The place in the order of blocks, from 0.
  var number = 0
  /// The number of the first line, from 1.
  var firstLine = 1
  /// Where the lines are: the first ``used`` bytes.
  var storage: [UInt8]
  /// How many bytes of ``storage`` are lines.
  var used = 0
  /// Whether this is one line that was too long to keep.
  var isTooLongLine = false
  /// What is to be written.
  var answers = BatchAnswers()

  init() { storage = [UInt8](repeating: 0, count: LineReader.readSize) }

  /// Makes room for at least `count` more bytes after the used ones.
  func reserve(_ count: Int) {
    let missing = used + count - storage.count
    if missing > 0 { storage.append(contentsOf: repeatElement(0, count: max(missing, storage.count))) }
  }
}
