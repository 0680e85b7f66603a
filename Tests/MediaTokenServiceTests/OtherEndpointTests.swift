import Glibc
import MediaToken
import MediaTokenIssuer
import MediaTokenSystem
import Testing

@testable import MediaTokenHTTP
@testable import MediaTokenService

@Suite struct OtherEndpointTests {
  @Test func unknownPathsAndMethodsAreRefused() throws {
    let service = try ServiceFixture()
    for path in ["/", "/v1", "/v1/verify/", "/v1/Verify", "/v1/verify%2D", "/v2/verify", "/v1/authx", "/metrics/"] {
      #expect(service.ask("POST", path).status == 404, "\(path)")
    }
    for path in [
      "/v1/../v1/verify", "/v1//verify", "/v1%2fverify", "/%2e/v1/verify", "/v1/verify%20", "/v1/verify;x",
      "/v1\\verify", "*", "http://h/livez",
    ] {
      #expect(service.ask("POST", path).status == 403, "\(path)")
    }
    #expect(service.ask("GET", "/v1/verify").header("Allow") == "POST")
    #expect(service.ask("GET", "/v1/verify").status == 405)
    #expect(service.ask("POST", "/livez").header("Allow") == "GET, HEAD")
    #expect(service.ask("get", "/livez").status == 405)
    #expect(service.ask("HEAD", "/livez").status == 200)
    #expect(service.ask("GET", "/livez?x=1").status == 400)
  }

