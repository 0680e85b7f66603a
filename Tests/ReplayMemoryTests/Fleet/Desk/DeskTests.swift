import MediaTokenSystem
import Testing

@testable import MediaToken

/// Claims of one loop at the desk of a process.
@Suite struct DeskTests {
  // MARK: one use

  @Test(arguments: [1, 3, 4, 5, 6, 7])
  func `a token is used once, whatever the number of nodes`(nodes: Int) throws {
    let fleet = try ScriptedFleet(nodes: nodes)
    #expect(fleet.answer(claim(1)) == firstUse)
    #expect(fleet.answer(claim(1)) == used)
    #expect(fleet.answer(claim(2)) == firstUse)
  }

  @Test(arguments: [1, 63, 64, 65, 200])
  func `any number of claims goes out in one turn, 64 to a batch`(count: Int) throws {
    let fleet = try ScriptedFleet(nodes: 3)
    fleet.send((0..<count).map { claim(UInt64($0)) })
    for node in fleet.nodes {
      #expect(node.asked.map(\.batch.claims.count).reduce(0, +) == count)
      #expect(node.asked.count == (count + 63) / 64)
      #expect(node.asked.allSatisfy { $0.batch.claims.count <= 64 })
    }
    let answers = fleet.answers()
    #expect(answers.count == count)
    #expect(answers.values.allSatisfy { $0 == firstUse })
  }

  // MARK: claims that ask no node

  @Test(
    arguments: [
      // The token's end is 300 s after its issue, and the token of the last rows is issued too far ahead.
      (0, nil), (299, nil), (300, .success(.expired)), (10_000, .success(.expired)),
      (-60, nil), (-61, .failure(.replayMemoryUnavailable)),
    ] as [(Int64, Result<UseOutcome, Fault>?)])
  func `a token that has ended, or is issued too far ahead, is asked of no node`(
    after seconds: Int64, answer: Result<UseOutcome, Fault>?
  ) throws {
    let fleet = try ScriptedFleet(nodes: 3)
    let found = fleet.answer(claim(1, now: 1_700_000_000 + seconds))
    #expect(found == answer ?? firstUse)
    #expect(fleet.nodes[0].asked.isEmpty == (answer != nil))
  }

  @Test func `times that do not fit are a fault`() throws {
    let fleet = try ScriptedFleet(nodes: 3)
    #expect(fleet.answer(claim(1, issued: -5, now: -1)) == unavailable)
    #expect(fleet.answer(claim(1, life: -1)) == unavailable)
    let far = UseClaim(
      identity: claim(1).identity, issueTime: Instant(millisecondsSinceEpoch: .max), ttlMilliseconds: 1,
      now: Instant(millisecondsSinceEpoch: 0), request: nil)
    #expect(fleet.answer(far) == unavailable)
    #expect(fleet.nodes.allSatisfy { $0.asked.isEmpty })
  }

  // MARK: deadlines

  @Test(arguments: [5, 50, 1000])
  func `what is undecided at the deadline is a fault`(deadline: Int) throws {
    let fleet = try ScriptedFleet(nodes: 3, deadline: deadline)
    for node in fleet.nodes.dropFirst() { node.manner = .waits }
    fleet.send([claim(1)], at: 7)
    #expect(fleet.answers(at: UInt64(deadline) * millisecond + 6) == [:])
    #expect(fleet.answers(at: UInt64(deadline) * millisecond + 7) == [0: unavailable])
    #expect(fleet.answers(at: 10_000 * millisecond) == [:])
  }

  @Test func `a reply that came in time is counted, also when it is read late`() throws {
    let fleet = try ScriptedFleet(nodes: 3)
    fleet.send([claim(1)])
    #expect(fleet.answers(at: 60 * millisecond) == [0: firstUse])
  }

  @Test func `a reply after the deadline is dropped and counted`() throws {
    let fleet = try ScriptedFleet(nodes: 3)
    for node in fleet.nodes { node.manner = .waits }
    fleet.send([claim(1), claim(2)])
    #expect(fleet.answers(at: 50 * millisecond) == [0: unavailable, 1: unavailable])
    for node in fleet.nodes { node.answer(0) }
    #expect(fleet.answers(at: 51 * millisecond) == [:])
    for record in fleet.fleet.health.records {
      #expect(record.reading(at: 0).replies[.late] == 2)
      #expect(record.reading(at: 0).replies[.new] == 0)
    }
  }

