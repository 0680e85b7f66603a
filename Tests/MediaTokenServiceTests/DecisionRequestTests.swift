import MediaTokenIssuer
import Testing

@testable import MediaTokenService

/// A decision of Adobe's in place of a token. Every document of the table is read by DecisionCasesTests.
@Suite struct DecisionRequestTests {
  private static func ask(_ service: ServiceFixture, _ body: String, _ query: String = "") -> Answered {
    service.ask("POST", "/v1/verify" + query, [("Content-Type", "application/json")], Array(body.utf8))
  }

  private static func decision(_ token: [UInt8], resource: String = "TNT", _ more: String = "") -> String {
    let text = String(decoding: token, as: UTF8.self)
    return """
      {"decisions":[{"resource":"\(resource)","authorized":true\(more),"token":{"serializedToken":"\(text)"}}]}
      """
  }

  private static func question(_ decision: String, resource: String = "TNT") -> String {
    "{\"requestor\":\"REF30\",\"resource\":\"\(resource)\",\"decision\":\(decision)}"
  }

  @Test(arguments: DevelopmentTokenIssuer.Form.allCases)
  func tokenOfTheDecisionIsVerifiedAndSpent(form: DevelopmentTokenIssuer.Form) throws {
    let service = try ServiceFixture()
    let question = Self.question(Self.decision(try ServiceFixture.token(form: form)))
    let first = Self.ask(service, question)
    #expect(first.status == 200)
    #expect(first.has("verdict", "VALID_TOKEN"))
    #expect(Self.ask(service, question).has("verdict", "TOKEN_REPLAYED"))
  }

  @Test func onlyWhatIsSignedDecides() throws {
    let service = try ServiceFixture()
    let tbs = try ServiceFixture.token(resource: "TBS")
    // The unsigned resource chooses, and no more.
    #expect(Self.ask(service, Self.question(Self.decision(tbs))).has("reason", "other-resource"))
    let other = try ServiceFixture.token(requestor: "REF31")
    let saysOurs = Self.decision(other, resource: "TNT", #","serviceProvider":"REF30""#)
    #expect(Self.ask(service, Self.question(saysOurs)).has("reason", "other-requestor"))
    let old = try ServiceFixture.token(age: 900_000)
    let saysFresh = Self.decision(old, resource: "TNT", #","notBefore":1,"notAfter":99999999999999"#)
    #expect(Self.ask(service, Self.question(saysFresh)).has("reason", "expired"))
  }

  @Test func decisionWithoutTokenIs403AndSpendsNothing() throws {
    let service = try ServiceFixture()
    let token = try ServiceFixture.token()
    let answer = Self.ask(
      service, Self.question(Self.decision(token, resource: "TNT", #","error":{"code":"x_1","action":"retry"}"#)))
    #expect(answer.status == 403)
    #expect(answer.has("error", "no-token-in-decision"))
    #expect(answer.has("decisionError", "x_1"))
    #expect(answer.has("action", "new-token"))
    #expect(!answer.body.contains("retry"))
    #expect(service.verify(token).status == 200)
  }

  @Test func brokenDecisionIs400AndSpendsNothing() throws {
    let service = try ServiceFixture()
    let token = try ServiceFixture.token()
    let good = Self.decision(token)
    for (broken, error) in [
      (Self.question(good, resource: "TBS"), "bad-decision"),
      (Self.question(String(good.dropLast(2)) + "," + good.dropFirst(14)), "bad-decision"),
      (Self.question(String(good.dropLast()) + #","x":{"a":1,"a":1}}"#), "bad-decision"),
      (String(Self.question(good).dropLast()) + #","token":"x"}"#, "bad-body"),
      (#"{"requestor":"REF30","resource":"TNT"}"#, "bad-body"),
    ] {
      let answer = Self.ask(service, broken)
      #expect(answer.status == 400)
      #expect(answer.has("error", error), "\(answer.body)")
      #expect(!answer.body.contains("signatureInfo"))
    }
    #expect(service.verify(token).status == 200)
  }

  @Test func emptyTokenIsReceivedText() throws {
    let service = try ServiceFixture()
    let answer = Self.ask(service, Self.question(Self.decision([])))
    #expect(answer.status == 403)
    #expect(answer.has("reason", "empty"))
  }

  @Test func whatIsNotServedIsChosenByItsName() throws {
    let service = try ServiceFixture(
      ServiceFixture.json(tenants: #"[{"requestor": "REF30", "resources": ["TNT"]}]"#))
    let tbs = Self.decision(try ServiceFixture.token(resource: "TBS"), resource: "TBS")
    #expect(Self.ask(service, Self.question(tbs, resource: "TBS")).has("reason", "other-resource"))
    #expect(Self.ask(service, Self.question(tbs)).has("error", "bad-decision"))
    let two =
      "{\"decisions\":["
      + [tbs, Self.decision(try ServiceFixture.token())].map { $0.dropFirst(14).dropLast(2) }
      .joined(separator: ",") + "]}"
    #expect(Self.ask(service, Self.question(two, resource: "TBS")).has("reason", "other-resource"))
    #expect(Self.ask(service, Self.question(two)).status == 200)
    let token = try ServiceFixture.token()
    let stranger = "{\"requestor\":\"REF99\",\"decision\":\(Self.decision(token))}"
    #expect(Self.ask(service, stranger).has("reason", "unserved-requestor"))
    #expect(Self.ask(service, "{\"decision\":\(Self.decision(token))}").status == 200)
  }

  /// The choice goes by the rule that holds for the signed resource, and the signed one decides.
  @Test func documentOrChannelChoosesAndTheSignedOneDecides() throws {
    let service = try ServiceFixture()
    func document(_ channel: String) -> String {
      "<rss version='2.0'>\\n<channel><title>\(channel)</title></channel></rss>"
    }
    func asked(_ expected: String, signed: String, unsigned: String) throws -> Answered {
      let token = try ServiceFixture.token(resource: signed.replacing("\\n", with: "\n"), form: .base64)
      let others = Self.decision([], resource: "HBO").dropFirst(14).dropLast(2)
      let decisions = "{\"decisions\":[\(others),\(Self.decision(token, resource: unsigned).dropFirst(14))"
      return Self.ask(service, "{\"requestor\":\"REF30\",\(expected),\"decision\":\(decisions)}")
    }
    let tnt = #""resourceDocument":"<rss version=\"2.0\"><channel><title>TNT</title></channel></rss>""#
    let channel = #""resourceChannel":"TNT""#
    for expected in [tnt, channel] {
      #expect(try asked(expected, signed: document("TNT"), unsigned: document("TNT")).status == 200)
      #expect(
        try asked(expected, signed: document("TBS"), unsigned: document("TNT")).has("reason", "other-resource"))
      #expect(
        try asked(expected, signed: "<rss/>", unsigned: document("TNT")).has("reason", "resource-not-a-document"))
      for unsigned in [document("TBS"), "<rss/>"] {
        #expect(try asked(expected, signed: document("TNT"), unsigned: unsigned).has("error", "bad-decision"))
      }
    }
    #expect(try asked(channel, signed: "TNT", unsigned: "TNT").status == 200)
    #expect(try asked(tnt, signed: "TNT", unsigned: "TNT").has("error", "bad-decision"))
    let broken = #""resourceDocument":"TNT""#
    #expect(try asked(broken, signed: "TNT", unsigned: "TNT").has("error", "bad-parameter"))
  }
}
