internal import MediaTokenFormats
internal import MediaTokenSystem

/// The blocks of a batch on their way: read, answered by the thread that is free, written in order.
///
/// At most ``capacity`` blocks exist, whatever the length of the input.
struct Pipeline {
  /// Blocks that were read and that no thread answers yet, oldest first.
  private var waiting: [LineBlock] = []
  /// Blocks that are answered and wait for an earlier one to be written.
  private var answered: [Int: LineBlock] = [:]
  /// Blocks to read into.
  private var spare: [LineBlock]
  private var nextNumber = 0
  private var nextToWrite = 0
  private var isWriting = false
  private var isComplete = false
  /// What the lines that were written came to.
  private(set) var counts = BatchCounts()

  init(capacity: Int) { spare = (0..<capacity).map { _ in LineBlock() } }

  // MARK: the reader

  /// Whether there is a block to read into.
  var hasSpare: Bool { !spare.isEmpty }

  mutating func takeSpare() -> LineBlock? { spare.popLast() }

  /// A block with lines in it. Blocks are written in the order in which they come here.
  mutating func add(_ block: LineBlock) {
    block.number = nextNumber
    nextNumber += 1
    waiting.append(block)
  }

  /// No block will come any more.
  mutating func complete() { isComplete = true }

  // MARK: the workers

  /// Whether a worker has something to do, or may end.
  var hasNews: Bool { !waiting.isEmpty || isComplete }

  /// The next block to answer; nil when there will be none.
  mutating func takeWaiting() -> LineBlock? {
    waiting.isEmpty ? nil : waiting.removeFirst()
  }

  /// A block that was answered.
  ///
  /// - Returns: the block that the caller must write now, if no other thread is writing and its turn has come.
  mutating func finish(_ block: LineBlock) -> LineBlock? {
    answered[block.number] = block
    return takeAnswered()
  }

  /// A block that was written.
  ///
  /// - Returns: the block that the caller must write next.
  mutating func noteWritten(_ block: LineBlock) -> LineBlock? {
    counts += block.answers.counts
    nextToWrite += 1
    isWriting = false
    spare.append(block)
    return takeAnswered()
  }

  private mutating func takeAnswered() -> LineBlock? {
    guard !isWriting, let block = answered.removeValue(forKey: nextToWrite) else { return nil }
    isWriting = true
    return block
  }
}

/// Some whole lines of a batch, and their answers.
///
/// Made once and used again; at any moment one thread has it: the one that took it out of the ``Pipeline``.
final class LineBlock: @unchecked Sendable, Redacted {
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
