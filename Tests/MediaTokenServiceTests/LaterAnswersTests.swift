import Glibc
import MediaToken
import MediaTokenSystem
import Testing

@testable import MediaTokenHTTP
@testable import MediaTokenService

/// Requests whose tokens wait for a replay memory that has to ask others.
@Suite(.serialized) struct LaterAnswersTests {
  @Test(arguments: [
    (UseOutcome.firstUse, 200, "VALID_TOKEN"), (.retry, 200, "VALID_TOKEN"), (.alreadyUsed, 403, "TOKEN_REPLAYED"),
    (.expired, 403, "TOKEN_EXPIRED"), (.predatesMemory, 403, "TOKEN_PREDATES_REPLAY_MEMORY"),
  ])
  func answerIsTheMemorysAndComesWithIt(outcome: UseOutcome, status: Int, verdict: String) throws {
    let fixture = try LaterFixture()
    let client = try fixture.connect()
    client.verify(try ServiceFixture.token())
    _ = fixture.memory.wait(forClaims: 1)
    #expect(client.hasNothing())
    #expect(fixture.count(.response(UInt16(status))) == 0)
    fixture.memory.answer(0, .success(outcome))
    let answer = try #require(client.answer())
    #expect(answer.status == status && answer.body.contains("\"verdict\":\"\(verdict)\""))
    #expect(fixture.waitUntil { fixture.count(.response(UInt16(status))) == 1 })
    #expect(fixture.count(.valid) == (status == 200 ? 1 : 0))
    #expect(fixture.count(.retryAnswers) == (outcome == .retry ? 1 : 0))
  }

  @Test func faultOfTheMemoryIs503AndNoted() throws {
    let fixture = try LaterFixture()
    // As of before it, a fault is recent however long all this takes.
    let time = MonotonicTime.now
    let client = try fixture.connect()
    client.verify(try ServiceFixture.token())
    fixture.memory.answer(0, .failure(.replayMemoryUnavailable))
    let answer = try #require(client.answer())
    #expect(answer.status == 503 && answer.body.contains("\"fault\":\"REPLAY_MEMORY_UNAVAILABLE\""))
    #expect(fixture.count(.undecided(.replayMemoryUnavailable)) == 1)
    #expect(fixture.service.readiness.recentFault(time) == .replayMemoryUnavailable)
  }

  @Test func onlyTokensThatPassedEverythingElseAreClaimed() throws {
    let fixture = try LaterFixture()
    let client = try fixture.connect()
    for (token, query) in [
      (Array("nonsense".utf8), "requestor=REF30&resource=TNT"),
      (try ServiceFixture.token(resource: "TBS"), "requestor=REF30&resource=TNT"),
      (try ServiceFixture.token(), "requestor=OTHER&resource=TNT"),
      (try ServiceFixture.token(age: 86_400_000), "requestor=REF30&resource=TNT"),
    ] {
      client.post("/v1/verify?\(query)", token)
      #expect(client.answer()?.status == 403)
    }
    client.post("/v1/verify?requestor=REF30", try ServiceFixture.token())
    #expect(client.answer()?.status == 400)
    #expect(fixture.memory.script.current.asked.isEmpty)
  }

  @Test func workerGoesOnWhileTokensWait() throws {
    let fixture = try LaterFixture()
    let (waiting, other) = (try fixture.connect(), try fixture.connect())
    waiting.verify(try ServiceFixture.token())
    _ = fixture.memory.wait(forClaims: 1)
    for _ in 0..<5 {
      other.get("/livez")
      #expect(other.answer()?.status == 200)
      other.verify(Array("nonsense".utf8))
      #expect(other.answer()?.status == 403)
    }
    #expect(waiting.hasNothing())
    fixture.memory.answer(0, .success(.firstUse))
    #expect(waiting.answer()?.status == 200)
  }

