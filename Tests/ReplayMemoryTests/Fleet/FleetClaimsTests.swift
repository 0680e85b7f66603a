import MediaTokenSystem
import Testing

@testable import MediaToken

@Suite struct FleetClaimsTests {
  // MARK: one use

  @Test(arguments: [1, 3, 4, 5, 6, 7])
  func `a token is used once, whatever the number of seats`(seats: Int) throws {
    let fleet = try ScriptedFleet(seats: seats)
    #expect(fleet.answer(claim(1)) == firstUse)
    #expect(fleet.answer(claim(1)) == used)
    #expect(fleet.answer(claim(2)) == firstUse)
  }

  @Test func `of two claims of one token in one turn one wins`() throws {
    let fleet = try ScriptedFleet(seats: 3)
    fleet.send([claim(1), claim(1), claim(2)])
    #expect(fleet.seats.map(\.asked.count) == [1, 1, 1])
    #expect(fleet.answers() == [0: firstUse, 1: used, 2: firstUse])
  }

  @Test(arguments: [1, 63, 64, 65, 200])
  func `any number of claims goes out in one turn, 64 to a batch`(count: Int) throws {
    let fleet = try ScriptedFleet(seats: 3)
    fleet.send((0..<count).map { claim(UInt64($0)) })
    for seat in fleet.seats {
      #expect(seat.asked.map(\.batch.claims.count).reduce(0, +) == count)
      #expect(seat.asked.count == (count + 63) / 64)
      #expect(seat.asked.allSatisfy { $0.batch.claims.count <= 64 })
    }
    let answers = fleet.answers()
    #expect(answers.count == count)
    #expect(answers.values.allSatisfy { $0 == firstUse })
  }

