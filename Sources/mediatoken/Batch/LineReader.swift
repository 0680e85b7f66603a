internal import MediaTokenFormats
internal import MediaTokenSystem

/// Splits a descriptor's bytes into blocks of whole lines. A block is the result of one `read`, so a co-process that
/// writes a line and waits gets its answer. From a line that is too long nothing is kept but its number.
struct LineReader: Redacted {
  /// The bytes of one read: enough to keep a worker busy for a millisecond.
  static let readSize = 64 * 1024

  private let descriptor: Int32
  /// The beginning of a line whose end has not come yet.
  private var rest: [UInt8] = []
  private var nextLine = 1
  private var isAtEnd = false
  /// True if the line that is being read is already known to be too long.
  private var isSkipping = false

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// False at the end.
  mutating func next(into block: LineBlock) throws(SystemError) -> Bool {
    block.used = 0
    block.isTooLongLine = false
    block.firstLine = nextLine
    append(rest, to: block)
    rest.removeAll(keepingCapacity: true)
    // After a line that was too long there may be whole lines: they must not wait for more input.
    if cut(block, readFrom: 0) { return true }
    while !isAtEnd {
      let start = block.used
      block.reserve(Self.readSize)
      let count = try SystemCall.read(descriptor, into: &block.storage, from: start)
      block.used += count
      isAtEnd = count == 0
      if isSkipping {
        if skip(in: block) { return true }
      } else if cut(block, readFrom: start) {
        return true
      }
    }
    return finish(block)
  }

  /// True if the block has a whole line now; the bytes after the last one are kept for later.
  private mutating func cut(_ block: LineBlock, readFrom start: Int) -> Bool {
    let storage = block.storage
    let bytes = storage.span.extracting(first: block.used)
    guard let end = bytes.lastIndex(of: UInt8(ascii: "\n"), from: start) else {
      isSkipping = block.used > BatchLine.longest
      if isSkipping { block.used = 0 }
      return false
    }
    nextLine += bytes.extracting(...end).numberOfLines()
    keep(from: end + 1, of: block)
    return true
  }

  /// True if the end of a line that is too long was found; the block is that line then.
  private mutating func skip(in block: LineBlock) -> Bool {
    let storage = block.storage
    let bytes = storage.span.extracting(first: block.used)
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n"), from: 0) else {
      block.used = 0
      return false
    }
    keep(from: end + 1, of: block)
    endSkipping(block)
    return true
  }

  /// The last line may lack its line feed.
  private mutating func finish(_ block: LineBlock) -> Bool {
    if isSkipping {
      endSkipping(block)
      return true
    }
    guard block.used > 0 else { return false }
    nextLine += 1
    return true
  }

  private mutating func endSkipping(_ block: LineBlock) {
    isSkipping = false
    block.used = 0
    block.isTooLongLine = true
    nextLine += 1
  }

  private mutating func keep(from start: Int, of block: LineBlock) {
    rest.append(contentsOf: block.storage[start..<block.used])
    block.used = start
  }

  private func append(_ bytes: [UInt8], to block: LineBlock) {
    block.reserve(bytes.count)
    for index in bytes.indices { block.storage[index] = bytes[index] }
    block.used = bytes.count
  }
}
