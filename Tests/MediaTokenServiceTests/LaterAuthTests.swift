import Glibc
import MediaToken
import MediaTokenSystem
import Testing

@testable import MediaTokenHTTP
@testable import MediaTokenService

/// What `/v1/auth` does, and what bounds there are, where a replay memory has to ask others.
@Suite(.serialized) struct LaterAuthTests {
  @Test func authWaitsAndAnswersWithTheWholeSet() throws {
    let fixture = try LaterFixture(ServiceFixture.json(LaterFixture.auth + "}"))
    let client = try fixture.connect()
    client.get("/v1/auth/x", LaterFixture.header(try ServiceFixture.token()))
    _ = fixture.memory.wait(forClaims: 1)
    #expect(client.hasNothing())
    fixture.memory.answer(0, .success(.firstUse))
    let answer = try #require(client.answer())
    #expect(answer.status == 200 && answer.body.isEmpty)
    for field in [
      "X-Media-Token-Verdict: VALID_TOKEN", "X-Media-Token-Use: first", "X-Media-Token-Resource: TNT",
      "Cache-Control: no-store",
    ] { #expect(answer.head.contains(field)) }
    client.get("/v1/auth/x", LaterFixture.header(try ServiceFixture.token()))
    fixture.memory.answer(1, .failure(.replayMemoryUnavailable))
    #expect(client.answer()?.status == 503)
    #expect(fixture.logged().contains(#""endpoint":"auth""#))
  }

  @Test func authClaimsNothingForAHEADNorForWhatNoHeaderCanSay() throws {
    let fixture = try LaterFixture(
      ServiceFixture.json(#""auth": {"tokenHeader": "X-Token", "resourceHeader": "X-Resource"}"#))
    let client = try fixture.connect()
    client.get("/v1/auth", "X-Resource: TNT\r\n" + LaterFixture.header(try ServiceFixture.token()), method: "HEAD")
    #expect(client.answer()?.status == 204)
    let long = String(repeating: "x", count: AuthHeaderLimits.names + 1)
    let token = try ServiceFixture.token(resource: long, form: .base64)
    client.get("/v1/auth", "X-Resource: \(long)\r\n" + LaterFixture.header(token))
    #expect(client.answer()?.body.contains("header-too-long") == true)
    #expect(fixture.memory.script.current.asked.isEmpty)
    #expect(fixture.count(.notSpent) == 2)
  }

  @Test func requestIDGoesWithTheClaimSoThatAnyHostKnowsTheRepeatedRequest() throws {
    let fixture = try LaterFixture(
      """
      {"socket": {"path": "/run/test.sock"}, "keys": ["/etc/test"], "requestIDHeader": "X-Request-ID",
       "replay": {"address": "shared:/test", "retryWindowMilliseconds": 5000}, "tenants": [{"requestor": "REF30"}]}
      """)
    let client = try fixture.connect()
    client.verify(try ServiceFixture.token(), "X-Request-ID: one\r\n")
    let claim = fixture.memory.wait(forClaims: 1)[0].claim
    #expect(claim.request == UseRequest(id: "one", callerUID: geteuid()))
    fixture.memory.answer(0, .success(.retry))
    #expect(client.answer()?.body.contains(#""retry":true"#) == true)
  }

  // MARK: limits

  @Test func memoryThatCannotBeAskedYetIsAFaultUntilItCan() throws {
    let fixture = try LaterFixture(failuresToBegin: .max)
    fixture.memory.script.change { $0.atOnce = { _ in .success(.firstUse) } }
    let client = try fixture.connect()
    let token = try ServiceFixture.token()
    client.verify(token)
    #expect(client.answer()?.status == 503)
    fixture.memory.script.change { $0.failuresToBegin = 0 }
    #expect(
      fixture.waitUntil {
        client.verify(token)
        return client.answer()?.status == 200
      })
    #expect(fixture.memory.script.current.asked.count == 1)
  }

  /// One caller, all of whose tokens wait, leaves as much for others.
  @Test func tokensThatWaitTakeNoMoreMemoryThanTheyMay() throws {
    let fixture = try LaterFixture(ServiceFixture.json()) { $0.workers = 1 }
    let resource = String(repeating: "r", count: 60_000)
    let token = try ServiceFixture.token(resource: resource)
    let form =
      Array("token=".utf8) + percentEncoded(token)
      + Array("&requestor=REF30&resource=\(resource)".utf8)
    let allowed = WaitingUses.mostBytes / 2 / (token.count + 1024)
    let clients = try (0...allowed).map { _ in try fixture.connect() }
    for (index, client) in clients.enumerated() {
      client.post("/v1/verify", form, "Content-Type: application/x-www-form-urlencoded\r\n")
      if index < allowed { _ = fixture.memory.wait(forClaims: index + 1) }
    }
    #expect(clients[allowed].answer()?.body.contains("REPLAY_MEMORY_UNAVAILABLE") == true)
    #expect(fixture.memory.script.current.asked.count == allowed)
    fixture.memory.answer(0, .success(.firstUse))
    #expect(clients[0].answer()?.status == 200)
    // What it took is free again.
    clients[allowed].post("/v1/verify", form, "Content-Type: application/x-www-form-urlencoded\r\n")
    _ = fixture.memory.wait(forClaims: allowed + 1)
  }

  private func percentEncoded(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.appendPercentEncoding(of: bytes.span)
    return output
  }
}
