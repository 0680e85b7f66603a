import Glibc
import MediaToken
import MediaTokenIssuer
import MediaTokenSystem
import Testing

@testable import MediaTokenHTTP
@testable import MediaTokenService

@Suite struct OtherEndpointTests {
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
    // Whether its body is there or not, the head decides: see Tests/Cases/endpoints/endpoints.txt.
    #expect(service.ask("POST", "/v1/verify?x=1", [], [UInt8](repeating: 0x61, count: long)).status == 400)
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

  @Test func logThatNoOneReadsBlocksNoOne() throws {
    let service = try ServiceFixture(ServiceFixture.json(#""log": {"linesPerSecond": 100000}"#))
    for _ in 0..<5000 { _ = service.verify(Array("garbage".utf8)) }
    let metrics = service.ask("GET", "/metrics").body
    #expect(!metrics.contains("mediatoken_log_dropped_total 0\n"))
    #expect(metrics.contains("mediatoken_log_dropped_total "))
    #expect(metrics.contains("reason=\"unknown-form\"} 5000\n"))
    for reason in Reason.allCases { #expect(metrics.contains("reason=\"\(reason.rawValue)\"}")) }
  }
}
