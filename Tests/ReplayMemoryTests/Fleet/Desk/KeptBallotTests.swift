import Testing

@testable import MediaToken

@Suite struct KeptBallotTests {
  /// A fleet whose nodes have stored the ballot of claim 1, and lost their replies.
  private static func afterLostReplies(request: String? = nil, retryWindow: Int64 = 0) throws -> ScriptedFleet {
    let fleet = try ScriptedFleet(nodes: 3, retryWindow: retryWindow)
    for node in fleet.nodes { node.manner = .losesReplies }
    fleet.send([claim(1, request: request)])
    #expect(fleet.answers(at: 50 * millisecond) == [0: unavailable])
    for node in fleet.nodes { node.manner = .answers }
    return fleet
  }

  @Test func `the next try goes on with the ballot of the one that ended with a fault`() throws {
    let fleet = try Self.afterLostReplies()
    #expect(fleet.keptBallots == 1)
    #expect(fleet.answer(claim(1), at: 60 * millisecond) == firstUse)
    let ballots = fleet.nodes[0].asked.map { $0.batch.claims[0].ballot }
    #expect(ballots[0] == ballots[1])
    #expect(fleet.keptBallots == 0)
    #expect(fleet.answer(claim(1), at: 70 * millisecond) == used)
  }

  @Test func `two threads do not get one ballot`() throws {
    let fleet = try Self.afterLostReplies()
    let other = try LoopDoor(fleet.desk)
    fleet.send([claim(1)], at: 60 * millisecond)
    other.add(claim(1), number: 0)
    other.send(at: 60 * millisecond)
    #expect(fleet.answers(at: 60 * millisecond) == [0: firstUse])
    #expect(other.answers() == [0: used])
  }

  @Test func `a ballot is put back after another fault`() throws {
    let fleet = try Self.afterLostReplies()
    for node in fleet.nodes { node.manner = .losesReplies }
    fleet.send([claim(1)], at: 60 * millisecond)
    #expect(fleet.keptBallots == 0)
    #expect(fleet.answers(at: 110 * millisecond) == [0: unavailable])
    // Nor is it lost where no node can be asked: neither at its deadline nor at once.
    for node in fleet.nodes { node.isUp = false }
    fleet.send([claim(1)], at: 120 * millisecond)
    #expect(fleet.keptBallots == 0)
    #expect(fleet.answers(at: 170 * millisecond) == [0: unavailable])
    #expect(fleet.answer(claim(1), at: 2_000 * millisecond) == unavailable)
    #expect(fleet.keptBallots == 1)
    for node in fleet.nodes { (node.isUp, node.manner) = (true, .answers) }
    fleet.turn(at: 2_010 * millisecond)
    #expect(fleet.answer(claim(1), at: 2_010 * millisecond) == firstUse)
  }

  @Test func `a ballot is not put back when its claim was decided`() throws {
    let fleet = try Self.afterLostReplies()
    for store in fleet.engine.stores { store.forget(before: 2_000_000_000) }
    #expect(fleet.answer(claim(1), at: 60 * millisecond) == predates)
    #expect(fleet.keptBallots == 0)
  }

  @Test func `the ballot of a request is not kept: it is made again, and is a retry`() throws {
    let fleet = try Self.afterLostReplies(request: "r", retryWindow: 2000)
    #expect(fleet.keptBallots == 0)
    // Another request of the same caller does not get it.
    #expect(fleet.answer(claim(1, request: "s"), at: 60 * millisecond) == used)
    #expect(fleet.answer(claim(1), at: 60 * millisecond) == used)
    #expect(fleet.answer(claim(1, request: "r"), at: 60 * millisecond) == retry)
  }

  @Test func `without a retry window a request's ballot is one of chance, and is kept`() throws {
    let fleet = try Self.afterLostReplies(request: "r")
    #expect(fleet.answer(claim(1, request: "s"), at: 60 * millisecond) == firstUse)
  }

  // MARK: what keeps them

  private static func ballot(_ number: UInt64) -> Ballot { Ballot(Ballot.ID(number, 0), second: 0) }

  private func take(_ claim: UseClaim, _ kept: inout KeptBallots) -> Ballot? { kept.take(claim.identity) }

  @Test func `a ballot is kept until the end of its token`() {
    var kept = KeptBallots()
    kept.keep(Self.ballot(1), of: claim(1).identity, until: 100, now: 99)
    kept.keep(Self.ballot(2), of: claim(2).identity, until: 99, now: 99)
    #expect(kept.count == 1)
    kept.removeEnded(at: 99)
    #expect(kept.count == 1)
    kept.removeEnded(at: 100)
    #expect(kept.count == 0)
    #expect(take(claim(1), &kept) == nil)
  }

  @Test func `the first ballot that is kept of a token stays`() {
    var kept = KeptBallots()
    kept.keep(Self.ballot(1), of: claim(1).identity, until: 100, now: 0)
    kept.keep(Self.ballot(2), of: claim(1).identity, until: 100, now: 0)
    #expect(take(claim(1), &kept) == Self.ballot(1))
    #expect(take(claim(1), &kept) == nil)
  }

  @Test func `4096 ballots are kept and no more, and those of ended tokens make room`() {
    var kept = KeptBallots()
    for number in 0..<4096 as Range<UInt64> {
      kept.keep(Self.ballot(number), of: claim(number).identity, until: number == 0 ? 50 : 100, now: 0)
    }
    kept.keep(Self.ballot(4096), of: claim(4096).identity, until: 100, now: 49)
    #expect(kept.count == 4096)
    #expect(take(claim(4096), &kept) == nil)
    kept.keep(Self.ballot(4097), of: claim(4097).identity, until: 100, now: 50)
    #expect(take(claim(4097), &kept) == Self.ballot(4097))
    #expect(take(claim(0), &kept) == nil)
  }
}
