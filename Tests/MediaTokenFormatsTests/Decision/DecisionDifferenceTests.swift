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

  private static let issued = Instant(millisecondsSinceEpoch: 1_795_176_000_000)

  /// The members that differ of a decision that says this of a token of `REF30`, `Cablevision` and five minutes.
  private static func differences(_ members: String, inToken: String = "", proxy: String? = nil) throws
    -> [DecisionDifference]
  {
    let fixture = try ExplainFixture()
    let text = try fixture.token(age: 0, at: issued, as: .base64) { token in
      (token.mvpdID, token.proxyMVPDID) = ("Cablevision", proxy)
    }
    let document = """
      {"decisions":[{"resource":"TNT","authorized":true,\(members)"token":{\(inToken)"serializedToken":"\(
        String(decoding: text, as: UTF8.self))"}}]}
      """
    guard
      case .token(let received, let decision) = try DecisionDocument(parsing: document.utf8Span.span)
        .answer(for: .anyResource)
    else { return [] }
    var watcher = Watcher()
    _ = try fixture.verifier.qualify(
      received.utf8Span.span, requestor: .anyRequestor, resource: .anyResource, at: issued, observer: &watcher
    ).leave()
    return decision.differences(from: try #require(watcher.fields), watcher.lifetime)
  }

  @Test(
    arguments: [
      // What agrees or is absent is no difference; nor is the life of the authorization, which is not the token's.
      ("", "", nil, []), (#""notBefore":1,"notAfter":9999999999999,"#, "", nil, []),
      (
        #""serviceProvider":"REF30","mvpd":"Cablevision","#,
        #""notBefore":1795176000000,"notAfter":1795176300000,"#,
        nil, []
      ),
      (#""serviceProvider":"REF31","#, "", nil, ["serviceProvider"]), (#""mvpd":"Comcast","#, "", nil, ["mvpd"]),
      ("", #""notBefore":1795176001000,"#, nil, ["notBefore"]),
      ("", #""notAfter":1795179600000,"#, nil, ["notAfter"]),
      // Within the second that is signed times may differ.
      ("", #""notBefore":1795176000999,"notAfter":1795176300999,"#, nil, []),
      ("", #""notBefore":1795175999999,"#, nil, ["notBefore"]),
      ("", #""notAfter":1795176301000,"#, nil, ["notAfter"]),
      // A proxied provider is the one or the other.
      (#""mvpd":"Cablevision","#, "", "Proxied", []), (#""mvpd":"Proxied","#, "", "Proxied", []),
      // Another type is a difference.
      (#""mvpd":null,"serviceProvider":[],"#, "", nil, ["serviceProvider", "mvpd"]),
      ("", #""notBefore":"1795176000000","notAfter":1795176300000.5,"#, nil, ["notBefore", "notAfter"]),
    ] as [(String, String, String?, [String])])
  func membersThatDifferAreNamed(members: String, inToken: String, proxy: String?, names: [String]) throws {
    #expect(try Self.differences(members, inToken: inToken, proxy: proxy).map(\.member) == names)
  }

  @Test func bothProvidersOfATokenAreShown() throws {
    let differences = try Self.differences(#""mvpd":"Other","#, proxy: "Proxied")
    #expect(differences.map(\.decision) == ["Other"])
    #expect(differences.map(\.signed) == ["Cablevision or Proxied"])
  }
}
