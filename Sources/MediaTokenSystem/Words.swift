/// Eight bytes at a time. Each call checks its bounds; what is unsafe is only that bytes are read as a number.
extension Span<UInt8> {
  /// The eight bytes at `offset`, the first one lowest.
  @inlinable
  package func word(at offset: Int) -> UInt64 {
    // SAFETY: any eight bytes are a UInt64, and the load checks that they are inside the span.
    unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Four bytes as `word(at:)`.
  @inlinable
  package func halfWord(at offset: Int) -> UInt32 {
    // SAFETY: as above.
    unsafe UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}

extension MutableSpan<UInt8> {
  /// Writes the eight bytes of `word` at `offset`, the lowest one first.
  @inlinable
  package mutating func store(_ word: UInt64, at offset: Int) {
    precondition(offset >= 0 && offset <= count - 8)
    // SAFETY: the precondition is that eight bytes fit.
    unsafe withUnsafeMutableBytes { bytes in
      unsafe bytes.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
    }
  }

  /// Writes the four bytes of `halfWord` at `offset`, the lowest one first.
  @inlinable
  package mutating func store(_ halfWord: UInt32, at offset: Int) {
    precondition(offset >= 0 && offset <= count - 4)
    // SAFETY: the precondition is that four bytes fit.
    unsafe withUnsafeMutableBytes { bytes in
      unsafe bytes.storeBytes(of: halfWord.littleEndian, toByteOffset: offset, as: UInt32.self)
    }
  }
}

/// Searching eight bytes at once: each function sets the high bit in the lowest byte that it looks for, and perhaps
/// in bytes above that one (H. S. Warren, "Hacker's Delight", section 6-1).
@usableFromInline package enum Word {
  /// A 1 in each byte.
  @inlinable
  package static var ones: UInt64 { 0x0101_0101_0101_0101 }
  /// The high bit of each byte.
  @inlinable
  package static var highBits: UInt64 { 0x8080_8080_8080_8080 }

  @inlinable
  package static func marks(of byte: UInt8, in word: UInt64) -> UInt64 {
    let difference = word ^ (ones &* UInt64(byte))
    return (difference &- ones) & ~difference & highBits
  }

  /// Bytes below `bound`, which is at most 0x80.
  @inlinable
  package static func marks(below bound: UInt8, in word: UInt64) -> UInt64 {
    (word &- ones &* UInt64(bound)) & ~word & highBits
  }

  @inlinable
  package static func marksOfNonLetters(in word: UInt64) -> UInt64 {
    let lowered = word | ones &* 0x20
    // The high bit is set where a byte is at least `a`, and where it is more than `z`. A sum carries over only from a byte
    // that has its own high bit set, which is marked itself.
    let atLeast = lowered &+ ones &* (0x80 - UInt64(UInt8(ascii: "a")))
    let beyond = lowered &+ ones &* (0x7F - UInt64(UInt8(ascii: "z")))
    return (~atLeast | beyond | word) & highBits
  }

  /// The number of bytes before the first marked one.
  @inlinable
  package static func distance(to marks: UInt64) -> Int {
    marks.trailingZeroBitCount / 8
  }
}
