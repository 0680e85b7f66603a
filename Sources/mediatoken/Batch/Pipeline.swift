internal import MediaTokenFormats
internal import MediaTokenSystem

/// The blocks of a batch on their way: read, answered by the thread that is free, written in order. At most
/// ``capacity`` blocks exist, whatever the length of the input.
struct Pipeline {
  /// They were read, and no thread answers them yet; oldest first.
  private var waiting: [LineBlock] = []
  /// Blocks that are answered and wait for an earlier one to be written.
  private var answered: [Int: LineBlock] = [:]
  private var spare: [LineBlock]
  private var nextNumber = 0
  private var nextToWrite = 0
  private var isWriting = false
  private var isComplete = false
  /// Of the lines that were written.
  private(set) var counts = BatchCounts()

  init(capacity: Int) { spare = (0..<capacity).map { _ in LineBlock() } }

  // MARK: the reader

  var hasSpare: Bool { !spare.isEmpty }

  mutating func takeSpare() -> LineBlock? { spare.popLast() }

  /// Blocks are written in the order in which they come here.
  mutating func add(_ block: LineBlock) {
    block.number = nextNumber
    nextNumber += 1
    waiting.append(block)
  }

  mutating func complete() { isComplete = true }

  // MARK: the workers

  /// True if a worker has something to do, or may end.
  var hasNews: Bool { !waiting.isEmpty || isComplete }

  /// Nil when no block will come any more.
  mutating func takeWaiting() -> LineBlock? {
    waiting.isEmpty ? nil : waiting.removeFirst()
  }

  /// The block that the caller must write now, if no other thread is writing and its turn has come.
  mutating func finish(_ block: LineBlock) -> LineBlock? {
    answered[block.number] = block
    return takeAnswered()
  }

  /// The block that the caller must write next.
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

/// Some whole lines of a batch, and their answers. Made once and used again; at any moment one thread has it: the one
/// that took it out of the ``Pipeline``.
final class LineBlock: @unchecked Sendable, Redacted {
  /// In the order of blocks, from 0.
  var number = 0
  /// From 1.
  var firstLine = 1
  /// The lines are its first ``used`` bytes.
  var storage: [UInt8]
  var used = 0
  /// True for one line that was too long to keep.
  var isTooLongLine = false
  var answers = BatchAnswers()

  init() { storage = [UInt8](repeating: 0, count: LineReader.readSize) }

  /// Makes room for at least `count` more bytes after the used ones.
  func reserve(_ count: Int) {
    let missing = used + count - storage.count
    if missing > 0 { storage.append(contentsOf: repeatElement(0, count: max(missing, storage.count))) }
  }
}