  @Test(arguments: [[], [.new, .new]] as [[NodeAnswer]])
  func `a reply with another number of answers does not count`(answers: [NodeAnswer]) throws {
    let fleet = try ScriptedFleet(nodes: 1)
    fleet.nodes[0].manner = .waits
    fleet.send([claim(1)])
    fleet.nodes[0].say(answers, to: 0)
    #expect(fleet.answers() == [0: unavailable])
    #expect(fleet.fleet.health.records[0].reading(at: 0).replies[.error] == 1)
  }

  // MARK: counters

  @Test func `answers are counted by their kinds, and claims while they wait`() throws {
    let fleet = try ScriptedFleet(nodes: 3)
    for node in fleet.nodes { node.manner = .waits }
    fleet.send((0..<5).map { claim($0) })
    #expect(fleet.undecided == 5)
    let asked = fleet.nodes[0].asked[0]
    let ours = asked.batch.claims[1].ballot
    let other = Ballot(Ballot.ID(1, 1), second: ours.second)
    fleet.nodes[0].say([.new, .present(ours), .present(other), .forgotten, .ahead], to: 0)
    fleet.nodes[1].say(nil, to: 0)
    #expect(fleet.answers() == [:])
    let first = fleet.fleet.health.records[0].reading(at: 0).replies
    #expect(first == [.new: 1, .ours: 1, .other: 1, .forgotten: 1, .ahead: 1, .error: 0, .late: 0])
    #expect(fleet.fleet.health.records[1].reading(at: 0).replies[.error] == 5)
    fleet.nodes[2].answer(0)
    #expect(fleet.answers() == [0: firstUse, 1: firstUse, 2: unavailable, 3: unavailable, 4: unavailable])
    #expect(fleet.undecided == 3, "the ballots of the faults are kept")
  }

  @Test func `a claim's duration is from when it was sent until it is decided`() throws {
    let fleet = try ScriptedFleet(nodes: 3)
    fleet.nodes[2].manner = .waits
    fleet.send([claim(1), claim(2)])
    #expect(fleet.answers(at: 3 * millisecond).count == 2)
    fleet.nodes[2].answer(0)
    _ = fleet.answers(at: 4 * millisecond)
    let (counts, seconds) = fleet.fleet.durations.totals
    #expect(counts == [0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0])
    #expect(abs(seconds - 0.006) < 1e-9)
  }

  // MARK: the descriptor

  @Test func `the descriptor is readable when a deadline has passed`() throws {
    let memory = try FleetMemory.scripted(.vouching { $0.manner = .waits }, deadline: 5)
    let claims = try memory.makePendingClaims()
    let outer = try Poller()
    try outer.add(claims.descriptor, .reading, as: 1)
    claims.add(claim(1), number: 9)
    var answers: [UInt64: Result<UseOutcome, Fault>] = [:]
    claims.send { answers[$0] = $1 }
    var events: [Poller.Event] = []
    // It ends, as each wait has its cause.
    while answers.isEmpty {
      _ = outer.wait(milliseconds: nil, &events)
      claims.takeAnswers { answers[$0] = $1 }
    }
    #expect(answers == [9: unavailable])
    _ = outer.wait(milliseconds: 0, &events)
    #expect(events.isEmpty)
  }

  @Test func `nodes are closed with their desk, and what waits has a fault`() throws {
    let engine = ScriptedEngine.vouching { $0.manner = .waits }
    var memory: FleetMemory? = try FleetMemory.scripted(engine)
    let claims = try #require(try memory?.makePendingClaims())
    claims.add(claim(1), number: 4)
    var answers: [UInt64: Result<UseOutcome, Fault>] = [:]
    claims.send { answers[$0] = $1 }
    for node in engine.nodes { node.waitUntilAsked(1) }
    #expect(!engine.nodes.contains { $0.isClosed })
    memory = nil
    claims.takeAnswers { answers[$0] = $1 }
    #expect(answers == [4: unavailable])
    for node in engine.nodes { node.waitUntilClosed() }
    claims.add(claim(2), number: 5)
    claims.send { answers[$0] = $1 }
    claims.takeAnswers { answers[$0] = $1 }
    #expect(answers[5] == unavailable)
  }
}
