import MediaTokenSystem
import Testing

/// Searching and comparing bytes, compared with loops that are too simple to be wrong.
@Suite("Bytes")
struct BytesTests {
  private let wanted = UInt8(ascii: "<")

  /// Lengths around those at which memchr and the eight-byte steps change their way.
  private let lengths = Array(0...40) + [63, 64, 65, 127, 128, 129]

  @Test func firstIndexIsThatOfAPlainLoop() {
    for length in lengths {
      for position in 0...length {
        let text = bytes(length, wanted, at: [position, position + 5])
        for start in 0...(length + 1) {
          let plain = text.indices.first { $0 >= start && text[$0] == wanted }
          #expect(text.first(wanted, from: start) == plain)
        }
      }
    }
  }

  @Test func lastIndexIsThatOfAPlainLoop() {
    for length in lengths {
      for position in 0...length {
        let text = bytes(length, wanted, at: [position, position - 5])
        for start in 0...(length + 1) {
          let plain = text.indices.last { $0 >= start && text[$0] == wanted }
          #expect(text.last(wanted, from: start) == plain)
        }
      }
    }
  }

  @Test func searchFindsTheBytesWithHighBitToo() {
    for byte: UInt8 in [0, 1, 0x7F, 0x80, 0x81, 0xFE, 0xFF] {
      let text = bytes(33, byte, at: [21])
      #expect(text.first(byte, from: 0) == 21)
      #expect(text.first(byte, from: 22) == nil)
    }
  }

  @Test func sameBytesAreThoseOfAPlainComparison() {
    for length in lengths {
      let text = bytes(length, wanted, at: [])
      #expect(text.isSame(as: Array(text)))
      #expect(!text.isSame(as: text + [0]))
      for position in 0..<length {
        for bit in 0..<8 {
          var other = text
          other[position] ^= 1 << UInt8(bit)
          #expect(!text.isSame(as: other))
        }
      }
    }
  }

  @Test func sameTextIsSameBytes() {
    #expect("é".hasSameBytes(as: "\u{E9}"))
    // Equal as characters.
    #expect("\u{E9}" == "e\u{301}")
    #expect(!"\u{E9}".hasSameBytes(as: "e\u{301}"))
  }

  @Test func textIsFoundAtItsOffsetAlone() {
    let text = Array("xx<![CDATA[yy".utf8)
    for offset in -1...14 {
      #expect(text.has("<![CDATA[", at: offset) == (offset == 2))
    }
    #expect(text.has("", at: 13))
    #expect(!text.has("", at: 14))
    #expect(!text.has("", at: .max))
    #expect(text.begins(with: "xx<"))
    #expect(!text.begins(with: "x<"))
    #expect(!Array("xx".utf8).begins(with: "xxx"))
  }

  @Test func exactTextHasNoMoreAndNoLess() {
    let text = Array("token".utf8)
    #expect(text.isExactly("token"))
    for other: StaticString in ["toke", "tokens", "Token", "tokem", ""] { #expect(!text.isExactly(other)) }
    #expect([UInt8]().isExactly(""))
  }

  @Test func caseOfASCIILettersAloneIsIgnored() {
    #expect(Array("Text/PLAIN".utf8).isExactlyIgnoringCase("text/plain"))
    // `@` and `[` are next to the upper-case letters, and one bit away from what a careless reader takes them for.
    #expect(!Array("@[".utf8).isExactlyIgnoringCase("`{"))
    #expect(!Array("text/plai".utf8).isExactlyIgnoringCase("text/plain"))
  }

  @Test func wordsAreLittleEndian() {
    let text: [UInt8] = [9, 1, 2, 3, 4, 5, 6, 7, 8]
    let (word, half) = (text.span.word(at: 1), text.span.halfWord(at: 1))
    #expect(word == 0x0807_0605_0403_0201)
    #expect(half == 0x0403_0201)
    var copy = [UInt8](repeating: 0, count: 9)
    var output = copy.mutableSpan
    output.store(0x0807_0605_0403_0201 as UInt64, at: 1)
    output.store(9 as UInt32, at: 0)
    #expect(copy == [9, 0, 0, 0, 4, 5, 6, 7, 8])
  }

  @Test func wordMarksAreThoseOfItsBytes() {
    for byte in UInt8.min...UInt8.max {
      for place in 0..<8 {
        let word = 0x6161_6161_6161_6161 & ~(0xFF << UInt64(8 * place)) | UInt64(byte) << UInt64(8 * place)
        let isLetter = (byte | 0x20) &- UInt8(ascii: "a") < 26
        #expect(Word.distance(to: Word.marksOfNonLetters(in: word)) == (isLetter ? 8 : place))
        #expect(Word.distance(to: Word.marks(below: 0x20, in: word)) == (byte < 0x20 ? place : 8))
        if byte != 0x61 { #expect(Word.distance(to: Word.marks(of: byte, in: word)) == place) }
      }
    }
  }

  @Test func copiesAreWhole() {
    let none: [UInt8] = []
    var bytes: [UInt8] = [1]
    bytes.append(copying: [2, 3].span)
    bytes.append(copying: none.span)
    bytes.append("ab")
    #expect(bytes == [1, 2, 3, 0x61, 0x62])
    var output = bytes.mutableSpan
    output.copy([7, 8].span, to: 3)
    output.copy(none.span, to: 5)
    #expect(bytes == [1, 2, 3, 7, 8])
  }

  /// Letters, with `byte` at these places.
  private func bytes(_ length: Int, _ byte: UInt8, at places: [Int]) -> [UInt8] {
    (0..<length).map { places.contains($0) ? byte : UInt8(ascii: "a") + UInt8($0 % 26) }
  }
}

// `#expect` cannot take a span apart.
extension [UInt8] {
  fileprivate func first(_ byte: UInt8, from start: Int) -> Int? { span.firstIndex(of: byte, from: start) }
  fileprivate func last(_ byte: UInt8, from start: Int) -> Int? { span.lastIndex(of: byte, from: start) }
  fileprivate func isSame(as other: [UInt8]) -> Bool { span.hasSameBytes(as: other.span) }
  fileprivate func has(_ text: StaticString, at offset: Int) -> Bool { span.has(text, at: offset) }
  fileprivate func begins(with text: StaticString) -> Bool { span.begins(with: text) }
  fileprivate func isExactly(_ text: StaticString) -> Bool { span.isExactly(text) }
  fileprivate func isExactlyIgnoringCase(_ text: StaticString) -> Bool { span.isExactlyIgnoringCase(text) }
}
