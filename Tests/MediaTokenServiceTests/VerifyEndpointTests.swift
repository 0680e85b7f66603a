import MediaToken
import MediaTokenIssuer
import MediaTokenSystem
import Testing

@testable import MediaTokenService

@Suite struct VerifyEndpointTests {
  @Test func validTokenIs200AndSaysEverything() throws {
    let service = try ServiceFixture()
    let answer = service.verify(try ServiceFixture.token())
    #expect(answer.status == 200)
    #expect(answer.has("verdict", "VALID_TOKEN"))
    for name in [
      "number", "identity", "requestorID", "resourceID", "mvpdId", "sessionGUID", "issueTime", "ttl",
      "ttlMilliseconds", "expiresAt",
      "keyFingerprint", "unknownFields", "use", "retry", "requestID",
    ] { #expect(answer.body.contains("\"\(name)\":"), "\(name)") }
    #expect(answer.has("sessionGUID", ServiceFixture.guid))
    #expect(answer.body.hasSuffix("}\n"))
  }

  /// Case 109: tenants and their resources are found by bytes, and nothing is spent on a spelling that only looks right.
  @Test func spellingsThatLookAlikeAreOtherTenantsAndResources() throws {
    let (composed, decomposed) = ("Caf%C3%A9", "Cafe%CC%81")
    let (one, other) = ("Caf\u{E9}", "Cafe\u{301}")
    let service = try ServiceFixture(
      ServiceFixture.json(tenants: "[{\"requestor\": \"\(one)\", \"resources\": [\"\(other)\"]}]"))
    let token = try ServiceFixture.token(requestor: one, resource: other)
    #expect(
      service.verify(token, "requestor=\(decomposed)&resource=\(decomposed)").has("verdict", "INVALID_REQUESTOR_ID")
    )
    #expect(
      service.verify(token, "requestor=\(composed)&resource=\(composed)").has("verdict", "INVALID_RESOURCE_ID"))
    let foreign = try ServiceFixture.token(requestor: other, resource: other)
    #expect(
      service.verify(foreign, "requestor=\(composed)&resource=\(decomposed)").has("verdict", "INVALID_REQUESTOR_ID")
    )
    #expect(service.verify(token, "requestor=\(composed)&resource=\(decomposed)").status == 200)
  }

  @Test func sameTokenAgainIs403() throws {
    let service = try ServiceFixture()
    let token = try ServiceFixture.token()
    #expect(service.verify(token).status == 200)
    let again = service.verify(token)
    #expect(again.status == 403)
    #expect(again.has("verdict", "TOKEN_REPLAYED"))
    #expect(again.has("reason", "already-used"))
  }

  @Test(arguments: DevelopmentTokenIssuer.Form.allCases)
  func everyFormIsReadFromEveryBody(form: DevelopmentTokenIssuer.Form) throws {
    let service = try ServiceFixture()
    let bare = try ServiceFixture.token(form: form)
    #expect(service.verify(bare).status == 200)
    let typed = try ServiceFixture.token(form: form)
    let plain = [("Content-Type", "Text/Plain ; charset=utf-8")]
    #expect(service.verify(typed, "requestor=REF30&resource=TNT", plain).status == 200)

    // A token has nothing in it that JSON would escape.
    let inJSON = String(decoding: try ServiceFixture.token(form: form), as: UTF8.self)
    let object = "{\"token\":\"" + inJSON + "\",\"requestor\":\"REF30\",\"resource\":\"TNT\"}"
    let json = service.ask("POST", "/v1/verify", [("Content-Type", "application/json")], Array(object.utf8))
    #expect(json.status == 200, "\(json.body)")

    var escaped: [UInt8] = []
    let inFormBody = try ServiceFixture.token(form: form)
    escaped.appendPercentEncoding(of: inFormBody.span)
    let body = Array("requestor=REF30&resource=TNT&token=".utf8) + escaped
    let inForm = service.ask("POST", "/v1/verify", [("content-type", "application/x-www-form-urlencoded")], body)
    #expect(inForm.status == 200, "\(inForm.body)")
  }

  @Test(arguments: [
    ("requestor=REF30&resource=TNT&x=1", "none of"), ("requestor=REF30&&resource=TNT", "none of"),
    ("token=x&requestor=REF30&resource=TNT", "none of"), ("Requestor=REF30&resource=TNT", "none of"),
    ("requestor=REF30&requestor=REF30&resource=TNT", "requestor is given twice"),
    ("requestor=&resource=TNT", "requestor is empty"), ("requestor=REF30&resource", "resource is empty"),
    ("requestor=REF30&resource=TNT&resourceChannel=TNT", "more than one resource"),
    ("requestor=REF30&resource=%zz", "two hexadecimal digits"),
    ("requestor=REF30&resource=%4", "two hexadecimal digits"),
    ("requestor=REF30&resource=%ff", "UTF-8"), ("requestor=REF30", "resource is missing"),
  ])
  func brokenParametersAre400AndSpendNothing(query: String, detail: String) throws {
    let service = try ServiceFixture()
    let token = try ServiceFixture.token()
    let answer = service.verify(token, query)
    #expect(answer.status == 400)
    #expect(answer.has("error", "bad-parameter") && answer.body.contains(detail), "\(answer.body)")
    #expect(service.verify(token).status == 200)
  }

  @Test(arguments: [
    #"{"token":"x","token":"y"}"#, #"{"token":1}"#, #"{"requestor":"REF30"}"#, #"{"token":"x","more":"y"}"#, "[]",
    "",
    #"{"token":"x"} "x""#, #"{"token":""}"#, #"{"token":"x","requestor":"REF30"}"#,
  ])
  func brokenJSONIs400(body: String) throws {
    let service = try ServiceFixture()
    let answer = service.ask(
      "POST", "/v1/verify?requestor=REF30&resource=TNT", [("Content-Type", "application/json")], Array(body.utf8))
    #expect(answer.status == 400, "\(body): \(answer.body)")
  }

  @Test func curlsOwnContentTypeIsExplained() throws {
    let service = try ServiceFixture()
    let answer = service.verify(
      try ServiceFixture.token(), "requestor=REF30&resource=TNT",
      [("Content-Type", "application/x-www-form-urlencoded")])
    #expect(answer.status == 400)
    #expect(answer.body.contains("text/plain"))
    let other = service.verify(try ServiceFixture.token(), "requestor=REF30", [("Content-Type", "text/xml")])
    #expect(other.status == 415)
  }

  @Test func noOneIsServedWhoIsNotOnTheListAndGarbageStaysGarbage() throws {
    let service = try ServiceFixture()
    let token = try ServiceFixture.token(requestor: "OTHER")
    let query = "requestor=OTHER&resource=TNT"
    #expect(service.verify(token, query).has("reason", "unserved-requestor"))
    let ours = try ServiceFixture.token()
    let otherCase = service.verify(ours, "requestor=ref30&resource=TNT")
    #expect(otherCase.has("reason", "unserved-requestor") && otherCase.has("verdict", "INVALID_REQUESTOR_ID"))
    #expect(otherCase.has("action", "report"))
    #expect(service.verify(ours).status == 200, "the question was wrong, and the token is not used up")
    #expect(service.verify(Array("garbage".utf8), query).has("reason", "unknown-form"))
    let old = try ServiceFixture.token(requestor: "OTHER", age: 900_000)
    #expect(service.verify(old, query).has("reason", "expired"))
    var forged = token
    forged[forged.count - 20] ^= 1
    #expect(service.verify(forged, query).has("verdict", "INVALID_SIGNATURE"))
    // Asking for a wrong requestor must not burn a good token.
    let good = try ServiceFixture.token()
    #expect(service.verify(good, query).has("verdict", "INVALID_REQUESTOR_ID"))
    #expect(service.verify(good).status == 200)
  }

  @Test func listDecidesWhatTheRequestLeavesOut() throws {
    let service = try ServiceFixture(
      ServiceFixture.json(
        tenants: #"[{"requestor": "A", "resources": ["one"]}, {"requestor": "B", "resources": ["one", "two"]}]"#))
    let one = try ServiceFixture.token(requestor: "A", resource: "one")
    #expect(service.verify(one, "resource=one").status == 400)
    #expect(service.verify(one, "requestor=A").status == 200)
    #expect(service.verify(one, "requestor=B").status == 400)
    let three = try ServiceFixture.token(requestor: "B", resource: "three")
    #expect(service.verify(three, "requestor=B&resource=three").has("reason", "other-resource"))
    let two = try ServiceFixture.token(requestor: "B", resource: "two")
    #expect(service.verify(two, "requestor=B&resource=two").status == 200)
    let single = try ServiceFixture(
      ServiceFixture.json(tenants: #"[{"requestor": "REF30", "resources": ["TNT"]}]"#))
    let token = try ServiceFixture.token()
    #expect(single.verify(token, "").status == 200)
  }

  @Test func tenantsHaveTheirOwnListsAndTolerances() throws {
    let service = try ServiceFixture(
      ServiceFixture.json(
        tenants: #"""
          [{"requestor": "A", "expiryToleranceMilliseconds": 600000}, {"requestor": "B", "denyMVPDs": ["Bad"]}]
          """#))
    let late = try ServiceFixture.token(requestor: "A", age: 330_000)
    #expect(service.verify(late, "requestor=A&resource=TNT").status == 200)
    let tooLate = try ServiceFixture.token(requestor: "B", age: 330_000)
    #expect(service.verify(tooLate, "requestor=B&resource=TNT").has("reason", "expired"))
    let bad = try ServiceFixture.token(requestor: "B") { $0.mvpdID = "Bad" }
    #expect(service.verify(bad, "requestor=B&resource=TNT").has("reason", "mvpd-denied"))
    let fine = try ServiceFixture.token(requestor: "A") { $0.mvpdID = "Bad" }
    #expect(service.verify(fine, "requestor=A&resource=TNT").status == 200)
  }

  @Test(arguments: Reason.allCases)
  func noRefusalIs2xx(reason: Reason) {
    #expect(reason.verdict.answer.httpStatus == 403)
  }

  @Test(arguments: Fault.allCases)
  func noFaultIs2xx(fault: Fault) {
    #expect(fault.answer.httpStatus == 503)
  }

  @Test func retiredTableIs503AndNotReady() throws {
    let service = try ServiceFixture()
    #expect(service.ask("GET", "/readyz").status == 200)
    service.table.retire()
    let answer = service.verify(try ServiceFixture.token())
    #expect(answer.status == 503)
    #expect(answer.has("fault", "REPLAY_MEMORY_UNAVAILABLE"))
    #expect(service.ask("GET", "/readyz").status == 503)
    #expect(service.ask("GET", "/livez").status == 200)
  }

  @Test func requestIDsComeBackAndMakeRetries() throws {
    let service = try ServiceFixture(
      #"""
      {"socket": {"path": "/run/test.sock"}, "keys": ["/etc/test"], "requestIDHeader": "X-Request-ID",
       "replay": {"address": "shared:/test", "retryWindowMilliseconds": 60000}, "tenants": [{"requestor": "REF30"}]}
      """#)
    let token = try ServiceFixture.token()
    let query = "requestor=REF30&resource=TNT"
    let first = service.verify(token, query, [("x-request-id", "abc-1")])
    #expect(first.status == 200)
    #expect(first.has("requestID", "abc-1"))
    #expect(first.body.contains("\"retry\":false"))
    let again = service.verify(token, query, [("x-request-id", "abc-1")])
    #expect(again.status == 200)
    #expect(again.body.contains("\"retry\":true"))
    #expect(service.verify(token, query, [("x-request-id", "abc-2")]).status == 403)
    #expect(service.verify(token, query).status == 403)
    let elsewhere = service.ask(
      "POST", "/v1/verify?" + query, [("x-request-id", "abc-1")], token, from: .process(uid: 34, gid: 33, pid: 7))
    #expect(elsewhere.status == 403)
    // Whom the kernel does not know may be anyone.
    let unknown = try ServiceFixture.token()
    let fields = [("x-request-id", "abc-3")]
    let statuses = (0..<2).map { _ in
      service.ask("POST", "/v1/verify?" + query, fields, unknown, from: .process(uid: .max, gid: 33, pid: 7)).status
    }
    #expect(statuses == [200, 403])
    for bad in ["", "a b", "a\"b", String(repeating: "x", count: 129)] {
      #expect(service.verify(token, query, [("x-request-id", bad)]).status == 400)
    }
    #expect(service.verify(token, query, [("x-request-id", "a"), ("X-Request-ID", "a")]).status == 400)
    let plain = try ServiceFixture()
    let unnamed = plain.verify(token, query, [("x-request-id", "abc-1")])
    #expect(!unnamed.body.contains("abc-1"))
  }
}
