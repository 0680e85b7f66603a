import MediaTokenIssuer
import Testing

@testable import MediaToken

@Suite("Keys: forms and kinds")
struct KeysOfEveryKindTests {
  @Test(arguments: [
    "", ":", "x", "any", String(repeating: "a", count: 39), String(repeating: "g", count: 40),
    String(repeating: "a", count: 41),
  ])
  func otherTextIsNoFingerprint(_ text: String) { #expect(GivenFingerprint(hexadecimal: text) == nil) }

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