  @Test func tokensOfOneTurnAreOneBatch() throws {
    let fixture = try LaterFixture { $0.turnNanoseconds = .max }
    fixture.memory.script.change { script in
      script.isSending = true
      script.atOnce = { _ in .success(.firstUse) }
    }
    let clients = try (0..<9).map { _ in try fixture.connect() }
    for client in clients {
      // The worker has it, and not only the listener.
      client.get("/livez")
      #expect(client.answer()?.status == 200)
    }
    let tokens = try (0..<9).map { _ in try ServiceFixture.token() }
    clients[0].verify(tokens[0])
    _ = fixture.memory.wait(forClaims: 1)
    // The worker is in its first turn until they have all come.
    for index in 1..<9 { clients[index].verify(tokens[index]) }
    fixture.memory.script.change { $0.isSending = false }
    for client in clients { #expect(client.answer()?.status == 200) }
    #expect(fixture.memory.script.current.batches == [1, 8])
  }

  @Test func pipelinedRequestsAreAnsweredInTheirOrder() throws {
    let fixture = try LaterFixture()
    let client = try fixture.connect()
    let tokens = try (0..<3).map { _ in try ServiceFixture.token() }
    client.verify(tokens[0], "")
    client.verify(tokens[1], "")
    client.get("/livez")
    client.verify(tokens[2], "")
    fixture.memory.answer(0, .success(.firstUse))
    #expect(client.answer()?.body.contains("VALID_TOKEN") == true)
    fixture.memory.answer(1, .success(.alreadyUsed))
    #expect(client.answer()?.body.contains("TOKEN_REPLAYED") == true)
    #expect(client.answer()?.body.contains("live") == true)
    fixture.memory.answer(2, .success(.firstUse))
    #expect(client.answer()?.body.contains("VALID_TOKEN") == true)
  }

  // MARK: whose answer it is

  @Test func answersInAnotherOrderReachThoseTheyAreFor() throws {
    let fixture = try LaterFixture()
    let clients = try (0..<6).map { _ in try fixture.connect() }
    for (index, client) in clients.enumerated() {
      client.verify(try ServiceFixture.token())
      _ = fixture.memory.wait(forClaims: index + 1)
    }
    for index in [3, 0, 5, 1, 4, 2] {
      fixture.memory.answer(index, .success(index % 2 == 0 ? .firstUse : .alreadyUsed))
    }
    for (index, client) in clients.enumerated() { #expect(client.answer()?.status == (index % 2 == 0 ? 200 : 403)) }
  }

  @Test func secondAnswerAndAnswersThatNoOneAskedForAreNoOnes() throws {
    let fixture = try LaterFixture()
    let client = try fixture.connect()
    client.verify(try ServiceFixture.token())
    let asked = try #require(fixture.memory.wait(forClaims: 1).first)
    asked.claims.put(asked.number &+ 1, .success(.firstUse))
    asked.claims.put(0, .success(.firstUse))
    asked.claims.put(.max, .success(.firstUse))
    asked.claims.put(asked.number, .success(.alreadyUsed))
    asked.claims.put(asked.number, .success(.firstUse))
    #expect(client.answer()?.status == 403)
    // The connection's next request, and a number that was answered before it was given.
    client.verify(try ServiceFixture.token())
    let next = fixture.memory.wait(forClaims: 2)[1]
    #expect(next.number != asked.number)
    asked.claims.put(asked.number, .success(.firstUse))
    client.get("/livez")
    usleep(50_000)
    #expect(client.hasNothing())
    fixture.memory.answer(1, .success(.alreadyUsed))
    #expect(client.answer()?.status == 403)
    #expect(client.answer()?.status == 200)
    #expect(fixture.count(.valid) == 0)
  }

  @Test func answerForAClientThatLeftIsCountedAndReachesNoOne() throws {
    let fixture = try LaterFixture()
    for round in 0..<5 {
      let client = try fixture.connect()
      client.verify(try ServiceFixture.token())
      _ = fixture.memory.wait(forClaims: 2 * round + 1)
      _ = consume client
      #expect(fixture.waitUntil { fixture.service.connections.openConnections.value == 0 })
      // Its place is this one's now.
      let next = try fixture.connect()
      next.verify(try ServiceFixture.token())
      _ = fixture.memory.wait(forClaims: 2 * round + 2)
      fixture.memory.answer(2 * round, .success(.firstUse))
      #expect(fixture.waitUntil { fixture.count(.undelivered) == round + 1 })
      #expect(fixture.count(.valid) == round + 1)
      #expect(next.hasNothing())
      fixture.memory.answer(2 * round + 1, .success(.alreadyUsed))
      #expect(next.answer()?.status == 403)
      _ = consume next
      #expect(fixture.waitUntil { fixture.service.connections.openConnections.value == 0 })
    }
    #expect(fixture.count(.response(200)) == 5)
    let numbers = fixture.memory.script.current.asked.map(\.number)
    #expect(numbers.count == 10 && Set(numbers).count == 10, "a number is never used again")
    #expect(fixture.logged().contains("already-used"))
  }

  @Test func pageForAClientThatLeftIsCounted() throws {
    let fixture = try LaterFixture()
    let other = try fixture.connect()
    other.get("/metrics")
    #expect(other.answer()?.status == 200)
    fixture.service.pages.rest(until: .max)
    let client = try fixture.connect()
    client.get("/livez")
    #expect(client.answer()?.status == 200)
    // Taken before the question that comes after it on the other connection, and so before this client leaves.
    client.get("/metrics")
    other.get("/livez")
    #expect(other.answer()?.status == 200)
    _ = consume client
    #expect(fixture.waitUntil { fixture.service.connections.openConnections.value == 1 })
    fixture.service.pages.rest(until: 0)
    // Another turn.
    other.get("/livez")
    #expect(other.answer()?.status == 200)
    #expect(fixture.waitUntil { fixture.count(.undelivered) == 1 && fixture.count(.response(200)) == 5 })
  }

  @Test func requestWhoseDeadlinePassesIsCutAndItsTokenCounted() throws {
    let isCounted = try LaterFixture.isCut(atDeadline: .milliseconds(300), afterClaims: 1) { client in
      client.verify(try ServiceFixture.token())
    } then: { fixture in
      fixture.memory.answer(0, .success(.firstUse))
      return fixture.waitUntil { fixture.count(.undelivered) == 1 && fixture.count(.valid) == 1 }
    }
    #expect(isCounted)
  }

  // MARK: what happens meanwhile

  @Test func drainWaitsForTokensThatWait() throws {
    let fixture = try LaterFixture()
    let client = try fixture.connect()
    client.verify(try ServiceFixture.token())
    _ = fixture.memory.wait(forClaims: 1)
    let (server, stop) = (fixture.server, Monitor<Int?>(nil))
    let stopping = try WorkerThread {
      let outcome = server.change { $0.take() }?.stop(within: .seconds(120))
      stop.exchange(for: outcome)
    }
    fixture.untilDraining()
    usleep(200_000)
    #expect(stop.current == nil && client.hasNothing())
    fixture.memory.answer(0, .success(.firstUse))
    let answer = try #require(client.answer())
    #expect(answer.status == 200 && answer.head.contains("Connection: close"))
    #expect(client.answer() == nil)
    _ = consume client
    stopping.join()
    #expect(stop.current == 0)
  }

  @Test func drainThatIsOverCutsWhatStillWaits() throws {
    let fixture = try LaterFixture()
    let client = try fixture.connect()
    client.verify(try ServiceFixture.token())
    _ = fixture.memory.wait(forClaims: 1)
    #expect(fixture.stop(within: .milliseconds(200)) == 1)
    #expect(client.answer() == nil)
  }

  @Test func reloadMeanwhileChangesNothingForWhatWaits() throws {
    let fixture = try LaterFixture(
      ServiceFixture.json(#""log": {"verdicts": "all"}, \#(LaterFixture.auth), "observe": true}"#))
    let (first, second) = (try fixture.connect(), try fixture.connect())
    first.get("/v1/auth/x", LaterFixture.header(try ServiceFixture.token()))
    _ = fixture.memory.wait(forClaims: 1)
    try fixture.reload(ServiceFixture.json(tenants: #"[{"requestor": "OTHER"}]"#, #""log": {"verdicts": "none"}"#))
    second.verify(try ServiceFixture.token())
    #expect(second.answer()?.body.contains("INVALID_REQUESTOR_ID") == true)
    fixture.memory.answer(0, .success(.alreadyUsed))
    let answer = try #require(first.answer())
    #expect(answer.status == 200 && answer.head.contains("X-Media-Token-Observe: 403"))
    let log = fixture.logged()
    #expect(
      log.contains("already-used") && log.contains(#""requestor":"REF30""#) && !log.contains("other-requestor"))
  }
}
