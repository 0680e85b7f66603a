import MediaToken
import MediaTokenIssuer

/// A key pair made once for all tests, and what they do with it.
enum IssuerFixture {
  static let keyPair: Result<DevelopmentKeyPair, Problem> = Result { () throws(Problem) in
    try .generate(modulusBits: 2048)
  }

  /// 2026-11-20T12:00:00Z.
  static let noon = Instant(millisecondsSinceEpoch: 1_795_176_000_000)

  /// A token for requestor REF30 and resource TNT, issued at noon.
  static func token(resource: String = "TNT") -> DevelopmentToken {
    var token = DevelopmentToken(
      requestorID: "REF30", resourceID: resource, issueTime: noon, sessionGUID: "00112233445566778899aabbccddeeff")
    token.mvpdID = "Cablevision"
    return token
  }

  /// The token's text.
  static func text(
    of token: DevelopmentToken, as form: DevelopmentTokenIssuer.Form = .raw
  ) throws -> String {
    var issuer = try DevelopmentTokenIssuer(keyPair.get())
    var output: [UInt8] = []
    try issuer.issue(token, as: form, into: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// The signed part of a raw token.
  static func signedText(of token: DevelopmentToken) throws -> String {
    let text = try text(of: token)
    return String(text.split(separator: "<signatureInfo>", omittingEmptySubsequences: true)[1])
  }

  /// A verifier that trusts the pair.
  static func verifier() throws -> TokenPath {
    let pem = Array(try keyPair.get().publicKeyPEM().utf8)
    let keys = try TrustedKeys(parsing: [KeyFile(name: "test.pem", bytes: pem)], consent: .none)
    return try TokenPath(trustedKeys: keys, policy: .standard, replayMemory: .none)
  }

  /// What a verifier that trusts the pair makes of the text.
  static func verify(_ text: String) throws -> VerifiedToken {
    try verifier().verify(text.utf8Span.span, requestor: .exactly("REF30"), resource: .anyResource, at: noon)
  }
}
