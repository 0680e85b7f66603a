import Testing

@testable import MediaToken

@Suite("Keys: JKS keystores")
struct KeysInKeystoresTests {
  @Test func aliasMayHaveLettersOutsideASCII() throws {
    let keys = try KeyFixture.keys("several.jks", password: KeyFixture.password)
    #expect(keys.contains { $0.origin.part == .alias("clé 2049") })
  }

  // Case 80.
  @Test(arguments: ["production.jks", "mixed.jks", "version1.jks"])
  func truncatedKeystoreIsRefused(_ file: String) throws {
    let bytes = try KeyFixture.bytes(file)
    for count in 0..<bytes.count {
      #expect(KeyFixture.refusal(Array(bytes.prefix(count))) != nil, "\(count) bytes")
      let reason = KeyFixture.refusal(Array(bytes.prefix(count)), password: KeyFixture.password)
      #expect(reason != nil, "\(count) bytes")
    }
  }

  // Case 80.
  @Test(arguments: ["production.jks", "version1.jks"])
  func corruptedByteIsRefusedWhenTheDigestIsChecked(_ file: String) throws {
    try KeyFixture.forEachCorruption(of: file) { corrupted, place in
      #expect(KeyFixture.refusal(corrupted, password: KeyFixture.password) != nil, "\(place)")
    }
  }

  // Case 80: without a password nothing but the format is checked, and nothing breaks.
  @Test func corruptedByteNeverGivesMoreThanOneKey() throws {
    try KeyFixture.forEachCorruption(of: "production.jks", by: [0xFF]) { corrupted, place in
      #expect((try? KeyFixture.keys(corrupted))?.count ?? 1 == 1, "\(place)")
    }
  }

  @Test func digestIsCheckedAlsoWhenNothingElseIsWrong() throws {
    var bytes = try KeyFixture.bytes("production.jks")
    bytes[bytes.count - 1] ^= 1
    #expect(KeyFixture.refusal(bytes) == nil)
    #expect(KeyFixture.refusal(bytes, password: KeyFixture.password) == .keystoreDigest)
  }

  // Case 80.
  @Test(arguments: [0, 3, 4, 0x0200_0000, UInt32.max])
  func unknownVersionIsRefused(_ version: UInt32) throws {
    #expect(try KeyFixture.refusal(patched(at: 4, version)) == .keystoreVersion(version))
  }

  // Case 80: no count or length makes the parser allocate, loop or trap.
  @Test(arguments: [2, 0x7FFF_FFFF, 0x8000_0000, UInt32.max])
  func countBeyondTheEndIsRefused(_ count: UInt32) throws {
    let end = try KeyFixture.bytes("production.jks").count - 20
    #expect(try KeyFixture.refusal(patched(at: 8, count)) == .keystoreTruncated(end))
  }

  @Test func countBelowTheEntriesIsRefused() throws {
    let bytes = try KeyFixture.bytes("production.jks")
    #expect(try KeyFixture.refusal(patched(at: 8, 0)) == .trailingBytes(bytes.count - 20 - 12))
  }

  // The entry: kind at 12, alias at 16 (2 + 9 bytes), date at 27, type at 35 (2 + 5 bytes), length at 42.
  @Test(arguments: [0x7FFF_FFFF, 0x8000_0000, UInt32.max])
  func lengthBeyondTheEndIsRefused(_ length: UInt32) throws {
    #expect(try KeyFixture.refusal(patched(at: 42, length)) == .keystoreTruncated(42))
    #expect(try KeyFixture.refusal(patched(at: 16, length)) == .keystoreTruncated(16) || length == 0x8000_0000)
    let file = try KeyFixture.bytes("production.jks")
    let exact = UInt32(file.count - 20 - 46)
    #expect(try KeyFixture.refusal(patched(at: 42, exact)) == nil)
    #expect(try KeyFixture.refusal(patched(at: 42, exact + 1)) == .keystoreTruncated(42))
    #expect(try KeyFixture.refusal(patched(at: 42, exact - 1)) == .trailingBytes(1))
  }

  @Test(arguments: [0, 1, 3, UInt32.max])
  func unknownEntryKindIsRefused(_ kind: UInt32) throws {
    let reason = try KeyFixture.refusal(patched(at: 12, kind))
    // A private key entry has another form, so here its lengths cannot fit.
    #expect(kind == 1 ? reason != nil : reason == .keystoreEntryKind(kind))
  }

  // Case 80.
  @Test(arguments: [0xFF, 0x80, 0xF0] as [UInt8])
  func aliasThatIsNotJavasUTF8IsRefused(_ byte: UInt8) throws {
    var bytes = try KeyFixture.bytes("production.jks")
    bytes[20] = byte
    #expect(KeyFixture.refusal(bytes) == .keystoreText)
    // The last byte of the alias begins a character that does not end.
    bytes[20] = 0x61
    bytes[26] = 0xC3
    #expect(KeyFixture.refusal(bytes) == .keystoreText)
  }

  @Test func aliasIsEscapedForDisplay() throws {
    var bytes = try KeyFixture.bytes("production.jks")
    bytes.replaceSubrange(18..<27, with: [0x61, 0x1B, 0x5B, 0x22, 0x0A, 0xE2, 0x80, 0xAE, 0x7A])
    #expect(try KeyFixture.keys(bytes)[0].origin.part == .alias(#"a\u{1b}[\"\u{a}\u{202e}z"#))
  }

  @Test func certificateOfAnotherTypeIsRefused() throws {
    var bytes = try KeyFixture.bytes("production.jks")
    bytes[37] = 0x59
    #expect(KeyFixture.refusal(bytes) == .keystoreCertificateType)
  }

  @Test func damagedCertificateIsRefusedByItsAlias() throws {
    var bytes = try KeyFixture.bytes("production.jks")
    bytes[46] = 0x31
    let error = KeyFixture.error { () throws(Problem) in _ = try KeyFixture.keys(bytes, named: "a.jks") }
    #expect(error?.reason == .brokenCertificate)
    #expect(error?.description.hasPrefix(#"a.jks (alias "adobepass"): "#) == true)
  }

  private func patched(at offset: Int, _ number: UInt32) throws -> [UInt8] {
    var bytes = try KeyFixture.bytes("production.jks")
    for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * index)) }
    return bytes
  }
}
