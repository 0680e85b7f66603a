import Testing

@testable import MediaToken

/// The decoder takes most of a text eight symbols at a time, and where its output is full it only checks. Whatever way a
/// text goes, the answer is that of a decoder that reads one symbol after another.
@Suite("Base64: the fast ways and the slow one")
struct Base64Tests {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  /// One of each kind of byte that may be in the wrong place.
  private static let strays = Array("A+ /-_=%<".utf8) + [0x00, 0x80, 0xFF]

  /// Every length of text and of output, with every stray byte at every place: so the end of the output is met before,
  /// in and after each group.
  @Test(arguments: [Base64.Spelling.signature, .token])
  func strayBytesAroundTheEndOfTheOutputAreFoundWhereTheyAre(_ spelling: Base64.Spelling) {
    var (decoded, refused) = (0, 0)
    for length in 0...34 {
      let text = (0..<length).map { Self.alphabet[$0 &* 37 & 63] }
      for position in 0..<max(length, 1) {
        for stray in Self.strays {
          var broken = text
          if position < length { broken[position] = stray }
          let expected = SlowBase64.answer(broken, spelling)
          if expected.failure == nil { decoded += 1 } else { refused += 1 }
          for room in 0...27 where Self.answer(broken, spelling, room: room) != expected.cut(to: room) {
            Issue.record("room for \(room): \(String(decoding: broken, as: UTF8.self)), expected \(expected)")
            return
          }
        }
      }
    }
    #expect(decoded > 400)
    #expect(refused > 4000)
  }

  /// Both alphabets, escapes and padding in any order.
  @Test(arguments: [Base64.Spelling.signature, .token])
  func anyMixtureHasTheSlowAnswer(_ spelling: Base64.Spelling) {
    let pieces = [
      "A", "Zz09", "abcdefgh", "+", "/", " ", "-", "_", "%2B", "%2f", "%3D", "%2", "%", "%41", "=", "==", "é",
    ]
    var generator = SystemRandomNumberGenerator()
    for round in 0..<10_000 {
      // Only a few pieces: nearly every text with all of them is broken early.
      let some = (0..<(1 + round % 3)).compactMap { _ in pieces.randomElement(using: &generator) }
      let text = Array((0..<(round % 24)).compactMap { _ in some.randomElement(using: &generator) }.joined().utf8)
      let room = Int.random(in: 0...(text.count + 8), using: &generator)
      let expected = SlowBase64.answer(text, spelling).cut(to: room)
      guard Self.answer(text, spelling, room: room) == expected else {
        Issue.record("room for \(room): \(String(decoding: text, as: UTF8.self)), expected \(expected)")
        return
      }
    }
  }

  /// What a long text's last byte is worth, when all that comes before has long filled the output.
  @Test func theLastByteOfALongTextCounts() {
    for stray in Self.strays {
      let text = [UInt8](repeating: UInt8(ascii: "A"), count: 7999) + [stray]
      let expected = SlowBase64.answer(text, .signature).cut(to: Limits.signatureBytes)
      #expect(Self.answer(text, .signature, room: Limits.signatureBytes) == expected)
    }
  }

  private static func answer(_ text: [UInt8], _ spelling: Base64.Spelling, room: Int) -> DecodingAnswer {
    var output = [UInt8](repeating: 0xAA, count: room)
    var bytes = output.mutableSpan
    do throws(Base64.Failure) {
      let count = try Base64.decode(text.span, as: spelling, into: &bytes)
      return DecodingAnswer(stored: Array(output.prefix(count)), count: count)
    } catch {
      return DecodingAnswer(failure: "\(error)")
    }
  }
}

private struct DecodingAnswer: Equatable {
  var stored: [UInt8] = []
  var count = 0
  var failure: String?

  /// The same where there is room for this many bytes only.
  func cut(to room: Int) -> DecodingAnswer {
    DecodingAnswer(stored: Array(stored.prefix(room)), count: count, failure: failure)
  }
}

/// The rules of ``Base64`` for one symbol after another, without a table and without a fast way.
private enum SlowBase64 {
  static func answer(_ text: [UInt8], _ spelling: Base64.Spelling) -> DecodingAnswer {
    do throws(Base64.Failure) {
      let bytes = try decode(text, spelling)
      return DecodingAnswer(stored: bytes, count: bytes.count)
    } catch {
      return DecodingAnswer(failure: "\(error)")
    }
  }

  private static func decode(_ text: [UInt8], _ spelling: Base64.Spelling) throws(Base64.Failure) -> [UInt8] {
    var (bits, pads, index): ([UInt8], Int, Int) = ([], 0, 0)
    var (sawStandard, sawURLSafe) = (false, false)
    while index < text.count {
      let start = index
      var byte = text[index]
      index += 1
      if byte == UInt8(ascii: "%"), spelling == .token {
        let escape = String(decoding: text[start...].prefix(3), as: UTF8.self).uppercased()
        guard let meant = ["%2B": "+", "%2F": "/", "%3D": "="][escape] else { throw .percentEscape(at: start) }
        byte = UInt8(ascii: meant.unicodeScalars.first ?? "?")
        index += 2
      }
      if byte == UInt8(ascii: "=") {
        pads += 1
        continue
      }
      guard pads == 0 else { throw .padding(at: start) }
      let value: Int
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = Int(byte) - 65
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = Int(byte) - 97 + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = Int(byte) - 48 + 52
      case UInt8(ascii: "+"), UInt8(ascii: " "): (value, sawStandard) = (62, true)
      case UInt8(ascii: "/"): (value, sawStandard) = (63, true)
      case UInt8(ascii: "-") where spelling == .token: (value, sawURLSafe) = (62, true)
      case UInt8(ascii: "_") where spelling == .token: (value, sawURLSafe) = (63, true)
      default: throw .character(at: start)
      }
      guard !(sawStandard && sawURLSafe) else { throw .mixedAlphabets(at: start) }
      bits += (0..<6).map { UInt8(value >> (5 - $0) & 1) }
    }
    let symbols = bits.count / 6
    let missing = (4 - symbols % 4) % 4
    guard symbols % 4 != 1, pads == missing || (pads == 0 && spelling == .token) else { throw .padding(at: index) }
    guard !bits[(bits.count / 8 * 8)...].contains(1) else { throw .trailingBits(at: index) }
    return (0..<bits.count / 8).map { place in bits[place * 8..<place * 8 + 8].reduce(0) { $0 << 1 | $1 } }
  }
}
