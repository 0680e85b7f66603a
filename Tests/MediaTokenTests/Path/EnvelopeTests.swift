import Testing

@testable import MediaToken

@Suite("Step 2: envelope")
struct EnvelopeTests {
  private static let opening = Array("<signatureInfo>".utf8)
  private static let closing = Array("</signatureInfo>".utf8)

  /// Case 22.
  @Test func bothSpellingsOfTheSecondMarkerCutTheSameBytes() throws {
    var buffer = [UInt8](repeating: 0, count: Limits.signatureBytes)
    for marker in [Self.opening, Self.closing] {
      let token = Self.opening + base64([1, 2, 3, 4]) + marker + Array("<x>".utf8)
      let envelope = try Envelope(cutting: token.span, signatureInto: &buffer)
      #expect(envelope.signature?.array == [1, 2, 3, 4])
      #expect(envelope.signedBytes.array == Array("<x>".utf8))
    }
  }

  /// Case 57: the longest signature that a trusted key can make has 512 bytes.
  @Test func signatureLongerThanAnyKeysIsKeptAsALengthOnly() throws {
    var buffer = [UInt8](repeating: 0, count: Limits.signatureBytes)
    for length in [511, 512, 513, 20_000] {
      let signature = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let token = Self.opening + base64(signature) + Self.opening + Array("B".utf8)
      let envelope = try Envelope(cutting: token.span, signatureInto: &buffer)
      #expect(envelope.signatureBytes == length)
      #expect(envelope.signature?.array == (length <= 512 ? signature : nil))
    }
  }

  /// A long signature is checked to its end: its spelling is judged before its length.
  @Test func longSignatureWithAStrayBitIsRefused() {
    var buffer = [UInt8](repeating: 0, count: Limits.signatureBytes)
    var text = base64([UInt8](repeating: 9, count: 4000))
    text[text.count - 3] = UInt8(ascii: "B")
    let token = Self.opening + text + Self.opening + Array("B".utf8)
    #expect(
      refusal { () throws(Refusal) in try Envelope(cutting: token.span, signatureInto: &buffer).signatureBytes }?
        .reason == .signatureNotBase64)
  }

  /// Case 16: nothing is searched for.
  @Test func signatureEndsAtTheFirstAngleBracket() {
    var buffer = [UInt8](repeating: 0, count: Limits.signatureBytes)
    let token = Self.opening + base64([1, 2, 3]) + Array("<x>".utf8) + Self.opening + Array("B".utf8)
    #expect(
      refusal { () throws(Refusal) in try Envelope(cutting: token.span, signatureInto: &buffer).signatureBytes }?
        .reason == .secondMarker)
  }
}