  @Test func loopbackServesHealthAloneUnlessTheConfigurationSaysMore() throws {
    let tcp = #""tcp": {"address": "127.0.0.1", "port": 9000"#
    let service = try ServiceFixture(ServiceFixture.json(tcp + "}"))
    for path in ["/livez", "/readyz", "/metrics"] {
      #expect(service.ask("GET", path, from: .tcp).status == 200)
    }
    #expect(service.ask("GET", "/v1/keys", from: .tcp).status == 403)
    let token = try ServiceFixture.token()
    let query = "?requestor=REF30&resource=TNT"
    #expect(service.ask("POST", "/v1/verify" + query, [], token, from: .tcp).status == 403)
    let more = try ServiceFixture(ServiceFixture.json(tcp + #", "mayVerify": true}"#))
    #expect(more.ask("POST", "/v1/verify" + query, [], token, from: .tcp).status == 200)
  }

  /// A browser of this host shows pages of others, whose scripts can ask here; and a name of theirs can be made to lead here.
  @Test func pagesOfOtherSitesHaveNoAnswerOverTCP() throws {
    let tcp = #""tcp": {"address": "127.0.0.1", "port": 9000, "mayVerify": true}"#
    let service = try ServiceFixture(ServiceFixture.json(tcp))
    let token = try ServiceFixture.token()
    func status(_ fields: [(String, String)]) -> Int {
      #expect(
        service.ask("GET", "/metrics", fields, from: .tcp).status
          == service.ask("GET", "/livez", fields, from: .tcp).status)
      return service.ask("POST", "/v1/verify?requestor=REF30&resource=TNT", fields, token, from: .tcp).status
    }
    for fields in [
      [("Host", "evil.example")], [("Host", "127.0.0.1.evil.example:9000")],
      [("Host", "127.0.0.1:9000"), ("Origin", "http://evil.example")],
      [("Host", "127.0.0.1:9000"), ("Sec-Fetch-Site", "cross-site")],
    ] {
      #expect(status(fields) == 403, "\(fields)")
    }
    // Not spent by any of them. Through a tunnel the port is another one.
    #expect(status([("Host", "localhost:1")]) == 200)
    // At the socket no browser asks, and proxies pass on the viewers' host.
    #expect(service.ask("GET", "/metrics", [("Host", "tv.example")]).status == 200)
  }

  @Test func bodiesAreBoundedByTheirEndpoint() throws {
    let service = try ServiceFixture(ServiceFixture.json(#""limits": {"bodyBytes": 5000}"#))
    func rule(_ target: String) -> BodyRule { service.handler.bodyRule("POST", target) }
    #expect(rule("/v1/verify?x") == .collect(atMost: 5000))
    #expect(rule("/v1/auth/x") == .discard)
    #expect(rule("/nowhere") == .unread)
  }

  /// What is refused by its path and method is refused when its head is here, and no body is read for it.
  @Test func requestThatItsHeadForbidsIsRefusedWithoutItsBody() throws {
    let service = try ServiceFixture(
      ServiceFixture.json(#""tcp": {"address": "127.0.0.1", "port": 9000}, "requestIDHeader": "X-Request-ID""#))
    let long = 200_000
    func rule(
      _ method: String, _ target: String, _ fields: [(String, String)] = [], _ length: Int,
      _ peer: Peer = Self.local
    ) -> BodyRule {
      service.handler.bodyRule(method, target, fields, announcing: length, from: peer)
    }
    for target in ["verify", "auth", "keys"].map({ "/v1/" + $0 })
      + ["/livez", "/readyz", "/metrics", "/x"]
    {
      #expect(rule("POST", target, [], 1, .tcp) == .unread, "\(target)")
    }
    for (target, fields, status) in [
      ("/v1/verify?x=1", [], 400), ("/v1/verify?requestor=a&requestor=a", [], 400),
      ("/v1/verify", [("Content-Type", "application/x-ndjson")], 415),
      ("/v1/verify", [("Content-Type", "a/b")], 415),
      ("/v1/verify", [("X-Request-ID", "a b")], 400), ("/v1/verify?resource=", [], 400),
    ] as [(String, [(String, String)], Int)] {
      #expect(service.ask("POST", target, fields, [UInt8](repeating: 0x61, count: long)).status == status)
      #expect(service.ask("POST", target, fields, [0x61]).status == status)
    }
    #expect(rule("POST", "/v1/verify", [], long) == .collect(atMost: 256 * 1024))
    #expect(rule("GET", "/v1/verify", [], long) == .unread)
  }

  /// A reload after that does not let it in: its body was not read, and nothing would be verified.
  @Test func whatItsPathForbadeStaysRefused() throws {
    func settings(_ mayVerify: Bool) -> String {
      ServiceFixture.json(#""tcp": {"address": "127.0.0.1", "port": 9000, "mayVerify": \#(mayVerify)}"#)
    }
    let service = try ServiceFixture(settings(false))
    let open = try ConfigurationFile.parse(Array(settings(true).utf8).span)
    let state = try ServingState(open, ServiceFixture.keys(), service.table)
    let token = try ServiceFixture.token()
    func ask(_ meanwhile: () -> Void) -> Answered {
      Answered(
        response: service.handler.answer(
          "POST", "/v1/verify?requestor=REF30&resource=TNT", [], token, from: .tcp, meanwhile: meanwhile))
    }
    let answer = ask { service.handler.service.current.exchange(for: state) }
    #expect(answer.status == 403 && answer.has("error", "not-over-tcp"))
    #expect(ask {}.status == 200)
  }

  @Test func anotherTypeIsToldTheTypesOfItsEndpoint() throws {
    let service = try ServiceFixture()
    func ask(_ types: String...) -> Answered {
      service.ask(
        "POST", "/v1/verify?requestor=REF30&resource=TNT", types.map { ("Content-Type", $0) }, [0x61])
    }
    let answer = ask("image/png")
    #expect(answer.status == 415 && answer.has("error", "media-type"))
    for type in ["text/plain", "application/json", "application/x-www-form-urlencoded"] {
      #expect(answer.body.contains(type), "\(type)")
    }
    #expect(ask("TEXT/Plain ; charset=utf-8").status == 403)
    #expect(ask("text/plain", "text/plain").status == 415)
  }

  private static let local = Peer.process(uid: 1, gid: 1, pid: 1)

  @Test func whatTheServerRefusesHasAStatus() throws {
    let service = try ServiceFixture()
    let refusals: [(RequestRefusal, Int)] = [
      (.malformed(.host), 400), (.late, 408), (.lengthRequired(.absent), 411), (.lengthRequired(.chunked), 411),
      (.bodyTooLarge(limit: 1), 413), (.targetTooLong(limit: 1), 414), (.expectation, 417),
      (.headTooLarge(limit: 1), 431), (.version, 505),
    ]
    for (refusal, status) in refusals {
      var response = Response()
      service.handler.refuse(refusal, with: &response)
      #expect(Int(response.status) == status)
      #expect(String(decoding: response.body, as: UTF8.self).hasPrefix("{\"error\":\""))
    }
  }

  @Test func secretsAreInNoLogLineAndNoMetric() throws {
    let service = try ServiceFixture(
      ServiceFixture.json(
        #""log": {"verdicts": "all", "linesPerSecond": 1000}, "auth": {"tokenHeader": "X-Token", "resourceHeader": "X-Resource"}"#
      ))
    var secrets = [ServiceFixture.guid]
    for form in DevelopmentTokenIssuer.Form.allCases {
      for age: Int64 in [0, 900_000] {
        let token = try ServiceFixture.token(form: form, age: age)
        let text = String(decoding: token, as: UTF8.self)
        secrets.append(String(text.suffix(100)))
        secrets.append(String(text.dropFirst(30).prefix(40)))
        _ = service.verify(token)
        _ = service.verify(token)
        _ = service.verify(token, "requestor=REF30&resource=" + text.prefix(20))
        _ = service.verify(token, "token=" + text)
        _ = service.ask("GET", "/v1/auth/" + text, [("X-Token", text), ("X-Resource", "TNT")])
        _ = service.ask("GET", "/" + text)
      }
    }
    let logged = service.logged()
    #expect(logged.split(separator: "\n").count > 20)
    #expect(logged.contains("\"event\":\"verdict\""))
    let metrics = service.ask("GET", "/metrics").body
    #expect(metrics.contains("mediatoken_verdicts_total"))
    for secret in secrets {
      #expect(!logged.contains(secret))
      #expect(!metrics.contains(secret))
    }
  }

  @Test func verdictLinesAreLimitedAndWhatIsLeftOutIsCounted() throws {
    let service = try ServiceFixture(ServiceFixture.json(#""log": {"linesPerSecond": 5}"#))
    func second() -> Int { Int(MonotonicTime.now / 1_000_000_000) }
    let first = second()
    for _ in 0..<100 { _ = service.verify(Array("garbage".utf8)) }
    let seconds = second() - first + 1
    let logged = service.logged()
    let lines = logged.split(separator: "\n")
    #expect(lines.count >= 5 && lines.count <= 5 * seconds)
    usleep(1_000_000)
    _ = service.verify(Array("garbage".utf8))
    // Another second may have begun with the last of the hundred.
    #expect((logged + service.logged()).contains("\"suppressedLines\":"))
  }

  @Test func linesOfEachSecondAreCountedAnew() {
    let (limit, second) = (LineLimit(), UInt64(1_000_000_000))
    let start = 7 * second
    #expect((0..<4).map { limit.take(atMost: 2, at: start + $0) } == [0, 0, nil, nil])
    #expect(limit.take(atMost: 2, at: start + second - 1) == nil)
    #expect(limit.take(atMost: 2, at: start + second) == 3)
    #expect(limit.take(atMost: 2, at: start + second) == 0)
    #expect(limit.take(atMost: 2, at: start + second) == nil)
    #expect(limit.take(atMost: 0, at: start + 2 * second) == nil)
  }

  @Test func validTokensAreNotLoggedUnlessAskedFor() throws {
    let service = try ServiceFixture()
    _ = service.verify(try ServiceFixture.token())
    #expect(service.logged().isEmpty)
  }

  @Test func logThatNoOneReadsBlocksNoOne() throws {
    let service = try ServiceFixture(ServiceFixture.json(#""log": {"linesPerSecond": 100000}"#))
    for _ in 0..<5000 { _ = service.verify(Array("garbage".utf8)) }
    let metrics = service.ask("GET", "/metrics").body
    #expect(!metrics.contains("mediatoken_log_dropped_total 0\n"))
    #expect(metrics.contains("mediatoken_log_dropped_total "))
    #expect(metrics.contains("reason=\"unknown-form\"} 5000\n"))
  }

  @Test func countersTellVerdictsApart() throws {
    let service = try ServiceFixture()
    let token = try ServiceFixture.token()
    _ = service.verify(token)
    _ = service.verify(token)
    service.table.retire()
    _ = service.verify(try ServiceFixture.token())
    let metrics = service.ask("GET", "/metrics").body
    #expect(metrics.contains("mediatoken_verdicts_total{verdict=\"VALID_TOKEN\",reason=\"none\"} 1\n"))
    #expect(metrics.contains("mediatoken_verdicts_total{verdict=\"TOKEN_REPLAYED\",reason=\"already-used\"} 1\n"))
    #expect(metrics.contains("mediatoken_undecided_total{fault=\"REPLAY_MEMORY_UNAVAILABLE\"} 1\n"))
    #expect(metrics.contains("mediatoken_verify_duration_seconds_count 3\n"))
    #expect(metrics.contains("mediatoken_verify_duration_seconds_bucket{le=\"+Inf\"} 3\n"))
    // Around a fleet's usual deadline there are bounds. How many were as fast depends on the machine.
    for bound in ["0.01", "0.02", "0.05", "0.1"] {
      #expect(metrics.contains("mediatoken_verify_duration_seconds_bucket{le=\"\(bound)\"} "), "\(bound)")
    }
    for reason in Reason.allCases { #expect(metrics.contains("reason=\"\(reason.rawValue)\"}")) }
  }
}
