import MediaToken
import MediaTokenFormats
import MediaTokenIssuer
import Testing

/// What `explain` shows of a decision that does not say what its token says.
@Suite("Differences between a decision and its token")
struct DecisionDifferenceTests {
  /// Keeps what steps 4 and 5 saw.
  private struct Watcher: PathObserver {
    var fields: TokenFields?
    var lifetime: Lifetime?

    mutating func passedFields(_ fields: TokenFields) { self.fields = fields }
    mutating func parsed(_ lifetime: Lifetime) { self.lifetime = lifetime }
  }

  /// Made once for all tests.
  private static let keyPair = Result { () throws(Problem) in try DevelopmentKeyPair.generate() }
  private static let issued = Instant(millisecondsSinceEpoch: 1_795_176_000_000)

  /// The members that differ of a decision that says this of a token of `REF30`, `Cablevision` and five minutes.
  private static func differences(_ members: String, inToken: String = "", proxy: String? = nil) throws
    -> [DecisionDifference]
  {
    let keyPair = try Self.keyPair.get()
    var token = DevelopmentToken(
      requestorID: "REF30", resourceID: "TNT", issueTime: issued, sessionGUID: "00112233445566778899aabbccddeeff")
    token.mvpdID = "Cablevision"
    token.proxyMVPDID = proxy
    var issuer = try DevelopmentTokenIssuer(keyPair)
    var text: [UInt8] = []
    try issuer.issue(token, as: .base64, into: &text)
    let document = """
      {"decisions":[{"resource":"TNT","authorized":true,\(members)"token":{\(inToken)"serializedToken":"\(
        String(decoding: text, as: UTF8.self))"}}]}
      """
    guard
      case .token(let received, let decision) = try DecisionDocument(parsing: document.utf8Span.span)
        .answer(for: .anyResource)
    else { return [] }
    let file = KeyFile(name: "test.pem", bytes: Array(try keyPair.publicKeyPEM().utf8))
    let keys = try TrustedKeys(parsing: [file], consent: .none)
    let verifier = try TokenPath(trustedKeys: keys, replayMemory: .none)
    var watcher = Watcher()
    _ = try verifier.qualify(
      received.utf8Span.span, requestor: .anyRequestor, resource: .anyResource, at: issued, observer: &watcher
    ).leave()
    return decision.differences(from: try #require(watcher.fields), watcher.lifetime)
  }

  private static func members(_ members: String, inToken: String = "", proxy: String? = nil) throws -> [String] {
    try differences(members, inToken: inToken, proxy: proxy).map(\.member)
  }

  @Test func whatAgreesOrIsAbsentIsNoDifference() throws {
    #expect(try Self.members("") == [])
    let times = #""notBefore":1795176000000,"notAfter":1795176300000,"#
    #expect(try Self.members(#""serviceProvider":"REF30","mvpd":"Cablevision","#, inToken: times) == [])
  }

  @Test func eachMemberIsCompared() throws {
    #expect(try Self.members(#""serviceProvider":"REF31","#) == ["serviceProvider"])
    #expect(try Self.members(#""mvpd":"Comcast","#) == ["mvpd"])
    #expect(try Self.members("", inToken: #""notBefore":1795176001000,"#) == ["notBefore"])
    #expect(try Self.members("", inToken: #""notAfter":1795179600000,"#) == ["notAfter"])
  }

  @Test func whatTheAuthorizationsLifeIsDoesNotMatter() throws {
    #expect(try Self.members(#""notBefore":1,"notAfter":9999999999999,"#) == [])
  }

  @Test func timesMayDifferWithinTheSecondThatIsSigned() throws {
    #expect(try Self.members("", inToken: #""notBefore":1795176000999,"notAfter":1795176300999,"#) == [])
    #expect(try Self.members("", inToken: #""notBefore":1795175999999,"#) == ["notBefore"])
    #expect(try Self.members("", inToken: #""notAfter":1795176301000,"#) == ["notAfter"])
  }

  @Test func aProxiedProviderIsTheOneOrTheOther() throws {
    #expect(try Self.members(#""mvpd":"Cablevision","#, proxy: "Proxied") == [])
    #expect(try Self.members(#""mvpd":"Proxied","#, proxy: "Proxied") == [])
    let differences = try Self.differences(#""mvpd":"Other","#, proxy: "Proxied")
    #expect(differences.map(\.decision) == ["Other"])
    #expect(differences.map(\.signed) == ["Cablevision or Proxied"])
  }

  @Test func anotherTypeIsADifference() throws {
    #expect(try Self.members(#""mvpd":null,"serviceProvider":[],"#) == ["serviceProvider", "mvpd"])
    let times = #""notBefore":"1795176000000","notAfter":1795176300000.5,"#
    #expect(try Self.members("", inToken: times) == ["notBefore", "notAfter"])
  }
}
