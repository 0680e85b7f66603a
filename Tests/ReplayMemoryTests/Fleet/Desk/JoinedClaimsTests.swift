import MediaTokenSystem
import Testing

@testable import MediaToken

/// A process asks about one token once at a time (article FleetProtocol, "A host").
@Suite struct JoinedClaimsTests {
  @Test func `what comes while it is asked joins it, on whatever thread`() throws {
    let fleet = try ScriptedFleet(nodes: 3)
    for node in fleet.nodes { node.manner = .waits }
    fleet.send([claim(1)])
    let other = try LoopDoor(fleet.desk)
    other.add(claim(1), number: 7)
    other.send(at: 10 * millisecond)
    fleet.turn(at: 10 * millisecond)
    for node in fleet.nodes { node.answer(0) }
    #expect(fleet.answers(at: 11 * millisecond) == [0: firstUse])
    #expect(other.answers() == [7: used])
    #expect(fleet.nodes.map(\.asked.count) == [1, 1, 1])
  }

  @Test func `past the window a joined repetition is used`() throws {
    let fleet = try ScriptedFleet(nodes: 3, retryWindow: 10_000)
    let now: Int64 = 1_700_000_000
    fleet.send([
      claim(1, request: "a"), claim(1, now: now + 9, request: "a"), claim(1, now: now + 10, request: "a"),
    ])
    #expect(fleet.answers() == [0: firstUse, 1: retry, 2: used])
  }

  // MARK: faults and deadlines

  @Test func `after a fault the next that waits is asked, with the same ballot, until its own deadline`() throws {
    let fleet = try ScriptedFleet(nodes: 3)
    for node in fleet.nodes { node.manner = .losesReplies }
    fleet.send([claim(1)])
    fleet.send([claim(1)], at: 20 * millisecond, firstNumber: 1)
    fleet.send([claim(1)], at: 30 * millisecond, firstNumber: 2)
    #expect(fleet.answers(at: 50 * millisecond) == [0: unavailable])
    #expect(fleet.answers(at: 50 * millisecond) == [:])
    #expect(fleet.nodes[0].asked.count == 2)
    #expect(Set(fleet.nodes[0].asked.map { $0.batch.claims[0].ballot }).count == 1)
    #expect(fleet.answers(at: 69 * millisecond) == [:])
    for node in fleet.nodes { node.manner = .answers }
    #expect(fleet.answers(at: 70 * millisecond) == [1: unavailable])
    #expect(fleet.answers(at: 71 * millisecond) == [2: firstUse], "no node gave its vote to another ballot")
  }

  // MARK: going away

  @Test func `one that goes after it was sent stays asked, and its token is used`() throws {
    let fleet = try ScriptedFleet(nodes: 3)
    fleet.send([claim(1), claim(1)])
    #expect(!fleet.door.withdraw(0))
    #expect(fleet.answers() == [0: firstUse, 1: used])
  }

  @Test func `a loop that ends leaves to others what was not sent, and what was sent goes on`() throws {
    let fleet = try ScriptedFleet(nodes: 3, deadline: 1000)
    let time = MonotonicTime.now
    for node in fleet.nodes { node.manner = .waits }
    fleet.turn(at: time)
    var ending: LoopDoor? = try LoopDoor(fleet.desk)
    ending?.add(claim(1), number: 0)
    ending?.send(at: time)
    fleet.turn(at: time)
    for node in fleet.nodes { node.isBusy = true }
    fleet.turn(at: time)
    ending?.add(claim(2), number: 1)
    ending?.send(at: time)
    fleet.send([claim(1), claim(2)], at: time)
    #expect(fleet.nodes.map(\.asked.count) == [1, 1, 1])
    ending = nil
    for node in fleet.nodes {
      (node.isBusy, node.manner) = (false, .answers)
      node.answer(0)
    }
    fleet.turn(at: time)
    #expect(fleet.answers(at: time) == [0: used, 1: firstUse])
    #expect(fleet.undecided == 0)
  }
}
