internal import Glibc

/// Eight bytes at a time. Each call checks its bounds; what is unsafe is only that bytes are read as a number.
extension Span<UInt8> {
  /// The eight bytes at `offset`, the first one lowest.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    // SAFETY: any eight bytes are a UInt64, and the load checks that they are inside the span.
    unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Four bytes as `word(at:)`.
  @inline(__always)
  func halfWord(at offset: Int) -> UInt32 {
    // SAFETY: as above.
    unsafe UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// Whether both have the same bytes in the same order.
  ///
  /// Short texts are most of what is compared: two loads that may overlap cover four to sixteen bytes.
  package func hasSameBytes(as other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    if count >= 8 {
      var index = 0
      while index &+ 8 < count {
        guard word(at: index) == other.word(at: index) else { return false }
        index &+= 8
      }
      return word(at: count &- 8) == other.word(at: count &- 8)
    }
    if count >= 4 {
      return halfWord(at: 0) == other.halfWord(at: 0)
        && halfWord(at: count &- 4) == other.halfWord(at: count &- 4)
    }
    for index in indices where self[index] != other[index] { return false }
    return true
  }

  /// Where `byte` comes first at or after `start`; the end if it does not.
  func offset(of byte: UInt8, from start: Int) -> Int {
    // SAFETY: memchr reads only the bytes behind `start`, of which there are as many as it is told.
    unsafe withUnsafeBufferPointer { bytes in
      guard start < bytes.count, let base = bytes.baseAddress else { return bytes.count }
      guard let found = unsafe memchr(base + start, Int32(byte), bytes.count - start) else { return bytes.count }
      return unsafe UnsafeRawPointer(base).distance(to: found)
    }
  }

  /// Whether the bytes at `offset` are those of `text`.
  @inline(__always)
  func has(_ text: StaticString, at offset: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard offset >= 0, length <= count &- offset else { return false }
    // SAFETY: a StaticString's bytes live as long as the program, and here are `length` of them.
    let expected = unsafe Span(
      _unsafeStart: text.utf8Start, count: length)
    return extracting(offset..<offset &+ length).hasSameBytes(as: expected)
  }
}

extension MutableSpan<UInt8> {
  /// Writes the eight bytes of `word` at `offset`, the lowest one first.
  @inline(__always)
  mutating func store(_ word: UInt64, at offset: Int) {
    precondition(offset >= 0 && offset <= count - 8)
    // SAFETY: the precondition is that eight bytes fit.
    unsafe withUnsafeMutableBytes { bytes in
      unsafe bytes.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
    }
  }

  /// Writes the four bytes of `halfWord` at `offset`, the lowest one first.
  @inline(__always)
  mutating func store(_ halfWord: UInt32, at offset: Int) {
    precondition(offset >= 0 && offset <= count - 4)
    // SAFETY: the precondition is that four bytes fit.
    unsafe withUnsafeMutableBytes { bytes in
      unsafe bytes.storeBytes(of: halfWord.littleEndian, toByteOffset: offset, as: UInt32.self)
    }
  }

  /// Copies `text` to `offset`, where there must be room for it.
  mutating func copy(_ text: Span<UInt8>, to offset: Int) {
    precondition(offset >= 0 && text.count <= count - offset)
    // SAFETY: the precondition is that all of `text` fits; a span that may be written overlaps no other.
    unsafe withUnsafeMutableBufferPointer { output in
      unsafe text.withUnsafeBufferPointer { text in
        guard let from = text.baseAddress, let to = output.baseAddress else { return }
        unsafe (to + offset).update(from: from, count: text.count)
      }
    }
  }
}

/// Searching eight bytes at once: each function has the high bit set in the lowest byte that it looks for, and perhaps
/// in bytes above that one (H. S. Warren, "Hacker's Delight", section 6-1).
enum Word {
  static let ones: UInt64 = 0x0101_0101_0101_0101
  static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Bytes equal to `byte`.
  @inline(__always)
  static func marks(of byte: UInt8, in word: UInt64) -> UInt64 {
    let difference = word ^ (ones &* UInt64(byte))
    return (difference &- ones) & ~difference & highBits
  }

  /// Bytes below `bound`, which is at most 0x80.
  @inline(__always)
  static func marks(below bound: UInt8, in word: UInt64) -> UInt64 {
    (word &- ones &* UInt64(bound)) & ~word & highBits
  }

  /// Bytes that are no ASCII letters.
  @inline(__always)
  static func marksOfNonLetters(in word: UInt64) -> UInt64 {
    let lowered = word | ones &* 0x20
    // The high bit is set where a byte is at least `a`, and where it is more than `z`. A sum carries over only from a byte
    // that has its own high bit set, which is marked itself.
    let atLeast = lowered &+ ones &* (0x80 - UInt64(UInt8(ascii: "a")))
    let beyond = lowered &+ ones &* (0x7F - UInt64(UInt8(ascii: "z")))
    return (~atLeast | beyond | word) & highBits
  }

  /// How many bytes there are before the first marked one.
  @inline(__always)
  static func distance(to marks: UInt64) -> Int {
    marks.trailingZeroBitCount / 8
  }
}
