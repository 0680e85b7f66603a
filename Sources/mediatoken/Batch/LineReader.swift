internal import MediaTokenFormats
internal import MediaTokenSystem

/// The lines of a descriptor as they come: all that are whole after one `read`, so that a program that writes a line and waits
/// gets its answer. A line that is too long is kept as far as it shows that.
struct LineReader: Redacted {
  /// The bytes of one read at most: of a file, two rounds of tokens.
  private static let readSize = 256 * 1024
  /// The bytes that are kept of a line, of which one may be a CR.
  private static let longestKept = BatchLine.longest + 2

  private let descriptor: Int32
  private var storage = [UInt8](repeating: 0, count: longestKept + readSize)
  /// Its first bytes are whole lines; up to `used` come those of the line that has no end yet.
  private var whole = 0
  private var used = 0
  private var isAtEnd = false
  /// The error that ended the reading; nil at the end of the file, and before.
  private(set) var failure: SystemError?

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Whole lines, until the next call. The last one of all may lack its line feed.
  var lines: Span<UInt8> {
    @_lifetime(borrow self)
    get { storage.span.extracting(first: whole) }
  }

  /// Waits for lines; false if there are no more.
  mutating func next() -> Bool {
    for index in whole..<used { storage[index - whole] = storage[index] }
    (whole, used) = (0, used - whole)
    while !isAtEnd {
      let start = used
      do throws(SystemError) {
        used += try SystemCall.read(descriptor, into: &storage, from: start)
      } catch {
        failure = error
        return false
      }
      isAtEnd = used == start
      if let end = storage.span.extracting(first: used).lastIndex(of: UInt8(ascii: "\n"), from: start) {
        whole = end + 1
        return true
      }
      used = min(used, Self.longestKept)
    }
    whole = used
    return used > 0
  }
}