  @Test func `a batch goes out by the tokens' seconds, and each claim has its own answer`() throws {
    let fleet = try ScriptedFleet(seats: 3)
    #expect(fleet.answer(claim(3)) == firstUse)
    let issued = (0..<10).map { 1_700_000_000 + [5, 0, 3, 0, 5, 0, 3, 1, 1, 0][$0] as Int64 }
    fleet.send(issued.indices.map { claim(UInt64($0), issued: issued[$0], now: 1_700_000_010) }, firstNumber: 0)
    for seat in fleet.seats {
      let seconds = seat.asked[1].batch.claims.map(\.issueSecond)
      #expect(seconds == issued.sorted())
    }
    let answers = fleet.answers()
    #expect(answers.count == 10)
    for (number, answer) in answers { #expect(answer == (number == 3 ? used : firstUse)) }
  }

  @Test func `nothing is sent for a turn without claims`() throws {
    let fleet = try ScriptedFleet(seats: 3)
    fleet.send([])
    #expect(fleet.seats.allSatisfy { $0.asked.isEmpty })
  }

  // MARK: claims that ask no seat

  @Test(
    arguments: [
      // The token's end is 300 s after its issue, and the token of the last rows is issued too far ahead.
      (0, nil), (299, nil), (300, .success(.expired)), (10_000, .success(.expired)),
      (-60, nil), (-61, .failure(.replayMemoryUnavailable)),
    ] as [(Int64, Result<UseOutcome, Fault>?)])
  func `a token that has ended, or is issued too far ahead, is asked of no seat`(
    after seconds: Int64, answer: Result<UseOutcome, Fault>?
  ) throws {
    let fleet = try ScriptedFleet(seats: 3)
    let found = fleet.answer(claim(1, now: 1_700_000_000 + seconds))
    #expect(found == answer ?? firstUse)
    #expect(fleet.seats[0].asked.isEmpty == (answer != nil))
  }

  @Test func `times that do not fit are a fault`() throws {
    let fleet = try ScriptedFleet(seats: 3)
    #expect(fleet.answer(claim(1, issued: -5, now: -1)) == unavailable)
    #expect(fleet.answer(claim(1, life: -1)) == unavailable)
    let far = UseClaim(
      identity: claim(1).identity, issueTime: Instant(millisecondsSinceEpoch: .max), ttlMilliseconds: 1,
      now: Instant(millisecondsSinceEpoch: 0), request: nil)
    #expect(fleet.answer(far) == unavailable)
    #expect(fleet.seats.allSatisfy { $0.asked.isEmpty })
  }

  // MARK: deadlines

  @Test(arguments: [5, 50, 1000])
  func `what is undecided at the deadline is a fault`(deadline: Int) throws {
    let fleet = try ScriptedFleet(seats: 3, deadline: deadline)
    for seat in fleet.seats.dropFirst() { seat.manner = .waits }
    fleet.send([claim(1)], at: 7)
    #expect(fleet.answers(at: UInt64(deadline) * millisecond + 6) == [:])
    #expect(fleet.answers(at: UInt64(deadline) * millisecond + 7) == [0: unavailable])
    #expect(fleet.answers(at: 10_000 * millisecond) == [:])
  }

  @Test func `a reply that came in time is counted, also when it is read late`() throws {
    let fleet = try ScriptedFleet(seats: 3)
    fleet.send([claim(1)])
    #expect(fleet.answers(at: 60 * millisecond) == [0: firstUse])
  }

  @Test func `a claim that a majority decides does not wait for the slowest seat`() throws {
    let fleet = try ScriptedFleet(seats: 5)
    for seat in fleet.seats.dropFirst(3) { seat.manner = .waits }
    fleet.send([claim(1)])
    #expect(fleet.answers() == [0: firstUse])
  }

  @Test func `where every seat has answered and nothing is decided there is no wait`() throws {
    let fleet = try ScriptedFleet(seats: 3)
    for seat in fleet.seats.dropFirst() { seat.manner = .fails }
    #expect(fleet.answer(claim(1)) == unavailable)
  }

  @Test func `a reply after the deadline is dropped and counted`() throws {
    let fleet = try ScriptedFleet(seats: 3)
    for seat in fleet.seats { seat.manner = .waits }
    fleet.send([claim(1), claim(2)])
    #expect(fleet.answers(at: 50 * millisecond) == [0: unavailable, 1: unavailable])
    for seat in fleet.seats { seat.answer(seat.asked[0].number) }
    #expect(fleet.answers(at: 51 * millisecond) == [:])
    for record in fleet.fleet.health.records {
      #expect(record.reading(at: 0).replies[.late] == 2)
      #expect(record.reading(at: 0).replies[.new] == 0)
    }
  }

  @Test func `a second reply to one batch, and one to a batch that was never sent, count for nothing`() throws {
    let fleet = try ScriptedFleet(seats: 3)
    for seat in fleet.seats { seat.manner = .waits }
    fleet.send([claim(1)])
    let number = fleet.seats[0].asked[0].number
    for _ in 0..<3 { fleet.seats[0].say([.new], to: number) }
    for strange in [number + 1, number &- 1, .max] as [UInt64] { fleet.seats[1].say([.new], to: strange) }
    #expect(fleet.answers() == [:])
    #expect(fleet.fleet.health.records[0].reading(at: 0).replies[.late] == 2)
    #expect(fleet.fleet.health.records[1].reading(at: 0).replies[.late] == 3)
  }

  @Test(arguments: [[], [.new, .new]] as [[SeatAnswer]])
  func `a reply with another number of answers does not count`(answers: [SeatAnswer]) throws {
    let fleet = try ScriptedFleet(seats: 1)
    fleet.seats[0].manner = .waits
    fleet.send([claim(1)])
    fleet.seats[0].say(answers, to: fleet.seats[0].asked[0].number)
    #expect(fleet.answers() == [0: unavailable])
    #expect(fleet.fleet.health.records[0].reading(at: 0).replies[.error] == 1)
  }

  // MARK: seats that are missing

  @Test func `a claim never waits for a seat that is down`() throws {
    let fleet = try ScriptedFleet(seats: 3)
    fleet.seats[1].isUp = false
    #expect(fleet.answer(claim(1)) == firstUse)
    #expect(fleet.seats[1].asked.isEmpty)
  }

  @Test func `with fewer seats than must agree a claim is a fault at once, and no seat is asked`() throws {
    let fleet = try ScriptedFleet(seats: 3)
    #expect(fleet.answer(claim(1)) == firstUse)
    for seat in fleet.seats.dropFirst() { seat.isUp = false }
    #expect(fleet.answer(claim(2)) == unavailable)
    #expect(fleet.seats[0].asked.count == 1)
    // The token was not spent by that.
    for seat in fleet.seats { seat.isUp = true }
    #expect(fleet.answer(claim(2)) == firstUse)
  }

  @Test func `a claim waits for connections that are being made`() throws {
    let fleet = try ScriptedFleet(seats: 3)
    for seat in fleet.seats { seat.isUp = false }
    fleet.send([claim(1)])
    fleet.seats[0].isUp = true
    #expect(fleet.answers(at: 10 * millisecond) == [:])
    #expect(fleet.seats[0].asked.isEmpty)
    fleet.seats[1].isUp = true
    // It is sent in one turn, and the replies come in the next.
    #expect(fleet.answers(at: 20 * millisecond) == [:])
    #expect(fleet.answers(at: 20 * millisecond) == [0: firstUse])
  }

  @Test func `a claim waits for connections until its deadline and no longer`() throws {
    let fleet = try ScriptedFleet(seats: 3)
    for seat in fleet.seats { seat.isUp = false }
    fleet.send([claim(1)])
    #expect(fleet.answers(at: 49 * millisecond) == [:])
    #expect(fleet.answers(at: 50 * millisecond) == [0: unavailable])
    // A claim that was sent to them late has what is left of its time.
    fleet.send([claim(2)], at: 100 * millisecond, firstNumber: 1)
    for seat in fleet.seats { (seat.isUp, seat.manner) = (true, .waits) }
    #expect(fleet.answers(at: 140 * millisecond) == [:])
    #expect(fleet.seats.map(\.asked.count) == [1, 1, 1])
    #expect(fleet.answers(at: 149 * millisecond) == [:])
    #expect(fleet.answers(at: 150 * millisecond) == [1: unavailable])
  }

  /// Its caller has left: no token is used up for no one.
  @Test func `a claim that is withdrawn before it is sent is never sent, and has no answer`() throws {
    let fleet = try ScriptedFleet(seats: 3)
    for seat in fleet.seats { seat.isUp = false }
    fleet.claims.add(claim(1), number: 7)
    #expect(fleet.claims.withdraw(7))
    fleet.send([claim(2), claim(3)])
    #expect(fleet.claims.withdraw(1) && !fleet.claims.withdraw(1))
    for seat in fleet.seats { seat.isUp = true }
    _ = fleet.answers(at: 10 * millisecond)
    #expect(fleet.answers(at: 10 * millisecond) == [0: firstUse])
    #expect(fleet.seats[0].asked.count == 1)
    #expect(!fleet.claims.withdraw(0))
    #expect(fleet.fleet.waiting.load(ordering: .relaxed) == 0)
  }

  @Test func `two seconds after its beginning a thread waits no more, until it was left alone`() throws {
    let fleet = try ScriptedFleet(seats: 3)
    for seat in fleet.seats { seat.isUp = false }
    _ = fleet.answers(at: 1_999 * millisecond)
    fleet.send([claim(1)], at: 1_999 * millisecond)
    #expect(fleet.answers(at: 2_000 * millisecond) == [0: unavailable])
    #expect(fleet.answer(claim(2), at: 2_100 * millisecond) == unavailable)
    // Connections that were not tended may only have grown old.
    fleet.send([claim(3)], at: 2_201 * millisecond)
    for seat in fleet.seats { seat.isUp = true }
    #expect(fleet.answers(at: 2_202 * millisecond) == [:])
    #expect(fleet.answers(at: 2_203 * millisecond) == [0: firstUse])
  }

  @Test func `a claim that was held past its deadline keeps no ballot, as no seat has seen it`() throws {
    let fleet = try ScriptedFleet(seats: 3)
    for seat in fleet.seats { seat.isUp = false }
    fleet.send([claim(1)])
    #expect(fleet.answers(at: 50 * millisecond) == [0: unavailable])
    #expect(fleet.fleet.undecided.number == 0)
  }

  // MARK: counters

  @Test func `answers are counted by their kinds, and claims while they wait`() throws {
    let fleet = try ScriptedFleet(seats: 3)
    for seat in fleet.seats { seat.manner = .waits }
    fleet.send((0..<5).map { claim($0) })
    #expect(fleet.fleet.waiting.load(ordering: .relaxed) == 5)
    let asked = fleet.seats[0].asked[0]
    let ours = asked.batch.claims[1].ballot
    let other = Ballot(Ballot.ID(1, 1), second: ours.second)
    fleet.seats[0].say([.new, .present(ours), .present(other), .forgotten, .ahead], to: asked.number)
    fleet.seats[1].say(nil, to: asked.number)
    #expect(fleet.answers() == [:])
    let first = fleet.fleet.health.records[0].reading(at: 0).replies
    #expect(first == [.new: 1, .ours: 1, .other: 1, .forgotten: 1, .ahead: 1, .error: 0, .late: 0])
    #expect(fleet.fleet.health.records[1].reading(at: 0).replies[.error] == 5)
    fleet.seats[2].answer(asked.number)
    #expect(fleet.answers().count == 5)
    #expect(fleet.fleet.waiting.load(ordering: .relaxed) == 0)
  }

  @Test func `a claim's duration is from when it was sent until it is decided`() throws {
    let fleet = try ScriptedFleet(seats: 3)
    fleet.seats[2].manner = .waits
    fleet.send([claim(1), claim(2)])
    #expect(fleet.answers(at: 3 * millisecond).count == 2)
    fleet.seats[2].answer(0)
    _ = fleet.answers(at: 4 * millisecond)
    let (counts, seconds) = fleet.fleet.durations.totals
    #expect(counts == [0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0])
    #expect(abs(seconds - 0.006) < 1e-9)
  }

  // MARK: the descriptor

  @Test func `the descriptor is readable when a deadline has passed`() throws {
    let fleet = try ScriptedFleet(seats: 3, deadline: 5)
    for seat in fleet.seats { seat.manner = .waits }
    let outer = try Poller()
    try outer.add(fleet.claims.descriptor, .reading, as: 1)
    fleet.claims.add(claim(1), number: 9)
    var answers: [UInt64: Result<UseOutcome, Fault>] = [:]
    fleet.claims.send { answers[$0] = $1 }
    var events: [Poller.Event] = []
    // The timer may go off once for an earlier deadline; it ends, as each wait has its cause.
    while answers.isEmpty {
      _ = outer.wait(milliseconds: nil, &events)
      fleet.claims.takeAnswers { answers[$0] = $1 }
    }
    #expect(answers == [9: unavailable])
    _ = outer.wait(milliseconds: 0, &events)
    #expect(events.isEmpty)
  }

  @Test func `seats are closed with their claims`() throws {
    var fleet: ScriptedFleet? = try ScriptedFleet(seats: 3)
    let seats = fleet?.seats ?? []
    #expect(!seats.contains { $0.isClosed })
    fleet = nil
    #expect(seats.count == 3 && seats.allSatisfy { $0.isClosed })
  }
}
