import MediaToken
import MediaTokenIssuer
import Testing

@Suite("Development key pairs")
struct KeyPairTests {
  @Test func privateKeySurvivesPEM() throws {
    let pair = try IssuerFixture.keyPair.get()
    let again = try pair.withPrivateKeyPEM { pem throws(Problem) in
      try DevelopmentKeyPair(privateKeyPEM: pem)
    }.get()
    #expect(again.fingerprint == pair.fingerprint)
    #expect(again.modulusBits == 2048)
    #expect(try again.publicKeyPEM() == pair.publicKeyPEM())
  }

  @Test func privateKeyIsPKCS8AndPublicKeyIsSPKI() throws {
    let pair = try IssuerFixture.keyPair.get()
    let begins = try pair.withPrivateKeyPEM { pem in
      String(decoding: (0..<27).map { pem[$0] }, as: UTF8.self)
    }.get()
    #expect(begins == "-----BEGIN PRIVATE KEY-----")
    #expect(try pair.publicKeyPEM().hasPrefix("-----BEGIN PUBLIC KEY-----\n"))
  }

  @Test(arguments: [0, 1024, 2040, 2047, 2049, 4097, 4104, 8192])
  func otherSizesAreNotGenerated(_ bits: Int) {
    let problem = #expect(throws: Problem.self) { try DevelopmentKeyPair.generate(modulusBits: bits) }
    #expect(problem?.description == "expected an RSA key of 2048 to 4096 bits in whole bytes, found \(bits)")
  }

  @Test func weakKeyNeedsItsOwnName() throws {
    let pair = try DevelopmentKeyPair.generateWeak1024BitsForTests()
    #expect(pair.modulusBits == 1024)
    var issuer = try DevelopmentTokenIssuer(pair)
    var output: [UInt8] = []
    try issuer.issue(IssuerFixture.token(), into: &output)
    #expect(output.starts(with: "<signatureInfo>".utf8))
  }

  @Test(arguments: ["", "no key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
  func whatIsNoPrivateKeyIsRefused(_ text: String) {
    let problem = #expect(throws: Problem.self) { try DevelopmentKeyPair(privateKeyPEM: text.utf8Span.span) }
    #expect(problem?.fact.hasPrefix("not an RSA private key in PEM") == true)
  }

  @Test func halvesThatDisagreeSignNothing() throws {
    let pair = try IssuerFixture.keyPair.get()
    let text = try pair.withPrivateKeyPEM { pem in
      String(decoding: (0..<pem.count).map { pem[$0] }, as: UTF8.self)
    }.get()
    // The public exponent and the tag after it: with a key of 2048 bits they begin a group of base64. 65537 becomes 65539.
    #expect(text.contains("AgMBAAEC"))
    let damaged = try DevelopmentKeyPair(privateKeyPEM: text.replacing("AgMBAAEC", with: "AgMBAAMC").utf8Span.span)
    let problem = #expect(throws: Problem.self) { _ = try DevelopmentTokenIssuer(damaged) }
    #expect(problem?.fact == "the private and the public half of the key do not match; the file is damaged")
  }

  @Test func publicKeyIsNoPrivateKey() throws {
    let pem = try IssuerFixture.keyPair.get().publicKeyPEM()
    let problem = #expect(throws: Problem.self) { try DevelopmentKeyPair(privateKeyPEM: pem.utf8Span.span) }
    #expect(problem?.fact.hasPrefix("not an RSA private key in PEM") == true)
  }
}
