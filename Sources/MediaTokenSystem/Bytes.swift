internal import Glibc

// Comparing, searching and copying bytes, as bytes and never as characters.

extension Span<UInt8> {
  /// Bytes that `owner` keeps in place for as long as it lives: the one promise of this kind to the compiler.
  @_lifetime(borrow owner)
  @inlinable
  @unsafe package init<Owner: ~Copyable>(_ bytes: UnsafeRawBufferPointer, of owner: borrowing Owner) {
    self = unsafe _overrideLifetime(bytes.assumingMemoryBound(to: UInt8.self).span, borrowing: owner)
  }

  /// Short texts are most of what is compared: two loads that may overlap cover four to sixteen bytes.
  @inlinable
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

  /// Feeds the hasher eight bytes at a time. Texts with the same bytes have the same hash.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    var index = 0
    while index &+ 8 <= count {
      hasher.combine(word(at: index))
      index &+= 8
    }
    while index < count {
      hasher.combine(self[index])
      index &+= 1
    }
  }

  package var beginsWithByteOrderMark: Bool { count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF }

  /// memchr(3), many bytes at a time.
  package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    precondition(start >= 0)
    // SAFETY: memchr reads only the span's bytes from `start` on, and returns nil or a pointer to one of them.
    return unsafe withUnsafeBytes { bytes in
      guard start < bytes.count, let base = bytes.baseAddress,
        let found = unsafe memchr(base + start, Int32(byte), bytes.count - start)
      else { return nil }
      return unsafe base.distance(to: found)
    }
  }

  package func lastIndex(of byte: UInt8, from start: Int) -> Int? {
    var index = count
    while index > start {
      index -= 1
      if self[index] == byte { return index }
    }
    return nil
  }
}

extension Span<UInt8> {
  @inlinable @inline(__always)
  package func has(_ text: StaticString, at offset: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard offset >= 0, length <= count &- offset else { return false }
    // SAFETY: a StaticString's bytes live as long as the program, and here are `length` of them.
    let expected = unsafe UnsafeBufferPointer(start: text.utf8Start, count: length)
    return unsafe extracting(offset..<offset &+ length).hasSameBytes(as: expected.span)
  }

  @inlinable @inline(__always)
  package func begins(with text: StaticString) -> Bool { has(text, at: 0) }

  @inlinable @inline(__always)
  package func isExactly(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && has(text, at: 0)
  }

  /// True if these bytes, with ASCII letters in lower case, are those of `text`, which is in lower case.
  package func isExactlyIgnoringCase(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    // SAFETY: as above.
    let expected = unsafe UnsafeBufferPointer(start: text.utf8Start, count: count)
    for index in indices {
      let byte = self[index]
      let small = byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
      if unsafe small != expected[index] { return false }
    }
    return true
  }
}

extension String {
  /// `==` is about characters, not about bytes.
  @inlinable
  package func hasSameBytes(as other: String) -> Bool {
    let (ours, theirs) = (utf8Span.span, other.utf8Span.span)
    return ours.hasSameBytes(as: theirs)
  }
}

extension MutableSpan<UInt8> {
  /// There must be room for the text.
  @inlinable
  package mutating func copy(_ text: Span<UInt8>, to offset: Int) {
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

extension [UInt8] {
  @inlinable
  package mutating func append(copying bytes: Span<UInt8>) {
    // SAFETY: the pointer is used inside the closure alone, by a copy of as many bytes as the span has.
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  @inlinable
  package mutating func append(_ text: StaticString) {
    // SAFETY: a StaticString's bytes live as long as the program, and there are `utf8CodeUnitCount` of them.
    unsafe append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
