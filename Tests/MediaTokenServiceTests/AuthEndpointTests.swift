import MediaToken
import MediaTokenIssuer
import Testing

@testable import MediaTokenService

@Suite struct AuthEndpointTests {
  private static let headers = [
    "X-Media-Token-Verdict", "X-Media-Token-Reason", "X-Media-Token-Action", "X-Media-Token-Adobe-Code",
    "X-Media-Token-Use", "X-Media-Token-Resource", "X-Media-Token-Requestor", "X-Media-Token-Mvpd",
    "X-Media-Token-Proxy-Mvpd", "X-Media-Token-Issue-Time", "X-Media-Token-Identity",
    "X-Media-Token-Handover",
  ]
  private static let routes = #"""
    "routes": [{"prefix": "/live", "requestor": "REF30", "resource": "TNT"}, {"prefix": "/live/free", "unprotected": true}]
    """#

  private static let get = ("X-Original-Method", "GET")

  private func service(_ auth: String) throws -> ServiceFixture {
    try ServiceFixture(ServiceFixture.json("\"auth\": {\(auth)}"))
  }

  private func headerService() throws -> ServiceFixture {
    try service(#""tokenHeader": "X-Token", "# + Self.routes)
  }

  private func uriService(_ more: String = "") throws -> ServiceFixture {
    try service(
      #""uriHeader": "X-Original-URI", "methodHeader": "X-Original-Method", "queryParameter": "token", "# + more
        + Self.routes)
  }

  @Test func validTokenIs200WithTheWholeSet() throws {
    let service = try headerService()
    let token = try ServiceFixture.text(form: .raw)
    let answer = service.ask("GET", "/v1/auth/live/one", [("x-token", token)])
    #expect(answer.status == 200)
    for name in Self.headers { #expect(answer.header(name) != nil, "\(name)") }
    #expect(answer.header("X-Media-Token-Verdict") == "VALID_TOKEN")
    #expect(answer.header("X-Media-Token-Resource") == "TNT")
    #expect(answer.header("X-Media-Token-Action") == "none")
    #expect(answer.header("X-Media-Token-Adobe-Code") == "VALID_TOKEN")
    #expect(answer.header("X-Media-Token-Proxy-Mvpd") == "-")
    #expect(answer.header("X-Media-Token-Handover") == "-")
    #expect(answer.body.isEmpty)
    let again = service.ask("GET", "/v1/auth/live/one", [("x-token", token)])
    #expect(again.status == 403)
    #expect(again.header("X-Media-Token-Reason") == "already-used")
    #expect(again.header("X-Media-Token-Action") == "new-token")
    #expect(again.header("X-Media-Token-Adobe-Code") == "TOKEN_EXPIRED")
    #expect(again.header("X-Media-Token-Resource") == "-")
  }

  @Test(arguments: ["Bearer ", "bearer ", "BEARER   "]) func bearerTokenIsWithoutItsScheme(scheme: String) throws {
    let service = try service(#""tokenHeader": "Authorization", "# + Self.routes)
    let token = try ServiceFixture.text(form: .base64)
    let answer = service.ask("GET", "/v1/auth/live/one", [("authorization", scheme + token)])
    #expect(answer.status == 200)
    let again = service.ask("GET", "/v1/auth/live/one", [("authorization", "Bearer " + token)])
    #expect(again.header("X-Media-Token-Reason") == "already-used")
  }

  @Test(arguments: [
    "Basic TOKEN", "TOKEN", "Bearer", "Bearer ", "Bearer\tTOKEN", "BearerTOKEN", "Bearers TOKEN",
    "Digest Bearer TOKEN",
  ])
  func anotherCredentialIsNoToken(text: String) throws {
    let service = try service(#""tokenHeader": "Authorization", "# + Self.routes)
    let token = try ServiceFixture.text(form: .base64)
    let value = text.replacing("TOKEN", with: token)
    let answer = service.ask("GET", "/v1/auth/live/one", [("authorization", value)])
    #expect(answer.status == 401)
    #expect(answer.header("WWW-Authenticate") == "Bearer")
    #expect(answer.header("X-Media-Token-Reason") == "no-token")
    let both = service.ask(
      "GET", "/v1/auth/live/one", [("authorization", value), ("authorization", "Bearer " + token)])
    #expect(both.status == 403)
    #expect(service.ask("GET", "/v1/auth/live/one", [("authorization", "Bearer " + token)]).status == 200)
  }

  @Test func schemeIsNotTakenOffInAnotherHeader() throws {
    let token = "Bearer " + (try ServiceFixture.text(form: .base64))
    let answer = try headerService().ask("GET", "/v1/auth/live/one", [("x-token", token)])
    #expect(answer.status == 403)
  }

  @Test func valuesArePercentEncoded() throws {
    let service = try ServiceFixture(
      ServiceFixture.json(#""auth": {"tokenHeader": "X-Token", "resourceHeader": "X-Resource"}"#))
    let resource = "a b/ü%\r\nSet-Cookie: x"
    let token = try ServiceFixture.token(form: .base64) { token in
      token.resourceID = "a b/ü% x"
      token.mvpdID = "-"
    }
    let text = String(decoding: token, as: UTF8.self)
    let answer = service.ask("GET", "/v1/auth", [("X-Token", text), ("X-Resource", "a b/ü% x")])
    #expect(answer.header("X-Media-Token-Resource") == "a%20b%2F%C3%BC%25%20x")
    #expect(answer.header("X-Media-Token-Mvpd") == "%2D")
    #expect(service.ask("GET", "/v1/auth", [("X-Token", text), ("X-Resource", resource)]).status == 403)
  }

  @Test func noTokenIs401AndSaysHow() throws {
    let service = try headerService()
    for fields in [[], [("X-Token", "")], [("X-Other", "x")]] {
      let answer = service.ask("GET", "/v1/auth/live/one", fields)
      #expect(answer.status == 401)
      #expect(answer.header("WWW-Authenticate") == "MediaToken")
      for name in Self.headers { #expect(answer.header(name) != nil) }
    }
  }

  @Test func twoTokensAreRefusedAndNeitherIsSpent() throws {
    let service = try service(
      #""tokenHeader": "X-Token", "uriHeader": "X-Original-URI", "methodHeader": "X-Original-Method", "queryParameter": "token", "#
        + Self.routes)
    let token = try ServiceFixture.text(form: .percent)
    let uri = "/live/one?a=b&token=" + token
    #expect(service.ask("GET", "/v1/auth", [Self.get, ("X-Original-URI", uri), ("X-Token", token)]).status == 403)
    #expect(service.ask("GET", "/v1/auth", [Self.get, ("X-Original-URI", uri + "&token=" + token)]).status == 403)
    #expect(
      service.ask("GET", "/v1/auth", [Self.get, ("X-Original-URI", uri + "&%74oken=" + token)]).status == 403)
    let twice = [Self.get, ("X-Original-URI", "/live/one"), ("X-Token", token), ("x-token", token)]
    #expect(service.ask("GET", "/v1/auth", twice).status == 403)
    #expect(
      service.ask("GET", "/v1/auth", [Self.get, ("X-Original-URI", uri), ("x-original-uri", uri)]).status == 403)
    #expect(service.ask("GET", "/v1/auth", [Self.get, ("X-Forwarded-Uri", uri)]).status == 403)
    #expect(service.ask("GET", "/v1/auth", [Self.get, ("X-Original-URI", uri)]).status == 200)
  }

  /// How nginx joins two headers of one name. A comma inside a token is the token's own.
  @Test(arguments: [DevelopmentTokenIssuer.Form.raw, .base64, .percent], [", ", ",", ",\t "])
  func twoTokensThatAProxyJoinedAreRefused(form: DevelopmentTokenIssuer.Form, comma: String) throws {
    let service = try ServiceFixture(
      ServiceFixture.json(#""auth": {"tokenHeader": "X-Token", "resourceHeader": "X-Resource"}"#))
    let resource = "News, Weather,%3C"
    func ask(_ token: String) -> Answered {
      service.ask("GET", "/v1/auth", [("X-Token", token), ("X-Resource", resource)])
    }
    let tokens = try (0..<2).map { _ in
      String(decoding: try ServiceFixture.token(resource: resource, form: form), as: UTF8.self)
    }
    for joined in [tokens[0] + comma + tokens[1], tokens[0] + comma + tokens[0], comma + tokens[0]] {
      let answer = ask(joined)
      #expect(answer.status == 403)
      #expect(answer.has("error", "ambiguous"), "\(answer.body)")
    }
    for token in tokens { #expect(ask(token).status == 200) }
  }

  @Test(arguments: [
    "/live/../admin", "/live/%2e%2e/admin", "/live/.%2E/admin", "/live//one", "/live%2fone", "/live%5cone",
    "/live\\one",
    "/./live", "/live/.", "/live/..", "live", "", "//live", "/live/%00", "/live/%0a", "/live/%zz", "/live/%4",
    "/live/..;x/y",
    "http://host/live", "/live/\u{7F}", "/live#x",
  ])
  func pathsWithTwoReadingsAre403(path: String) throws {
    let service = try uriService()
    let token = try ServiceFixture.text()
    let answer = service.ask("GET", "/v1/auth", [Self.get, ("X-Original-URI", path + "?token=" + token)])
    #expect(answer.status == 403, "\(answer.body)")
    #expect(answer.has("error", "path-refused"))
    #expect(service.ask("GET", "/v1/auth", [Self.get, ("X-Original-URI", "/live?token=" + token)]).status == 200)
  }

  @Test func routesMatchWholeSegmentsAndTheLongestWins() throws {
    let service = try uriService()
    func status(_ uri: String) -> Int {
      service.ask("GET", "/v1/auth", [Self.get, ("X-Original-URI", uri)]).status
    }
    #expect(status("/live/free/x") == 200)
    #expect(status("/live/free") == 200)
    #expect(status("/live/freedom") == 401)
    #expect(status("/l%69ve/one") == 401)
    #expect(status("/liveness") == 403)
    #expect(status("/") == 403)
  }

  @Test func viewersHeadersAreIgnoredUnlessNamed() throws {
    let service = try headerService()
    let token = try ServiceFixture.text(form: .raw)
    let fields = [
      ("X-Token", token), ("X-Resource", "Other"), ("X-Original-URI", "/live/free"), ("X-Forwarded-Uri", "/x"),
    ]
    #expect(service.ask("GET", "/v1/auth/live/one", fields).status == 200)
  }

  @Test func observingLetsEverythingThroughAndSaysSo() throws {
    let service = try service(#""tokenHeader": "X-Token", "observe": true, "# + Self.routes)
    let verdicts = [
      ("/v1/auth/live/one", "garbage", "403"), ("/v1/auth/live/one", "", "401"),
      ("/v1/auth/x/../y", "garbage", "403"),
      ("/v1/auth/elsewhere", "garbage", "403"),
    ]
    for (target, token, wouldBe) in verdicts {
      let answer = service.ask("GET", target, [("X-Token", token)])
      #expect(answer.status == 200)
      #expect(answer.header("X-Media-Token-Observe") == wouldBe)
    }
    #expect(service.ask("GET", "/metrics").body.contains("mediatoken_observe_mode 1\n"))
    #expect(service.verify(Array("garbage".utf8)).status == 403)
  }

  @Test func tooLongAResourceIs503AndNotSpent() throws {
    let service = try ServiceFixture(
      ServiceFixture.json(#""auth": {"tokenHeader": "X-Token", "resourceHeader": "X-Resource"}"#))
    let long = String(repeating: "r", count: AuthHeaderLimits.names)
    let token = try ServiceFixture.token(resource: long)
    let text = String(decoding: token, as: UTF8.self)
    #expect(service.ask("GET", "/v1/auth", [("X-Token", text), ("X-Resource", long)]).status == 503)
    let direct = service.ask(
      "POST", "/v1/verify?requestor=REF30&resource=" + long, [], token)
    #expect(direct.status == 200)
  }

  @Test func offUnlessConfigured() throws {
    let service = try ServiceFixture()
    #expect(service.ask("GET", "/v1/auth").status == 404)
  }
}
