import Testing

@testable import MediaToken

/// Seats that can be asked only when a claim was sent to others already: their connections were being made, or were slow.
@Suite struct LateSeatTests {
  /// Three seats: the second gave its vote for token 1 to another process, and the third can't be asked yet.
  private func dividedFleet(deadline: Int = 50) throws -> ScriptedFleet {
    let fleet = try ScriptedFleet(seats: 3, deadline: deadline)
    let others = Ballot(.random(), second: 1_700_000_000)
    let vote = ClaimBatch.Claim(claim(1).identity, issueTime: claim(1).issueTime, ballot: others)
    #expect(fleet.engine.stores[1].answer(vote) == .new)
    fleet.seats[2].isUp = false
    return fleet
  }

  @Test func `a seat that can be asked later is asked then, and its vote counts`() throws {
    let fleet = try dividedFleet()
    fleet.send([claim(1)])
    #expect(fleet.answers(at: 10 * millisecond) == [:])
    fleet.seats[2].isUp = true
    #expect(fleet.answers(at: 20 * millisecond) == [:])
    #expect(fleet.answers(at: 20 * millisecond) == [0: firstUse])
    let ballots = [0, 1, 2].map { fleet.seats[$0].asked.map(\.batch.claims[0].ballot) }
    #expect(ballots[0].count == 1)
    #expect(ballots[0] == ballots[1] && ballots[0] == ballots[2], "each seat is asked once, for the same ballot")
  }

  @Test func `it decides against a claim just as well`() throws {
    let fleet = try dividedFleet()
    fleet.engine.stores[2].forget(before: 1_800_000_000)
    fleet.send([claim(1)])
    #expect(fleet.answers(at: 10 * millisecond) == [:])
    fleet.seats[2].isUp = true
    #expect(fleet.answers(at: 20 * millisecond) == [:])
    #expect(fleet.answers(at: 20 * millisecond) == [0: used])
  }

  @Test func `it is asked also while others have not answered`() throws {
    let fleet = try ScriptedFleet(seats: 3)
    fleet.seats[1].manner = .losesReplies
    fleet.seats[2].isUp = false
    fleet.send([claim(1)])
    #expect(fleet.answers(at: 10 * millisecond) == [:])
    fleet.seats[2].isUp = true
    #expect(fleet.answers(at: 20 * millisecond) == [:])
    #expect(fleet.answers(at: 20 * millisecond) == [0: firstUse])
  }

  @Test func `claims of the same batch that were answered stay so`() throws {
    let fleet = try dividedFleet()
    fleet.send([claim(2), claim(1), claim(3)])
    #expect(fleet.answers(at: 10 * millisecond) == [0: firstUse, 2: firstUse])
    fleet.seats[2].isUp = true
    #expect(fleet.answers(at: 20 * millisecond) == [:])
    #expect(fleet.answers(at: 20 * millisecond) == [1: firstUse])
    #expect(fleet.seats[2].asked.count == 1)
  }

  @Test(arguments: [5, 50, 1000])
  func `it is waited for until the deadline and no longer`(deadline: Int) throws {
    let fleet = try dividedFleet(deadline: deadline)
    fleet.send([claim(1)], at: 7)
    #expect(fleet.answers(at: UInt64(deadline) * millisecond + 6) == [:])
    #expect(fleet.answers(at: UInt64(deadline) * millisecond + 7) == [0: unavailable])
    #expect(fleet.undecided == 1, "the next try goes on with the ballot that a seat has")
    fleet.seats[2].isUp = true
    #expect(fleet.answers(at: 10_000 * millisecond) == [:])
    #expect(fleet.seats[2].asked.isEmpty)
  }

  @Test func `a seat without a connection is not waited for`() throws {
    let fleet = try dividedFleet()
    fleet.seats[2].isConnected = false
    #expect(fleet.answer(claim(1)) == unavailable)
  }

  @Test func `a claim that all asked seats decide waits for no other`() throws {
    let fleet = try ScriptedFleet(seats: 3)
    fleet.seats[2].isUp = false
    #expect(fleet.answer(claim(1)) == firstUse)
    fleet.seats[2].isUp = true
    _ = fleet.answers(at: 10 * millisecond)
    #expect(fleet.seats[2].asked.isEmpty)
  }

  // MARK: connections that are lost

  @Test func `what a lost connection had taken is asked again on the next one, with the same ballot`() throws {
    let fleet = try ScriptedFleet(seats: 3)
    for seat in fleet.seats { seat.manner = .losesConnection }
    fleet.send([claim(1)])
    for seat in fleet.seats { (seat.isUp, seat.manner) = (false, .answers) }
    #expect(fleet.answers(at: 10 * millisecond) == [:])
    for seat in fleet.seats { seat.isUp = true }
    fleet.turn(at: 40 * millisecond)
    #expect(fleet.answers(at: 40 * millisecond) == [0: firstUse], "their votes were its own")
    for seat in fleet.seats { #expect(seat.asked.count == 2 && seat.asked[0].batch == seat.asked[1].batch) }
  }

  @Test func `it is asked again until its deadline and no longer`() throws {
    let fleet = try ScriptedFleet(seats: 3)
    for seat in fleet.seats { seat.manner = .losesConnection }
    fleet.send([claim(1)])
    for seat in fleet.seats { seat.isUp = false }
    #expect(fleet.answers(at: 49 * millisecond) == [:])
    #expect(fleet.answers(at: 50 * millisecond) == [0: unavailable])
    for seat in fleet.seats { (seat.isUp, seat.manner) = (true, .answers) }
    #expect(fleet.answers(at: 51 * millisecond) == [:])
    #expect(fleet.seats.map(\.asked.count) == [1, 1, 1] && fleet.keptBallots == 1)
    #expect(fleet.answer(claim(1), at: 60 * millisecond) == firstUse)
  }

  @Test func `a seat that loses every connection is asked once for each`() throws {
    let fleet = try ScriptedFleet(seats: 1)
    fleet.seats[0].manner = .losesConnection
    fleet.send([claim(1)])
    for count in 1...9 {
      #expect(fleet.seats[0].asked.count == count)
      #expect(fleet.answers(at: UInt64(count) * millisecond) == [:])
    }
    fleet.seats[0].manner = .answers
    fleet.turn(at: 10 * millisecond)
    #expect(fleet.answers(at: 10 * millisecond) == [0: firstUse])
  }
}
