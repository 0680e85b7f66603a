import MediaTokenIssuer
import Testing

@testable import MediaToken

@Suite("Keys: forms and kinds")
struct KeysOfEveryKindTests {
  @Test(arguments: [
    ("rsa2048.pem", "rsa2048"), ("rsa2048.der", "rsa2048"), ("certificate-current.pem", "rsa2048"),
    ("certificate-current.crt", "rsa2048"), ("certificate-version1.cer", "rsa2049"), ("rsa4096.pem", "rsa4096"),
  ])
  func fingerprintIsThatOfOpenSSL(_ file: String, _ key: String) throws {
    let keys = try KeyFixture.keys(file, consent: .none)
    #expect(try keys.map(\.fingerprint) == [KeyFixture.fingerprint(key)])
  }

  @Test func severalBlocksOfDifferentKindsAreAllRead() throws {
    let keys = try KeyFixture.keys("several.pem")
    #expect(try keys.map(\.fingerprint) == ["rsa2048", "rsa4096", "rsa1024"].map(KeyFixture.fingerprint))
    #expect(keys.map(\.modulusBits) == [2048, 4096, 1024])
    let first = try #require(keys.first)
    #expect(first.origin.description == "several.pem (line 1)")
    #expect(keys[1].certificate == nil && first.certificate != nil)
  }

  // Case 75.
  @Test(arguments: [
    ("rsa768", 768), ("rsa1023", 1023), ("rsa4097", 4097), ("rsa8192", 8192), ("rsa16384", 16384), ("modulus1", 1),
  ])
  func noConsentAdmitsAKeyOfTheWrongSize(_ name: String, _ bits: Int) throws {
    #expect(try KeyFixture.refusal("\(name).pem", consent: .any) == .modulusBits(bits))
  }

  // Case 75.
  @Test(arguments: [("rsa1024", 1024), ("rsa1025", 1025), ("rsa2047", 2047)])
  func weakKeyNeedsConsentToItself(_ name: String, _ bits: Int) throws {
    let fingerprint = try KeyFixture.fingerprint(name)
    let missing = Problem.consentMissing(fingerprint, modulusBits: bits)
    #expect(try KeyFixture.refusal("\(name).pem", consent: .none) == missing)
    let other = try KeyFixture.fingerprint(name == "rsa1024" ? "rsa1025" : "rsa1024")
    #expect(try KeyFixture.refusal("\(name).pem", consent: .fingerprints([other])) == missing)
    #expect(try KeyFixture.keys("\(name).pem", consent: .fingerprints([other, fingerprint])).count == 1)
    #expect(try KeyFixture.keys("\(name).pem", consent: .any).map(\.modulusBits) == [bits])
  }

  /// What `openssl x509 -fingerprint` prints of certificate-production.pem.
  private static let (sha256, sha1) = (
    "DA:E6:00:98:66:FC:A3:43:31:B1:93:AB:BA:D0:42:AF:"
      + "08:B0:2E:70:07:20:FD:7C:59:CB:F4:70:37:AA:06:C3",
    "2C:ED:18:B6:A6:60:47:72:C1:0B:2B:52:7F:1F:8A:82:CC:57:F4:00"
  )

