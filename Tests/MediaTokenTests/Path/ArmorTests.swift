import MediaTokenSystem
import Testing

@testable import MediaToken

@Suite("Step 1: armor")
struct ArmorTests {
  private static func decode(_ text: [UInt8]) throws(Refusal) -> [UInt8] {
    var buffers = Armor.Buffers()
    return try Armor.decode(text.span, into: &buffers).bytes.array
  }

  /// Case 1.
  @Test func everyFormOfATokenHasTheSameBytes() throws {
    let raw = try VectorFiles.named("shared/armor-raw.token").received
    let percent = raw.flatMap { byte in Array("%".utf8) + hexadecimal(byte) }
    #expect(try Self.decode(raw) == raw)
    #expect(try Self.decode(percent) == raw)
    #expect(try Self.decode(base64(raw)) == raw)
  }

  /// Case 10: bytes are counted, before anything is decoded or trimmed.
  @Test func limitIsCountedInBytesAsReceived() throws {
    let token = Array("<signatureInfo>".utf8)
    let spaces = [UInt8](repeating: 0x20, count: Limits.receivedBytes - token.count)
    #expect(try Self.decode(token + spaces) == token)
    #expect(refusal { () throws(Refusal) in try Self.decode(token + spaces + [0x20]) }?.reason == .tooLong)
  }

  /// Case 7: a no-break space, a byte order mark and NUL are not white space.
  @Test(arguments: [[0xC2, 0xA0], [0xEF, 0xBB, 0xBF], [0x00], [0x0B], [0x0C]] as [[UInt8]])
  func onlyASCIIWhiteSpaceIsTrimmed(_ bytes: [UInt8]) {
    let token = Array("<signatureInfo>".utf8)
    #expect(refusal { () throws(Refusal) in try Self.decode(bytes + token) }?.reason == .unknownForm)
  }

  /// An editor put it there, and a message that does not name it shows a token that looks right.
  @Test(arguments: ["", " \n"]) func byteOrderMarkIsNamed(_ before: String) {
    let token = Array("\(before)\u{FEFF}<signatureInfo>".utf8)
    guard case .rejected(let rejection)? = refusal({ () throws(Refusal) in try Self.decode(token) }) else {
      Issue.record("it is not refused")
      return
    }
    #expect(rejection.reason == .unknownForm && rejection.finding == .byteOrderMark)
    #expect(rejection.detail.hasSuffix("; found a byte order mark, which must be left out"))
  }

  /// Nothing is tried until it works: a text that begins like base64 is never read as anything else.
  @Test func formIsDecidedByTheFirstBytes() {
    let begun = Array("PHNpZ25hdHVyZUluZm8<signatureInfo>".utf8)
    #expect(refusal { () throws(Refusal) in try Self.decode(begun) }?.reason == .base64Character)
  }

  /// Eight bytes are decoded at once where there is no escape: the answer is that of a decoder that takes one by one.
  @Test func percentFormOfAnyMixtureIsDecodedAsByteByByte() {
    let pieces = ["a", "+", "++", "%41", "%2b", "%2B", "%25", "%", "%4", "%g1", "abcdefgh", "*,", "é"]
    var generator = SystemRandomNumberGenerator()
    var buffers = Armor.Buffers()
    var (decoded, refused) = (0, 0)
    for round in 0..<10_000 {
      let some = (0..<(1 + round % 3)).compactMap { _ in pieces.randomElement(using: &generator) }
      let mixture = (0..<(round % 24)).compactMap { _ in some.randomElement(using: &generator) }
      let text = Array(("%3CsignatureInfo%3E" + mixture.joined()).utf8)
      let expected = Self.percentDecodedByteByByte(text)
      do throws(Refusal) {
        let token = try Armor.decode(text.span, into: &buffers).bytes.array
        guard expected.broken == nil, token == expected.bytes else { return Self.record(text, "\(token)") }
        decoded += 1
      } catch {
        guard let offset = expected.broken, error == .because(.brokenPercentEscape, .offset(offset)) else {
          return Self.record(text, "\(error)")
        }
        refused += 1
      }
    }
    #expect(decoded > 1000 && refused > 1000)
  }

  private static func record(_ text: [UInt8], _ found: String) {
    Issue.record("\(String(decoding: text, as: UTF8.self)): found \(found)")
  }

  /// The bytes, and where the first broken escape is.
  private static func percentDecodedByteByByte(_ text: [UInt8]) -> (bytes: [UInt8], broken: Int?) {
    var (bytes, index): ([UInt8], Int) = ([], 0)
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "%"):
        let digits = text[(index + 1)...].prefix(2).compactMap(Hexadecimal.value)
        guard digits.count == 2 else { return (bytes, index) }
        bytes.append(digits[0] << 4 | digits[1])
        index += 3
      case UInt8(ascii: "+"):
        bytes.append(UInt8(ascii: " "))
        index += 1
      default:
        bytes.append(text[index])
        index += 1
      }
    }
    return (bytes, nil)
  }

  private func hexadecimal(_ byte: UInt8) -> [UInt8] {
    [Hexadecimal.digit(byte >> 4), Hexadecimal.digit(byte & 15)]
  }
}

/// Canonical base64, bit by bit and unlike the decoder that it tests.
func base64(_ bytes: [UInt8]) -> [UInt8] {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  let bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
  var text: [UInt8] = []
  for start in stride(from: 0, to: bits.count, by: 6) {
    let six = (0..<6).map { start + $0 < bits.count ? bits[start + $0] : 0 }
    text.append(alphabet[Int(six.reduce(0) { $0 << 1 | $1 })])
  }
  return text + [UInt8](repeating: UInt8(ascii: "="), count: (4 - text.count % 4) % 4)
}
