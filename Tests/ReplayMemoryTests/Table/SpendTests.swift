import Testing

@testable import MediaToken

/// Two openings of one table, as two processes have them: cases 119 to 121, 129, 136, 137, 140 and 141.
@Suite("Spending")
struct SpendTests {
  let fixture: TableFixture
  var now: Int64 { fixture.now }

  init() throws { fixture = try TableFixture() }

  private func opened(retryWindow: Int64 = 0, capacity: Int = 100) throws -> (SharedReplayTable, SharedReplayTable)
  {
    try fixture.create(capacity: capacity)
    return (try fixture.open(retryWindow: retryWindow), try fixture.open(retryWindow: retryWindow))
  }

  @Test func onlyTheFirstUseIsFirst() throws {
    let (one, other) = try opened()
    #expect(try one.spend(claim(1, issued: now, now: now)) == .firstUse)
    #expect(try one.spend(claim(1, issued: now, now: now)) == .alreadyUsed)
    #expect(try other.spend(claim(1, issued: now, now: now)) == .alreadyUsed)
    #expect(try other.spend(claim(2, issued: now, now: now)) == .firstUse)
    #expect(try one.spend(claim(2, issued: now, now: now + 59)) == .alreadyUsed)
  }

  /// A forged token is prepared for too, as often as it is sent.
  @Test func preparingSpendsNothing() throws {
    let (one, other) = try opened()
    let token = claim(1, issued: now, now: now)
    #expect(try one.spend(claim(2, issued: now, now: now)) == .firstUse)
    for _ in 0..<1000 { one.prepare(for: token.identity) }
    for number in 0..<UInt64(1000) { one.prepare(for: claim(1000 + number, issued: now, now: now).identity) }
    #expect(try other.spend(token) == .firstUse)
    one.prepare(for: token.identity)
    #expect(try one.spend(token) == .alreadyUsed)
    #expect(try other.spend(claim(2, issued: now, now: now)) == .alreadyUsed)
  }