  // Operators have the certificate's fingerprint: keytool and openssl print no other.
  @Test(arguments: [
    [sha256], [sha1], [sha256.lowercased()], [sha1.lowercased()], [sha1.replacing(":", with: "")],
    [sha256, sha1], [sha256.replacing(":", with: "")],
  ])
  func fingerprintOfTheCertificateIsNamed(_ given: [String]) throws {
    let key = try KeyFixture.fingerprint("rsa1024")
    let consent = WeakKeyConsent.given(Set(try given.map { try #require(GivenFingerprint(hexadecimal: $0)) }))
    #expect(try KeyFixture.refusal("certificate-production.pem", consent: consent) == .consentToCertificate(key))
    // The same key in front of its certificate, which then has no place of its own.
    let both = try KeyFixture.bytes("rsa1024.pem") + KeyFixture.bytes("certificate-production.pem")
    #expect(KeyFixture.refusal(both, consent: consent) == .consentToCertificate(key))
    let missing = Problem.consentMissing(key, modulusBits: 1024)
    #expect(try KeyFixture.refusal("rsa1024.pem", consent: consent) == missing)
    #expect(
      Problem.consentToCertificate(key).description.hasPrefix(
        "the fingerprint that was allowed is the certificate's; the key's is \(key)"))
  }

  // A SHA-1 consents to nothing, and is not passed over where nothing needs consent.
  @Test func consentBySHA1IsRefused() throws {
    let sha1 = try #require(GivenFingerprint(hexadecimal: Self.sha1))
    let key = try KeyFixture.fingerprint("rsa1024")
    #expect(try KeyFixture.refusal("rsa2048.pem", consent: .given([sha1])) == .consentToSHA1)
    #expect(try KeyFixture.refusal("rsa1024.pem", consent: .given([sha1, .sha256(key)])) == .consentToSHA1)
    #expect(try KeyFixture.keys("certificate-production.pem", consent: .given([.sha256(key)])).count == 1)
  }

  @Test(arguments: [
    "", ":", "x", "any", String(repeating: "a", count: 39), String(repeating: "g", count: 40), sha1 + "0",
  ])
  func otherTextIsNoFingerprint(_ text: String) { #expect(GivenFingerprint(hexadecimal: text) == nil) }

  @Test(arguments: ["rsa2048", "rsa2049", "rsa4096"])
  func ordinaryKeyNeedsNoConsent(_ name: String) throws {
    #expect(try KeyFixture.keys("\(name).pem", consent: .none).count == 1)
  }

  // Case 76.
  @Test(arguments: ["exponent1", "exponent3", "exponent65535", "exponent65538", "exponent65bits"])
  func oddExponentFrom65537To64BitsIsDemanded(_ name: String) throws {
    #expect(try KeyFixture.refusal("\(name).pem") == .exponent)
  }

  @Test(arguments: ["exponent65539", "exponent64bits"])
  func unusualExponentInsideTheLimitsIsAccepted(_ name: String) throws {
    #expect(try KeyFixture.keys("\(name).pem", consent: .none).count == 1)
  }

  // Case 76.
  @Test(arguments: ["modulus-even", "modulus-prime", "modulus-factor"])
  func modulusThatNoKeyPairHasIsRefused(_ name: String) throws {
    #expect(try KeyFixture.refusal("\(name).pem") == .modulus)
  }

  // Case 77.
  @Test(arguments: [
    ("ec.pem", "EC"), ("ed25519.pem", "ED25519"), ("pss.pem", "RSA-PSS"), ("dsa.pem", "DSA"),
    ("certificate-ec.pem", "EC"), ("certificate-pss.pem", "RSA-PSS"), ("ec.jks", "EC"),
  ])
  func keyOfAnotherAlgorithmIsRefused(_ file: String, _ algorithm: String) throws {
    #expect(try KeyFixture.refusal(file) == .notRSA(algorithm))
  }

  // Case 81.
  @Test func sameKeyInSeveralPlacesIsOneKey() throws {
    let files = try ["rsa2048.der", "certificate-current.pem", "several.jks", "rsa2048.pem"].map {
      KeyFile(name: $0, bytes: try KeyFixture.bytes($0))
    }
    let keys = try TrustedKeys(parsing: files, consent: .any).keys
    #expect(Set(keys.map(\.fingerprint)).count == keys.count && keys.count == 3)
    #expect(keys.first?.origin.file == "rsa2048.der")
  }

  @Test func emptySetIsRefused() {
    #expect(
      KeyFixture.error { () throws(Problem) in _ = try TrustedKeys(parsing: [], consent: .any) }?.reason
        == .nothingNamed)
    #expect(
      KeyFixture.error { () throws(Problem) in _ = try TrustedKeys(readingFiles: [], consent: .any) }?.reason
        == .nothingNamed)
  }

  @Test func setOfSixteenKeysIsAcceptedAndOfSeventeenIsRefused() throws {
    // Real keys: whether a made-up modulus is sound is up to the random numbers of OpenSSL's check.
    let keys = try (0..<17).map { index in
      let pem = try DevelopmentKeyPair.generateWeak1024BitsForTests().publicKeyPEM()
      return KeyFile(name: "\(index).pem", bytes: Array(pem.utf8))
    }
    let sixteen = Array(keys.prefix(16))
    #expect(try TrustedKeys(parsing: sixteen, consent: .any).keys.count == 16)
    #expect(try TrustedKeys(parsing: sixteen + sixteen, consent: .any).keys.count == 16)
    let error = KeyFixture.error { () throws(Problem) in _ = try TrustedKeys(parsing: keys, consent: .any) }
    #expect(error?.reason == .tooManyKeys)
  }

  @Test func oneFaultLeavesNoSet() throws {
    let good = try KeyFile(name: "good", bytes: KeyFixture.bytes("rsa2048.pem"))
    let bad = try KeyFile(name: "bad", bytes: KeyFixture.bytes("ec.pem"))
    for files in [[good, bad], [bad, good]] {
      let error = KeyFixture.error { () throws(Problem) in _ = try TrustedKeys(parsing: files, consent: .any) }
      #expect(error?.subject.hasPrefix("bad") == true)
    }
  }

  @Test func candidatesShowWhatLacksConsent() throws {
    let file = try KeyFile(name: "several.pem", bytes: KeyFixture.bytes("several.pem"))
    let candidates = try TrustedKeys.candidates(parsing: [file])
    #expect(candidates.map(\.needsConsent) == [false, false, true])
    let fingerprint = try KeyFixture.fingerprint("rsa1024")
    let error = KeyFixture.error { () throws(Problem) in _ = try TrustedKeys(parsing: [file], consent: .none) }
    #expect(error?.description.hasSuffix(": --allow-rsa-1024 \(fingerprint)") == true)
  }

  @Test func writtenKeyIsTheKeyThatWasRead() throws {
    let certificate = try KeyFixture.keys("certificate-production.pem")[0]
    let pem = try certificate.pem()
    #expect(try Array(pem.utf8) == KeyFixture.bytes("rsa1024.pem"))
    #expect(try KeyFixture.keys(Array(pem.utf8)).map(\.fingerprint) == [certificate.fingerprint])
  }

  @Test func developmentKeyIsTheOneInTheRepository() throws {
    let scratch = try ScratchFolder()
    let keys = KeyFixture.repository.appending(path: "keys").path(percentEncoded: false)
    #expect(try scratch.run("cp \(keys)/*.pem . && chmod 600 *.pem"))
    let key = try TrustedKeys(readingFiles: [scratch.path("development.pem")], consent: .none).keys[0]
    #expect(key.fingerprint == DevelopmentKey.fingerprint)
    #expect(key.modulusBits == 2048)
    #expect(key.warnings(at: Instant(millisecondsSinceEpoch: 0)) == [.developmentKey])
    #expect(try scratch.run("openssl pkey -in development.private.pem -pubout | cmp - development.pem"))
  }
}
