import MediaToken
import MediaTokenIssuer

@testable import MediaTokenFormats

/// A verifier, and tokens to explain.
struct ExplainFixture {
  static let now = Instant(millisecondsSinceEpoch: 1_800_000_000_000)
  static let guid = "feedfacefeedfacefeedfacefeedface"

  /// Made once for all tests.
  private static let pair = Result { () throws(Problem) in try DevelopmentKeyPair.generate() }
  private static let others = Result { () throws(Problem) in
    var pairs: [DevelopmentKeyPair] = []
    for _ in 1..<Limits.trustedKeys { pairs.append(try DevelopmentKeyPair.generate()) }
    return pairs
  }
  let pair: DevelopmentKeyPair
  let verifier: TokenPath

  /// - Parameter others: how many other keys of the same size are trusted.
  init(others: Int = 0) throws {
    pair = try Self.pair.get()
    let pairs = others == 0 ? [pair] : try [pair] + Self.others.get().prefix(others)
    let files = try pairs.enumerated().map {
      KeyFile(name: "\($0).pem", bytes: Array(try $1.publicKeyPEM().utf8))
    }
    let keys = try TrustedKeys(parsing: files, consent: .none)
    verifier = try TokenPath(trustedKeys: keys, policy: .standard, replayMemory: .none)
  }

  /// A token that was issued a minute ago, unless something else is said.
  func token(
    age milliseconds: Int64 = 60_000, requestor: String = "REF30", resource: String = "TNT", at now: Instant = now
  ) throws -> [UInt8] {
    let issued = Instant(millisecondsSinceEpoch: now.millisecondsSinceEpoch - milliseconds)
    let token = DevelopmentToken(
      requestorID: requestor, resourceID: resource, issueTime: issued, sessionGUID: Self.guid)
    var issuer = try DevelopmentTokenIssuer(pair)
    var output: [UInt8] = []
    try issuer.issue(token, as: .raw, into: &output)
    return output
  }

  func explain(
    _ token: [UInt8], resource: String = "TNT", asked: AskedBinding = .both, at now: Instant = now,
    peekingAt memory: PeekedMemory = .none, by path: TokenPath? = nil, in wording: Wording = .commandLine
  ) -> ExplainedToken {
    ExplainedToken(
      token.span, with: path ?? verifier, requestor: .exactly("REF30"), resource: .exactly(ExactText(resource)),
      asked: asked, at: now, peekingAt: memory, in: wording)
  }
}

extension ExplainedToken {
  /// The answer of `/v1/explain`.
  var json: String {
    var writer = JSONWriter()
    writer.object { write(to: &$0) }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
