import MediaTokenSystem
import Testing

/// Hexadecimal digits and percent-encoding, over all bytes.
@Suite("Hexadecimal and percent-encoding")
struct CodecTests {
  private let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

  @Test func digitsOfBothCasesHaveAValueAndNothingElse() {
    for byte in UInt8.min...UInt8.max {
      let isASCII = byte < 0x80
      let plain = isASCII ? UInt8(String(Unicode.Scalar(byte)), radix: 16) : nil
      // A sign is a number to `UInt8(_:radix:)` only with a digit after it.
      #expect(Hexadecimal.value(ofDigit: byte) == plain)
    }
  }

  @Test func valuesHaveADigitOfEachCase() {
    for value: UInt8 in 0...15 {
      #expect(Hexadecimal.digit(value) == String(value, radix: 16).utf8.first)
      #expect(Hexadecimal.upperDigit(value) == String(value, radix: 16, uppercase: true).utf8.first)
    }
  }

  @Test func eightDigitsAreThoseOfFourBytes() {
    for byte in UInt8.min...UInt8.max {
      for place in 0..<4 {
        let digits = Hexadecimal.digits(of: UInt32(byte) << UInt32(8 * place))
        for index in 0..<8 {
          let value = index / 2 != place ? 0 : index.isMultiple(of: 2) ? byte >> 4 : byte & 15
          #expect(UInt8(truncatingIfNeeded: digits >> UInt64(8 * index)) == Hexadecimal.digit(value))
        }
      }
    }
  }

  @Test func everyByteIsEncodedUnlessUnreserved() {
    for byte in UInt8.min...UInt8.max {
      var text: [UInt8] = []
      text.appendPercentEncoding(of: [byte].span)
      let digits = String(byte, radix: 16, uppercase: true)
      let escape = "%" + (digits.utf8.count == 1 ? "0" : "") + digits
      #expect(text == (unreserved.contains(byte) ? [byte] : Array(escape.utf8)))
    }
  }

  @Test func everyByteComesBackFromEitherCase() {
    for byte in UInt8.min...UInt8.max {
      for digit in [Hexadecimal.digit, Hexadecimal.upperDigit] {
        let text = [UInt8(ascii: "x"), UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
        let read = Self.read(text, at: 1)
        #expect(read?.byte == byte)
        #expect(read?.length == 3)
      }
      if byte != UInt8(ascii: "%") {
        let read = Self.read([byte], at: 0)
        #expect(read?.byte == byte)
        #expect(read?.length == 1)
      }
    }
  }

  private static func read(_ text: [UInt8], at index: Int) -> (byte: UInt8, length: Int)? {
    PercentCoding.byte(of: text.span, at: index)
  }

  @Test(arguments: ["%", "%4", "%G0", "%0G", "%%41", "% 41", "%4 ", "%+1", "%-1", "%0x"])
  func brokenEscapeHasNoByte(_ text: String) {
    #expect(Self.read(Array(text.utf8), at: 0) == nil)
  }
}