  /// The end of a life is the same for all claimers that get a verdict (cases 136, 137).
  @Test func endedTokenIsExpiredForEveryone() throws {
    let (one, other) = try opened()
    #expect(try one.spend(claim(1, issued: now, now: now)) == .firstUse)
    #expect(try one.spend(claim(1, issued: now, now: now + 60)) == .expired)
    for back in [0, 1, 2] as [Int64] {
      #expect(try other.spend(claim(1, issued: now, now: now + 60 - back)) == .expired)
    }
    for back in [3, 600, 86_400] as [Int64] {
      #expect(throws: Fault.replayMemoryUnavailable) {
        try other.spend(claim(1, issued: now, now: now + 60 - back))
      }
    }
  }

  /// A clock was ahead and was set right: no token gets a verdict until the lead is over, whatever the lead, its life and its
  /// use, and a look says the same (cases 101, 102).
  @Test(arguments: [3, 59, 60, 61, 62, 63, 180, 3600, 86_400, 31_536_000] as [Int64])
  func clockThatWasAheadIsAFaultWhateverTheLead(_ lead: Int64) throws {
    let (one, other) = try opened()
    #expect(try one.spend(claim(1, issued: now, now: now)) == .firstUse)
    #expect(try one.spend(claim(2, issued: now + lead, now: now + lead)) == .firstUse)
    for back in [0, 1, 2] as [Int64] {
      let good = claim(UInt64(10 + back), issued: now + lead - back, now: now + lead - back)
      #expect(other.peek(at: good) == .success(.firstUse))
      #expect(try other.spend(good) == .firstUse)
    }
    // Used, new, dated ahead, and ended by every clock.
    let tokens = [
      claim(1, issued: now, now: now), claim(3, issued: now, now: now), claim(4, issued: now + 60, now: now),
      claim(5, issued: now - 60, now: now), claim(6, issued: now + lead - 3, now: now + lead - 3),
      claim(7, issued: now, now: now + lead - 3), claim(8, issued: now + 67, now: now),
    ]
    for claim in tokens {
      #expect(other.peek(at: claim) == .failure(.replayMemoryUnavailable))
      #expect(throws: Fault.replayMemoryUnavailable) { try other.spend(claim) }
    }
    #expect(other.condition(at: Instant(millisecondsSinceEpoch: now * 1000)) == .clockBehind(seconds: lead))
  }

  /// The same in a warming table, whose floor has risen with the clock that was ahead.
  @Test func clockThatWasAheadIsAFaultInANewTable() throws {
    try fixture.create(vouchesFor: .tokensFromNowOn)
    let table = try fixture.open()
    let claim = claim(1, issued: now, now: now)
    #expect(try table.spend(claim) == .predatesMemory)
    _ = try table.spend(ReplayMemoryTests.claim(2, issued: now + 3600, now: now + 3600))
    #expect(throws: Fault.replayMemoryUnavailable) { try table.spend(claim) }
    #expect(table.peek(at: claim) == .failure(.replayMemoryUnavailable))
  }

  /// A floor that is raised after power loss is above the claimer's clock by the tolerance and six seconds: no token
  /// may be spent that is dated beyond.
  @Test func tokenDatedBeyondTheFloorIsAFault() throws {
    let (one, _) = try opened()
    let allowed = Policy.standard.futureToleranceMilliseconds / 1000 + 6
    #expect(try one.spend(claim(1, issued: now + allowed, now: now)) == .firstUse)
    #expect(throws: Fault.replayMemoryUnavailable) {
      try one.spend(claim(2, issued: now + allowed + 1, now: now))
    }
  }

  @Test func clockBehindTheTablesByMoreThanTwoSecondsIsAFault() throws {
    let (one, other) = try opened()
    #expect(try one.spend(claim(1, issued: now, now: now + 10)) == .firstUse)
    #expect(try other.spend(claim(2, issued: now, now: now + 9)) == .firstUse)
    #expect(try other.spend(claim(3, issued: now, now: now + 8)) == .firstUse)
    #expect(throws: Fault.replayMemoryUnavailable) { try other.spend(claim(4, issued: now, now: now + 7)) }
    #expect(throws: Fault.replayMemoryUnavailable) { try other.spend(claim(4, issued: now, now: now - 86_400)) }
    #expect(try one.spend(claim(4, issued: now, now: now + 10)) == .firstUse)
  }

  @Test func clockBeforeTheEpochIsAFault() throws {
    let table = try opened().0
    #expect(throws: Fault.replayMemoryUnavailable) { try table.spend(claim(1, issued: now, now: -1)) }
  }

  @Test func tokenFromBeforeTheFloorPredates() throws {
    try fixture.create(vouchesFor: .tokensFromNowOn)
    let table = try fixture.open()
    let floor = Int64(try fixture.read(.vouchesFrom))
    // One minute of future tolerance and six seconds for clocks.
    #expect((now * 1000 + 66_000...max(now, wallClock()) * 1000 + 70_000).contains(floor))
    for (offset, outcome) in [(-1, .predatesMemory), (0, .firstUse), (1, .firstUse)] as [(Int64, UseOutcome)] {
      let claim = UseClaim(
        identity: token(UInt64(10 + offset)), issueTime: Instant(millisecondsSinceEpoch: floor + offset),
        ttlMilliseconds: 60_000, now: Instant(millisecondsSinceEpoch: floor - 65_500), request: nil)
      #expect(try table.spend(claim) == outcome)
    }
  }

  @Test func fullTableRefusesAndForgetsNoOne() throws {
    let (one, other) = try opened(capacity: 8)
    for number in 0..<16 { #expect(try one.spend(claim(UInt64(number), issued: now, now: now)) == .firstUse) }
    #expect(throws: Fault.replayMemoryFull) { try one.spend(claim(16, issued: now, now: now)) }
    for number in 0..<16 { #expect(try other.spend(claim(UInt64(number), issued: now, now: now)) == .alreadyUsed) }
    #expect(try other.spend(claim(17, issued: now + 60, now: now + 60)) == .firstUse)
  }

  @Test func sameRequestOfTheSameCallerIsAnsweredAgain() throws {
    let (one, other) = try opened(retryWindow: 10)
    let request = UseRequest(id: "r", callerUID: 7)
    func spend(_ table: SharedReplayTable, _ number: UInt64, _ request: UseRequest?, _ second: Int64) throws
      -> UseOutcome
    {
      try table.spend(claim(number, issued: now, now: now + second, request: request))
    }
    #expect(try spend(one, 1, request, 0) == .firstUse)
    #expect(try spend(one, 1, request, 0) == .retry)
    #expect(try spend(other, 1, request, 1) == .retry)
    #expect(try spend(other, 1, UseRequest(id: "s", callerUID: 7), 1) == .alreadyUsed)
    #expect(try spend(other, 1, UseRequest(id: "r", callerUID: 8), 1) == .alreadyUsed)
    #expect(try spend(other, 1, nil, 1) == .alreadyUsed)
    // The same request for another token is that token's first use, and no more.
    #expect(try spend(one, 2, nil, 1) == .firstUse)
    #expect(try spend(one, 2, request, 1) == .alreadyUsed)
    #expect(try spend(one, 1, request, 9) == .retry)
    #expect(try spend(one, 1, request, 10) == .alreadyUsed)
    #expect(try spend(other, 1, request, 11) == .alreadyUsed)
  }
}
