import MediaToken
import MediaTokenIssuer
import MediaTokenSystem
import Testing

@testable import MediaTokenHTTP
@testable import MediaTokenHandover
@testable import MediaTokenService

/// A used token brings a credential, and nothing else does.
@Suite struct HandoverTests {
  private let keys: HandoverFixture

  init() throws { keys = try HandoverFixture() }

  private func service(
    _ format: HandoverFormat, _ more: String = "", tenants: String = #"[{"requestor": "REF30"}]"#,
    _ other: String = ""
  ) throws -> ServiceFixture {
    try ServiceFixture(
      ServiceFixture.json(
        tenants: tenants, try keys.auth(format, more) + #", "log": {"verdicts": "all"}"# + other))
  }

  private func ask(
    _ service: ServiceFixture, _ token: String?, _ method: String = "GET", _ path: String = "/live/one",
    id: String? = nil
  ) -> Answered {
    let fields = [token.map { ("X-Token", $0) }, id.map { ("X-Request-ID", $0) }].compactMap(\.self)
    return service.ask(method, "/v1/auth" + path, fields)
  }

  private func cookies(_ answer: Answered) -> [String] {
    answer.headers.filter { $0.name == "Set-Cookie" }.map(\.value)
  }

  private func bringsNothing(_ answer: Answered) -> Bool {
    answer.header("X-Media-Token-Handover") == "-" && cookies(answer).isEmpty
  }

  @Test(arguments: HandoverFormat.allCases)
  func `a first use brings a credential as it is and as cookies, and a second one nothing`(format: HandoverFormat)
    throws
  {
    let service = try service(format)
    let token = try ServiceFixture.text()
    let answer = ask(service, token)
    #expect(answer.status == 200)
    let credential = try #require(answer.header("X-Media-Token-Handover"))
    let set = cookies(answer)
    let attributes = "; Path=/live/tnt/; Max-Age=600; HttpOnly; Secure; SameSite=Lax"
    #expect(set.allSatisfy { $0.hasSuffix(attributes) })
    let pairs = set.map { String($0.dropLast(attributes.utf8.count)) }
    switch format {
    case .nginxSecureLink:
      #expect(credential == pairs.map { $0.dropFirst("mt_".utf8.count) }.joined(separator: "&"))
    case .cloudFrontCookie: #expect(credential == pairs.joined(separator: "; ") && pairs.count == 4)
    case .akamaiEdgeAuth: #expect(pairs == ["hdnts=" + credential])
    case .commonAccessToken: #expect(pairs == ["CTA-Common-Access-Token=" + credential])
    case .jwtHS256, .jwtES256: #expect(pairs == ["mt_jwt=" + credential])
    }
    #expect(credential.utf8.count > 40)
    let again = ask(service, token)
    #expect(again.status == 403 && bringsNothing(again))
    #expect(service.ask("GET", "/metrics").body.contains("mediatoken_handovers_total 1\n"))
    let logged = service.logged()
    #expect(logged.contains(#""use":"first""#))
    for value in pairs.compactMap({ $0.split(separator: "=", maxSplits: 1).last }) where value.utf8.count > 8 {
      #expect(!logged.contains(value))
    }
  }

  @Test func `it is minted with the route's key for the second of the verdict`() throws {
    let service = try service(.akamaiEdgeAuth)
    let earliest = Instant.now.millisecondsSinceEpoch / 1000
    let credential = try #require(ask(service, try ServiceFixture.text()).header("X-Media-Token-Handover"))
    let latest = Instant.now.millisecondsSinceEpoch / 1000
    let issued = try #require(
      credential.split(separator: "~").first.flatMap { Int64($0.dropFirst("st=".utf8.count)) })
    #expect((earliest...latest).contains(issued))
    let minter = try HandoverMinter(
      HandoverTerms(format: .akamaiEdgeAuth, path: "/live/tnt/", lifeSeconds: 600),
      keyFile: keys.key(for: .akamaiEdgeAuth))
    #expect(try minter.credential(at: Instant(millisecondsSinceEpoch: issued * 1000)).text == credential)
  }

  @Test(arguments: [
    (#""secure": false, "sameSite": "Strict", "domain": "example.com""#, "SameSite=Strict; Domain=example.com"),
    (#""sameSite": "None", "partitioned": true"#, "Secure; SameSite=None; Partitioned"),
  ])
  func `cookies are set as the route says`(settings: String, attributes: String) throws {
    let set = cookies(ask(try service(.jwtHS256, "\"cookie\": {\(settings)}"), try ServiceFixture.text()))
    #expect(set.count == 1)
    #expect(set[0].hasSuffix("; Path=/live/tnt/; Max-Age=600; HttpOnly; " + attributes))
  }

  @Test func `what plays nothing brings nothing, and leaves the token as it was`() throws {
    let service = try service(.jwtHS256)
    let token = try ServiceFixture.text()
    let head = ask(service, token, "HEAD")
    #expect(head.status == 204 && bringsNothing(head))
    #expect(bringsNothing(ask(service, token, "OPTIONS")))
    #expect(bringsNothing(ask(service, nil)))
    #expect(bringsNothing(ask(service, "garbage")))
    #expect(bringsNothing(ask(service, token, "GET", "/elsewhere")))
    let other = String(decoding: try ServiceFixture.token(resource: "TBS", form: .percent), as: UTF8.self)
    #expect(bringsNothing(ask(service, other)))
    let played = ask(service, token)
    #expect(played.header("X-Media-Token-Use") == "first" && !bringsNothing(played))
    // A route without a hand-over brings none, and no other route's.
    let plain = ask(service, try ServiceFixture.text(), "GET", "/vod/one")
    #expect(plain.status == 200 && bringsNothing(plain))
    service.table.retire()
    let fault = ask(service, try ServiceFixture.text())
    #expect(fault.status == 503 && bringsNothing(fault))
  }

  @Test func `a retry brings another one`() throws {
    let service = try ServiceFixture(
      """
      {"socket": {"path": "/run/test.sock"}, "keys": ["/etc/test"], "requestIDHeader": "X-Request-ID",
       "replay": {"address": "shared:/test", "retryWindowMilliseconds": 60000}, "tenants": [{"requestor": "REF30"}],
       \(try keys.auth(.jwtES256))}
      """)
    let token = try ServiceFixture.text()
    let (first, second) = (ask(service, token, id: "one"), ask(service, token, id: "one"))
    #expect(second.header("X-Media-Token-Use") == "retry")
    let credentials = [first, second].compactMap { $0.header("X-Media-Token-Handover") }
    #expect(credentials.count == 2 && credentials[0] != credentials[1] && !credentials.contains("-"))
    #expect(bringsNothing(ask(service, token, id: "two")))
  }

  @Test func `a tenant hands over to back ends, and to none of the others`() throws {
    let handover = try keys.member(.jwtHS256, path: "/tenant/")
    let service = try service(
      .nginxSecureLink, tenants: #"[{"requestor": "REF30", \#(handover)}, {"requestor": "B"}]"#)
    let token = try ServiceFixture.token()
    let answer = service.verify(token)
    #expect(answer.status == 200)
    let rest = try #require(answer.body.split(separator: #""retry":false,"handover":""#, maxSplits: 1).last)
    let credential = rest.prefix { $0 != "\"" }
    #expect(credential.split(separator: ".").count == 3)
    #expect(answer.headers.allSatisfy { $0.name != "Set-Cookie" })
    #expect(!service.verify(token).body.contains("handover"))
    #expect(!service.logged().contains(credential))
    let other = service.verify(try ServiceFixture.token(requestor: "B"), "requestor=B&resource=TNT")
    #expect(other.status == 200 && !other.body.contains("handover"))
    // A proxy gets what its route says.
    let routed = ask(service, try ServiceFixture.text())
    #expect(routed.header("X-Media-Token-Handover")?.hasPrefix("md5=") == true)
    #expect(ask(service, try ServiceFixture.text(), "GET", "/vod/one").header("X-Media-Token-Handover") == "-")
  }

  @Test func `names have the room that the credential leaves, and the head fits`() throws {
    let service = try service(.cloudFrontCookie)
    let taken = try #require(service.handler.state.auth?.route(to: Array("/live/one".utf8)).handover?.headBytes)
    #expect(taken > 1000)
    // REF30, TNT and the hyphen of an absent provider take nine bytes of the room.
    let room = AuthHeaderLimits.names - taken - 9
    func token(_ length: Int) throws -> String {
      let token = try ServiceFixture.token(form: .base64) { $0.mvpdID = String(repeating: "m", count: length) }
      return String(decoding: token, as: UTF8.self)
    }
    let tooLong = try token(room + 1)
    for method in ["GET", "HEAD"] {
      let answer = ask(service, tooLong, method)
      #expect(answer.status == 503 && bringsNothing(answer))
      #expect(answer.header("X-Media-Token-Reason") == "header-too-long")
    }
    let elsewhere = ask(service, tooLong, "GET", "/vod/one")
    #expect(elsewhere.header("X-Media-Token-Use") == "first", "it was not spent, and another route has the room")
    let longest = ask(service, try token(room))
    #expect(longest.status == 200 && !bringsNothing(longest))
    var head: [UInt8] = []
    #expect(ResponseHead.append(longest.response, isForHEAD: false, saysKeepAlive: true, to: &head))
    #expect(head.count < 4096 && head.count > AuthHeaderLimits.names)
  }

  @Test func `routes that differ in what they hand over are not taken for each other`() throws {
    let handover = try keys.member(.jwtHS256)
    let routes =
      #"{"prefix": "/", "requestor": "REF30", "resource": "TNT"}, {"prefix": "/live", "requestor": "REF30", "resource": "TNT", \#(handover)}"#
    let service = try ServiceFixture(
      ServiceFixture.json(#""auth": {"tokenHeader": "X-Token", "routes": [\#(routes)]}"#))
    let token = try ServiceFixture.text()
    #expect(ask(service, token, "GET", "/LIVE/one").header("X-Media-Token-Reason") == "ambiguous")
    #expect(!bringsNothing(ask(service, token, "GET", "/live/one")))
  }

  // MARK: where the replay memory answers later

  @Test func `a token that waited is exchanged at the instant of its claim`() throws {
    let handover = try keys.member(.akamaiEdgeAuth)
    let fixture = try LaterFixture(ServiceFixture.json(tenants: #"[{"requestor": "REF30", \#(handover)}]"#))
    let client = try fixture.connect()
    client.verify(try ServiceFixture.token())
    let claim = fixture.memory.wait(forClaims: 1)[0].claim
    fixture.memory.answer(0, .success(.firstUse))
    let body = try #require(client.answer()).body
    let second = claim.now.millisecondsSinceEpoch / 1000
    #expect(body.contains(#""handover":"st=\#(second)~exp=\#(second + 600)~"#))
    client.verify(try ServiceFixture.token())
    fixture.memory.answer(1, .success(.alreadyUsed))
    #expect(try !#require(client.answer()).body.contains("handover"))
  }

  @Test func `a proxy that waited gets its route's`() throws {
    let fixture = try LaterFixture(ServiceFixture.json(try keys.auth(.nginxSecureLink)))
    let client = try fixture.connect()
    client.get("/v1/auth/live/one", LaterFixture.header(try ServiceFixture.token()))
    _ = fixture.memory.wait(forClaims: 1)
    fixture.memory.answer(0, .success(.firstUse))
    let head = try #require(client.answer()).head
    #expect(head.contains("X-Media-Token-Handover: md5=") && head.contains("Set-Cookie: mt_expires="))
  }

  /// Represents every failure to mint after the token is used up: nothing of it is passed on, and nothing plays.
  @Test func `if minting fails there is no verdict`() throws {
    let fixture = try LaterFixture(ServiceFixture.json(try keys.auth(.jwtHS256)))
    fixture.memory.script.change { $0.atOnce = { _ in .success(.notEnforced) } }
    let client = try fixture.connect()
    // As of before it, a fault is recent however long all this takes.
    let time = MonotonicTime.now
    client.get("/v1/auth/live/one", LaterFixture.header(try ServiceFixture.token()))
    let answer = try #require(client.answer())
    #expect(answer.status == 503 && answer.body.contains(#""fault":"INTERNAL_FAULT""#))
    #expect(answer.body.contains(#""action":"retry""#))
    #expect(answer.head.contains("X-Media-Token-Handover: -") && !answer.head.contains("Set-Cookie"))
    #expect(answer.head.contains("X-Media-Token-Verdict: -"))
    #expect(fixture.count(.undecided(.internalFault)) == 1)
    #expect(fixture.count(.valid) == 0 && fixture.count(.handovers) == 0)
    #expect(fixture.logged().contains(#""fault":"INTERNAL_FAULT""#))
    #expect(fixture.service.readiness.problem(fixture.current.latest, at: .now, time) != nil)
  }
}
