import MediaToken
import MediaTokenIssuer
import Testing

@testable import MediaTokenHTTP
@testable import MediaTokenService

/// Only what plays may spend: the viewer's method decides.
@Suite struct AuthMethodTests {
  private static let routes = #"""
    "routes": [
      {"prefix": "/live", "requestor": "REF30", "resource": "TNT"},
      {"prefix": "/post", "requestor": "REF30", "resource": "TNT", "methods": ["GET", "POST", "OPTIONS"]},
      {"prefix": "/free", "unprotected": true},
      {"prefix": "/free/form", "unprotected": true, "methods": ["POST"]}]
    """#

  /// A proxy that asks by GET and says the viewer's method in a header.
  private func behindProxy() throws -> ServiceFixture {
    let auth =
      #""uriHeader": "X-Original-URI", "methodHeader": "X-Original-Method", "tokenHeader": "X-Token", "#
      + Self.routes
    return try ServiceFixture(ServiceFixture.json("\"auth\": {\(auth)}"))
  }

  /// A proxy that asks by the viewer's own method.
  private func behindForwarder() throws -> ServiceFixture {
    try ServiceFixture(ServiceFixture.json("\"auth\": {\"tokenHeader\": \"X-Token\", \(Self.routes)}"))
  }

  private func ask(
    _ service: ServiceFixture, _ method: String?, _ path: String, token: String? = nil
  ) -> Answered {
    var fields = [("X-Original-URI", path)]
    if let method { fields.append(("X-Original-Method", method)) }
    if let token { fields.append(("X-Token", token)) }
    return service.ask("GET", "/v1/auth", fields)
  }

  private func vouchesFor(_ answer: Answered) -> Bool { (200...299).contains(answer.status) }

  @Test func headIsVerifiedAndSpendsNothing() throws {
    let service = try behindProxy()
    let token = try ServiceFixture.text(form: .base64)
    for _ in 0..<3 {
      let answer = ask(service, "HEAD", "/live/one", token: token)
      #expect(answer.status == 204)
      #expect(answer.body.isEmpty)
      #expect(answer.header("X-Media-Token-Use") == "not-spent")
      #expect(answer.header("X-Media-Token-Verdict") == "-")
      #expect(answer.header("X-Media-Token-Reason") == "-")
      #expect(answer.header("X-Media-Token-Identity")?.utf8.count == 64)
      #expect(answer.header("Cache-Control") == "no-store")
    }
    let played = ask(service, "GET", "/live/one", token: token)
    #expect(played.status == 200)
    #expect(played.header("X-Media-Token-Use") == "first")
    #expect(played.header("Cache-Control") == "no-store")
    #expect(ask(service, "GET", "/live/one", token: token).status == 403)
  }

  @Test func headIsRefusedAsGetIs() throws {
    let service = try behindProxy()
    let other = String(decoding: try ServiceFixture.token(resource: "TBS", form: .base64), as: UTF8.self)
    let old = String(decoding: try ServiceFixture.token(form: .base64, age: 86_400_000), as: UTF8.self)
    for (token, reason) in [(other, "other-resource"), (old, "expired"), ("garbage", "unknown-form")] {
      let answer = ask(service, "HEAD", "/live/one", token: token)
      #expect(answer.status == 403)
      #expect(answer.header("X-Media-Token-Reason") == reason)
      #expect(answer.header("X-Media-Token-Use") == "-")
    }
    #expect(ask(service, "HEAD", "/live/one").status == 401)
    #expect(ask(service, "HEAD", "/elsewhere").status == 403)
  }

  @Test func headIsNotAskedOfTheReplayMemory() throws {
    let service = try behindProxy()
    let token = try ServiceFixture.text(form: .base64)
    service.table.retire()
    #expect(ask(service, "HEAD", "/live/one", token: token).status == 204)
    #expect(ask(service, "GET", "/live/one", token: token).status == 503)
  }

  @Test func optionsNeedsNoTokenSpendsNoneAndIsNotLetThrough() throws {
    let service = try behindProxy()
    let token = try ServiceFixture.text(form: .base64)
    for path in ["/live/one", "/free/one"] {
      for token in [nil, token, "garbage"] {
        let answer = ask(service, "OPTIONS", path, token: token)
        #expect(answer.status == 403)
        #expect(answer.has("error", "method-refused"))
        #expect(answer.header("X-Media-Token-Reason") == "method-refused")
      }
    }
    #expect(ask(service, "GET", "/live/one", token: token).status == 200)
  }

  @Test func optionsThatARouteListsIsLetThroughAndPlaysNothing() throws {
    let service = try behindProxy()
    let token = try ServiceFixture.text(form: .base64)
    for token in [nil, token, "garbage"] {
      let answer = ask(service, "OPTIONS", "/post/one", token: token)
      #expect(answer.status == 204)
      for name in ["Verdict", "Reason", "Use", "Identity"] {
        #expect(answer.header("X-Media-Token-" + name) == "-")
      }
    }
    #expect(ask(service, "POST", "/post/one", token: token).status == 200)
    #expect(ask(service, "POST", "/post/one", token: token).status == 403)
  }

  @Test(arguments: [
    "POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "PROPFIND", "get", "Get", "GET, HEAD", "HEAD,GET", "GET ",
    "",
    "GETT", "GE", "HEAD\u{0}", "*",
  ])
  func whatARouteDoesNotListIsRefusedAndSpendsNothing(method: String) throws {
    let service = try behindProxy()
    let token = try ServiceFixture.text(form: .base64)
    let answer = ask(service, method, "/live/one", token: token)
    #expect(answer.status == 403)
    #expect(answer.has("error", "method-refused"))
    #expect(ask(service, method, "/free/one").status == 403)
    #expect(ask(service, "GET", "/live/one", token: token).status == 200)
  }

  @Test func aRoutesListReplacesTheDefault() throws {
    let service = try behindProxy()
    let token = try ServiceFixture.text(form: .base64)
    #expect(ask(service, "HEAD", "/post/one", token: token).status == 403)
    #expect(ask(service, "GET", "/free/form", token: token).status == 403)
    #expect(ask(service, "POST", "/free/form").status == 200)
    #expect(ask(service, "GET", "/free/one").status == 200)
    #expect(ask(service, "HEAD", "/free/one").status == 200)
    #expect(ask(service, "GET", "/post/one", token: token).status == 200)
  }

  @Test func theMethodsHeaderIsThereOnce() throws {
    let service = try behindProxy()
    let token = try ServiceFixture.text(form: .base64)
    let none = ask(service, nil, "/live/one", token: token)
    #expect(none.status == 403)
    #expect(none.has("error", "ambiguous"))
    let two = [
      ("X-Original-URI", "/live/one"), ("X-Token", token), ("X-Original-Method", "GET"),
      ("x-original-method", "GET"),
    ]
    #expect(service.ask("GET", "/v1/auth", two).status == 403)
    // The header alone decides, and no other header.
    let other = [("X-Original-URI", "/live/one"), ("X-Token", token), ("X-Forwarded-Method", "HEAD")]
    #expect(service.ask("HEAD", "/v1/auth", other).status == 403)
    #expect(service.ask("HEAD", "/v1/auth", other + [("X-Original-Method", "GET")]).status == 200)
  }

  @Test func withoutAHeaderTheQuestionsOwnMethodIsTheViewers() throws {
    let service = try behindForwarder()
    let token = try ServiceFixture.text(form: .base64)
    let forged = [("X-Token", token), ("X-Original-Method", "GET"), ("X-Forwarded-Method", "GET")]
    #expect(service.ask("OPTIONS", "/v1/auth/live/one", forged).status == 403)
    #expect(service.ask("PURGE", "/v1/auth/live/one", forged).status == 403)
    #expect(service.ask("HEAD", "/v1/auth/live/one", forged).status == 204)
    let hidden = [("X-Token", token), ("X-Original-Method", "HEAD")]
    #expect(service.ask("GET", "/v1/auth/live/one", hidden).status == 200)
    #expect(service.ask("GET", "/v1/auth/live/one", hidden).status == 403)
  }

  @Test func withoutRoutesGetAndHeadAreLetThrough() throws {
    let auth = #""auth": {"tokenHeader": "X-Token", "resourceHeader": "X-Resource"}"#
    let service = try ServiceFixture(ServiceFixture.json(auth))
    let fields = [("X-Token", try ServiceFixture.text(form: .base64)), ("X-Resource", "TNT")]
    for (method, status) in [("POST", 403), ("OPTIONS", 403), ("HEAD", 204), ("GET", 200), ("GET", 403)] {
      #expect(service.ask(method, "/v1/auth/one", fields).status == status)
    }
  }

  @Test func whatWasNotSpentIsNoVerdictInMetricsAndLog() throws {
    let json = ServiceFixture.json(
      #""log": {"verdicts": "all"}, "auth": {"tokenHeader": "X-Token", "# + Self.routes + "}")
    let service = try ServiceFixture(json)
    let token = try ServiceFixture.text(form: .base64)
    #expect(service.ask("HEAD", "/v1/auth/live/one", [("X-Token", token)]).status == 204)
    let line = service.logged()
    #expect(line.contains(#""use":"not-spent""#))
    #expect(line.contains(#""token":""#))
    #expect(!line.contains("verdict\":\""))
    let metrics = service.ask("GET", "/metrics").body
    #expect(metrics.contains("mediatoken_not_spent_total 1\n"))
    #expect(metrics.contains("mediatoken_verdicts_total{verdict=\"VALID_TOKEN\",reason=\"none\"} 0\n"))
    #expect(metrics.contains("mediatoken_http_responses_total{code=\"204\"} 1\n"))
  }

  /// REF30, TNT and the hyphen of an absent provider take nine bytes of the room.
  @Test func aTokenThatFitsNoHeaderIsRefusedBeforeItIsSpent() throws {
    let service = try behindForwarder()
    let fits = String(repeating: "m", count: AuthHeaderLimits.names - 9)
    let half = String(repeating: "m", count: AuthHeaderLimits.names / 2 - 4)
    let changes: [(inout DevelopmentToken) -> Void] = [
      { $0.mvpdID = fits + "m" }, { ($0.mvpdID, $0.proxyMVPDID) = (half, half + "m") },
      // Three bytes in a header for each of the text's.
      { $0.mvpdID = String(repeating: " ", count: AuthHeaderLimits.names / 3) },
    ]
    for change in changes {
      let token = try ServiceFixture.token(form: .base64, change)
      let field = [("X-Token", String(decoding: token, as: UTF8.self))]
      for method in ["GET", "HEAD"] {
        let answer = service.ask(method, "/v1/auth/live/one", field)
        #expect(answer.status == 503)
        #expect(answer.header("X-Media-Token-Reason") == "header-too-long")
        #expect(answer.header("X-Media-Token-Mvpd") == "-")
      }
      #expect(service.verify(token).status == 200)
    }
    for (mvpd, proxy) in [(fits, nil), (half, half)] {
      let longest = try ServiceFixture.token(form: .base64) { ($0.mvpdID, $0.proxyMVPDID) = (mvpd, proxy) }
      let answer = service.ask("GET", "/v1/auth/live/one", [("X-Token", String(decoding: longest, as: UTF8.self))])
      #expect(answer.status == 200)
      #expect(answer.header("X-Media-Token-Mvpd") == mvpd)
      // What nginx has room for by default.
      var head: [UInt8] = []
      #expect(ResponseHead.append(answer.response, isForHEAD: false, saysKeepAlive: true, to: &head))
      #expect(head.count < 4096 && head.count > AuthHeaderLimits.names)
    }
  }
}
