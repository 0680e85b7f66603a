import Glibc
import MediaToken
import MediaTokenSystem
import Testing

@testable import MediaTokenHTTP
@testable import MediaTokenService

/// Batches whose tokens wait for a replay memory that has to ask others.
@Suite(.serialized) struct LaterBatchTests {
  private static let target = "/v1/verify-batch?requestor=REF30&resource=TNT"

  private func lines(_ tokens: [[UInt8]]) -> [UInt8] { tokens.flatMap { $0 + [0x0A] } }

  private func percent(_ count: Int) throws -> [[UInt8]] {
    try (0..<count).map { _ in try ServiceFixture.token(form: .percent) }
  }

  /// What each line of the answer says: its number, and its verdict, fault or error.
  private func said(_ body: String) -> [String] {
    body.split(separator: "\n").map { line in
      let number = line.dropFirst(#"{"line":"#.count).prefix { $0.isNumber }
      let word = ["VALID_TOKEN", "TOKEN_REPLAYED", "INVALID_TOKEN_FORMAT", "REPLAY_MEMORY_UNAVAILABLE", "error"]
        .first { line.contains("\"\($0)\"") }
      return "\(number) \(word ?? "?")"
    }
  }

  @Test func linesAreAnsweredInOrderWhateverOrderTheirAnswersCome() throws {
    let fixture = try LaterFixture()
    let client = try fixture.connect()
    let tokens = try percent(3)
    let forged = Array("nonsense".utf8)
    client.post(
      Self.target,
      tokens[0] + Array("\r\n\n".utf8) + forged + Array("\n{\"tok\n".utf8) + lines([tokens[1], tokens[2]]))
    _ = fixture.memory.wait(forClaims: 3)
    fixture.memory.answer(2, .failure(.replayMemoryUnavailable))
    fixture.memory.answer(1, .success(.alreadyUsed))
    client.get("/livez")
    usleep(50_000)
    #expect(client.hasNothing(), "the first line has no answer yet")
    fixture.memory.answer(0, .success(.firstUse))
    let answer = try #require(client.answer())
    #expect(answer.status == 200)
    #expect(
      said(answer.body) == [
        "1 VALID_TOKEN", "3 INVALID_TOKEN_FORMAT", "4 error", "5 TOKEN_REPLAYED", "6 REPLAY_MEMORY_UNAVAILABLE",
      ])
    #expect(client.answer()?.body.contains("live") == true)
    #expect(fixture.count(.valid) == 1)
  }

  @Test func longBatchIsClaimedInRoundsAndEachLineOnce() throws {
    let fixture = try LaterFixture()
    let client = try fixture.connect()
    let tokens = try percent(150)
    client.post(Self.target, lines(tokens))
    // A round is 64 lines, and the next begins when all of them are answered.
    for (first, last) in [(0, 64), (64, 128), (128, 150)] {
      _ = fixture.memory.wait(forClaims: last)
      usleep(50_000)
      #expect(fixture.memory.script.current.asked.count == last)
      for index in (first..<last).reversed() {
        fixture.memory.answer(index, .success(index % 3 == 0 ? .firstUse : .alreadyUsed))
      }
    }
    let answer = try #require(client.answer())
    #expect(
      said(answer.body) == (0..<150).map { "\($0 + 1) \($0 % 3 == 0 ? "VALID_TOKEN" : "TOKEN_REPLAYED")" })
    let asked = fixture.memory.script.current.asked
    #expect(Set(asked.map(\.number)).count == 150 && Set(asked.map(\.claim.identity)).count == 150)
    #expect(asked.allSatisfy { $0.claim.request == nil })
    #expect(fixture.memory.script.current.batches.allSatisfy { $0 <= 16 })
  }

  @Test func batchesAndShortQuestionsGoOnWhileABatchWaits() throws {
    let fixture = try LaterFixture()
    let (first, second, short) = (try fixture.connect(), try fixture.connect(), try fixture.connect())
    first.post(Self.target, lines(try percent(20)))
    _ = fixture.memory.wait(forClaims: 20)
    second.post(Self.target, lines(try percent(1)))
    _ = fixture.memory.wait(forClaims: 21)
    short.get("/livez")
    #expect(short.answer()?.status == 200)
    fixture.memory.answer(20, .success(.firstUse))
    #expect(second.answer().map { said($0.body) } == ["1 VALID_TOKEN"])
    #expect(first.hasNothing())
    for index in 0..<20 { fixture.memory.answer(index, .success(.firstUse)) }
    #expect(first.answer().map { said($0.body).count } == 20)
  }

  @Test func memoryThatAnswersAtOnceLetsABatchGoThrough() throws {
    let fixture = try LaterFixture()
    fixture.memory.script.change { $0.atOnce = { _ in .success(.firstUse) } }
    let client = try fixture.connect()
    client.post(Self.target, lines(try percent(130)))
    #expect(client.answer().map { said($0.body) } == (1...130).map { "\($0) VALID_TOKEN" })
    client.post(Self.target, Array("\n\n \n".utf8))
    #expect(client.answer()?.body == "")
  }

  @Test func batchWhoseClientLeftIsClaimedNoFurtherAndCounted() throws {
    let fixture = try LaterFixture()
    let client = try fixture.connect()
    client.post(Self.target, lines(try percent(100)))
    _ = fixture.memory.wait(forClaims: 64)
    _ = consume client
    #expect(fixture.waitUntil { fixture.service.connections.openConnections.value == 0 })
    let next = try fixture.connect()
    next.post(Self.target, lines(try percent(1)))
    _ = fixture.memory.wait(forClaims: 65)
    for index in 0..<64 { fixture.memory.answer(index, .success(.firstUse)) }
    #expect(fixture.waitUntil { fixture.count(.valid) == 64 })
    #expect(next.hasNothing())
    fixture.memory.answer(64, .success(.alreadyUsed))
    #expect(next.answer().map { said($0.body) } == ["1 TOKEN_REPLAYED"])
    #expect(fixture.memory.script.current.asked.count == 65)
  }

  @Test func batchThatWaitsBeyondItsDeadlineIsCut() throws {
    let isCounted = try LaterFixture.isCut(atDeadline: .milliseconds(300), afterClaims: 2) { client in
      client.post(Self.target, lines(try percent(2)))
    } then: { fixture in
      for index in 0..<2 { fixture.memory.answer(index, .success(.firstUse)) }
      return fixture.waitUntil { fixture.count(.valid) == 2 }
    }
    #expect(isCounted)
  }

  @Test func drainWaitsForABatchThatWaits() throws {
    let fixture = try LaterFixture()
    let client = try fixture.connect()
    client.post(Self.target, lines(try percent(70)))
    _ = fixture.memory.wait(forClaims: 64)
    let (memory, untilDraining) = (fixture.memory, fixture.untilDraining)
    let answering = try WorkerThread {
      untilDraining()
      for index in 0..<70 { memory.answer(index, .success(.firstUse)) }
    }
    #expect(fixture.stop() == .finished)
    answering.join()
    let answer = try #require(client.answer())
    #expect(said(answer.body).count == 70 && answer.head.contains("Connection: close"))
  }
}
