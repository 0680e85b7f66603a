import Testing

@testable import MediaToken

@Suite struct KeptBallotTests {
  /// A fleet whose seats have stored the ballot of claim 1, and lost their replies.
  private static func afterLostReplies(request: String? = nil, retryWindow: Int64 = 0) throws -> ScriptedFleet {
    let fleet = try ScriptedFleet(seats: 3, retryWindow: retryWindow)
    for seat in fleet.seats { seat.manner = .losesReplies }
    fleet.send([claim(1, request: request)])
    #expect(fleet.answers(at: 50 * millisecond) == [0: unavailable])
    for seat in fleet.seats { seat.manner = .answers }
    return fleet
  }

  @Test func `the next try goes on with the ballot of the one that ended with a fault`() throws {
    let fleet = try Self.afterLostReplies()
    #expect(fleet.fleet.undecided.number == 1)
    #expect(fleet.answer(claim(1), at: 60 * millisecond) == firstUse)
    let ballots = fleet.seats[0].asked.map { $0.batch.claims[0].ballot }
    #expect(ballots[0] == ballots[1])
    #expect(fleet.fleet.undecided.number == 0)
    #expect(fleet.answer(claim(1), at: 70 * millisecond) == used)
  }

  /// If the ballot were read without being taken out, both claims would win, as each would find its own ballot on all seats.
  @Test func `a ballot that is kept is taken out once`() throws {
    let fleet = try Self.afterLostReplies()
    let taken = [1, 2].map { _ in fleet.fleet.undecided.take(claim(1).identity) }
    #expect(taken[0] == fleet.seats[0].asked[0].batch.claims[0].ballot && taken[1] == nil)
  }

  @Test func `two threads do not get one ballot`() throws {
    let fleet = try Self.afterLostReplies()
    let other = try FleetClaims(fleet.fleet, at: 0)
    fleet.send([claim(1)], at: 60 * millisecond)
    other.add(claim(1), number: 0)
    other.send(at: 60 * millisecond)
    var answers = [fleet.answers(at: 60 * millisecond)[0]]
    other.takeAnswers(at: 60 * millisecond) { answers.append($1) }
    #expect(answers == [firstUse, used])
  }

  @Test func `a ballot is put back after another fault`() throws {
    let fleet = try Self.afterLostReplies()
    for seat in fleet.seats { seat.manner = .losesReplies }
    fleet.send([claim(1)], at: 60 * millisecond)
    #expect(fleet.fleet.undecided.number == 0)
    #expect(fleet.answers(at: 110 * millisecond) == [0: unavailable])
    // Nor is it lost where no seat can be asked.
    for seat in fleet.seats { seat.isUp = false }
    #expect(fleet.answer(claim(1), at: 120 * millisecond) == unavailable)
    #expect(fleet.fleet.undecided.number == 1)
    for seat in fleet.seats { (seat.isUp, seat.manner) = (true, .answers) }
    #expect(fleet.answer(claim(1), at: 130 * millisecond) == firstUse)
  }

  @Test func `a ballot is not put back when its claim was decided`() throws {
    let fleet = try Self.afterLostReplies()
    for store in fleet.engine.stores { store.forget(before: 2_000_000_000) }
    #expect(fleet.answer(claim(1), at: 60 * millisecond) == predates)
    #expect(fleet.fleet.undecided.number == 0)
  }

  @Test func `the ballot of a request is not kept: it is made again, and is a retry`() throws {
    let fleet = try Self.afterLostReplies(request: "r", retryWindow: 2000)
    #expect(fleet.fleet.undecided.number == 0)
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

  @Test func `a ballot is kept until the end of its token`() {
    let undecided = UndecidedClaims()
    undecided.keep(Self.ballot(1), of: claim(1).identity, until: 100, now: 99)
    undecided.keep(Self.ballot(2), of: claim(2).identity, until: 99, now: 99)
    #expect(undecided.number == 1)
    undecided.removeEnded(at: 99)
    #expect(undecided.number == 1)
    undecided.removeEnded(at: 100)
    #expect(undecided.number == 0)
    #expect(undecided.take(claim(1).identity) == nil)
  }

  @Test func `the first ballot that is kept of a token stays`() {
    let undecided = UndecidedClaims()
    undecided.keep(Self.ballot(1), of: claim(1).identity, until: 100, now: 0)
    undecided.keep(Self.ballot(2), of: claim(1).identity, until: 100, now: 0)
    #expect(undecided.take(claim(1).identity) == Self.ballot(1))
    #expect(undecided.take(claim(1).identity) == nil)
  }

  @Test func `4096 ballots are kept and no more, and those of ended tokens make room`() {
    let undecided = UndecidedClaims()
    for number in 0..<4096 as Range<UInt64> {
      undecided.keep(Self.ballot(number), of: claim(number).identity, until: number == 0 ? 50 : 100, now: 0)
    }
    undecided.keep(Self.ballot(4096), of: claim(4096).identity, until: 100, now: 49)
    #expect(undecided.number == 4096)
    #expect(undecided.take(claim(4096).identity) == nil)
    undecided.keep(Self.ballot(4097), of: claim(4097).identity, until: 100, now: 50)
    #expect(undecided.take(claim(4097).identity) == Self.ballot(4097))
    #expect(undecided.take(claim(0).identity) == nil)
  }
}
