import Testing

@testable import MediaToken

@Suite("Keys: PEM and DER")
struct KeysInPEMTests {
  private let pem: String
  private let der: [UInt8]

  init() throws {
    pem = String(decoding: try KeyFixture.bytes("rsa2048.pem"), as: UTF8.self)
    der = try KeyFixture.bytes("rsa2048.der")
  }

  private func refusal(_ text: String) -> Problem? { KeyFixture.refusal(Array(text.utf8)) }

  // Case 79: text around blocks is skipped (RFC 7468, section 2), and is no key by itself.
  @Test(arguments: [
    "junk\n", "# comment\n", "subject=CN = x\n", "\0\n", "-\n", "Bag Attributes\n    friendlyName: adobepass\n",
    "Certificate:\n    Data:\n        Version: 3 (0x2)\n", "issuer=CN = FRONT-END, O = A weekEND\n", "----\n",
    "the certificate at the end of the chain begins here:\r\n", "\u{FEFF}\n", "é\t\n",
    "MIIBIjANBgkqhkiG9w0BAQEFAAOC!\n",
  ])
  func textAroundBlocksIsSkipped(_ text: String) {
    #expect(refusal(text + pem) == (text.utf8.starts(with: "\u{FEFF}".utf8) ? .otherForm(.markedPEM) : nil))
    #expect(refusal(pem + text) == nil)
    #expect(refusal(pem + text + pem) == nil)
    #expect(refusal(text) == .unknownForm)
    #expect(refusal(pem + text + pem.replacing("M", with: "!")) == .brokenPEM)
  }

  // Case 79: what may be a block that was damaged is not skipped.
  @Test(arguments: [
    "----BEGIN PUBLIC KEY----", "-----BEGIN PUBLIC KEY----", "- -----BEGIN PUBLIC KEY-----",
    "> -----BEGIN CERTIFICATE-----",
    "-----begin public key-----", "---- BEGIN SSH2 PUBLIC KEY ----", "-----END PUBLIC KEY-----",
    "\"-----END X-----\"",
    "x-----BEGIN CERTIFICATE-----", "\u{2013}\u{2013}BEGIN CERTIFICATE\u{2013}\u{2013}",
    "-----BEGINPUBLIC KEY-----",
    "BEGIN PUBLIC KEY", "-----End certificate", "\u{FEFF}-----BEGIN PUBLIC KEY-----",
  ])
  func whatResemblesABoundaryIsRefused(_ line: String) {
    #expect(refusal(pem + "\n" + line + "\n") == .brokenBoundary)
    #expect(refusal(pem + line + "\n" + pem) == .brokenBoundary)
    #expect(refusal("x\n" + line) == .brokenBoundary)
  }

  // Case 84: a file that is only half there.
  @Test func truncatedPEMIsRefused() {
    let bytes = Array(pem.utf8)
    // The last line's newline may be missing.
    for count in 0..<bytes.count - 1 { #expect(KeyFixture.refusal(Array(bytes.prefix(count))) != nil) }
    #expect(refusal(String(pem.dropLast())) == nil)
    #expect(refusal(pem + String(pem.dropLast(2))) == .brokenPEM)
    #expect(refusal(pem + "-----BEGIN PUBLIC KEY-----\n") == .unclosedPEM)
  }

  // The fingerprint is that of the re-encoded key, so no spelling of a key gets another name.
  @Test func otherSpellingOfAKeyHasTheSameFingerprint() throws {
    // No parameters where NULL should be; lengths at 2 and 5.
    var shorter = der
    shorter[3] -= 2
    shorter[5] -= 2
    shorter.removeSubrange(17..<19)
    #expect(try KeyFixture.keys(shorter).map(\.fingerprint) == [KeyFixture.fingerprint("rsa2048")])
  }

  // Case 79. OpenSSL takes no notice of what follows the RSAPublicKey inside the BIT STRING.
  @Test(arguments: [1, 2, 60]) func bytesLeftOverInsideTheBitStringAreRefused(_ count: Int) throws {
    // Lengths of two bytes each: that of the whole at 2, that of the BIT STRING at 21.
    var longer = der + [UInt8](repeating: 0x30, count: count)
    (longer[3], longer[22]) = (der[3] + UInt8(count), der[22] + UInt8(count))
    #expect(KeyFixture.refusal(longer) == .trailingBytes(count))
    // The same key in a certificate, whose lengths are, from outside in, of: Certificate, TBSCertificate, key, BIT STRING.
    var certificate = try KeyFixture.bytes("certificate-current.crt")
    let key = try #require(certificate.firstRange(of: [0x30, 0x82, 0x01, 0x22, 0x30, 0x0D])).lowerBound
    let end = key + 4 + 0x122
    certificate.insert(contentsOf: [UInt8](repeating: 0x30, count: count), at: end)
    for length in [2, 6, key + 2, key + 21] {
      let sum = Int(certificate[length]) << 8 + Int(certificate[length + 1]) + count
      (certificate[length], certificate[length + 1]) = (UInt8(sum >> 8), UInt8(sum & 0xFF))
    }
    #expect(KeyFixture.refusal(certificate) == .trailingBytes(count))
  }

  // Case 84.
  @Test(arguments: ["rsa2048.der", "certificate-current.crt"])
  func truncatedDERIsRefused(_ file: String) throws {
    let bytes = try KeyFixture.bytes(file)
    for count in 0..<bytes.count {
      #expect(KeyFixture.refusal(Array(bytes.prefix(count))) != nil, "\(count) bytes")
    }
  }

  @Test(arguments: ["rsa2048.der", "certificate-current.crt", "pkcs7.p7b", "certificate.p12", "request.der"])
  func corruptedDERNeverGivesMoreThanOneKey(_ file: String) throws {
    try KeyFixture.forEachCorruption(of: file) { corrupted, place in
      #expect((try? KeyFixture.keys(corrupted))?.count ?? 1 == 1, "\(place)")
    }
  }

  @Test(arguments: [[], [0x20], [0x0A, 0x0D, 0x09]] as [[UInt8]])
  func emptyFileIsRefused(_ bytes: [UInt8]) {
    #expect(KeyFixture.refusal(bytes) == .empty)
  }

  private static let otherBytes: [[UInt8]] = [
    [0x30], [0x30, 0x80], [0x30, 0x82], [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF],
    [0x30, 0x88, 1, 1, 1, 1, 1, 1, 1, 1], [0x30, 0x03, 0x30, 0x84, 0x7F], [0xFE, 0xED, 0xFE], [0x00], [0xFF],
    Array(#"{"kty":"RSA","n":"0vx7","e":"AQAB"}"#.utf8), Array("MIIBIjANBgkqhkiG9w0BAQEFAAOC.".utf8),
  ]

  @Test(arguments: otherBytes)
  func otherBytesAreRefused(_ bytes: [UInt8]) {
    #expect(KeyFixture.refusal(bytes) == .unknownForm)
  }

  @Test func tooLargeContentIsRefusedAlsoInMemory() {
    let size = Limits.keyFileBytes
    let padding = String(repeating: "\n", count: size - pem.utf8.count)
    #expect(refusal(pem + padding) == nil)
    #expect(refusal(pem + padding + "\n") == .tooLarge(size + 1))
  }

  @Test func fileFullOfOneKeyIsOneKey() throws {
    let copies = Limits.keyFileBytes / pem.utf8.count
    #expect(try KeyFixture.keys(Array(String(repeating: pem, count: copies).utf8)).count == 1)
  }
}
