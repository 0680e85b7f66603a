import MediaTokenSystem
import Testing

@testable import MediaToken

/// A process asks about one token once at a time (article FleetProtocol, "A host").
@Suite struct JoinedClaimsTests {
  @Test(arguments: [2, 3, 64, 1000])
  func `one token on many connections is one question`(count: Int) throws {
    let fleet = try ScriptedFleet(nodes: 3)
    fleet.send(Array(repeating: claim(1), count: count))
    #expect(fleet.nodes.map { $0.asked.map(\.batch.claims.count) } == [[1], [1], [1]])
    let answers = fleet.answers()
    #expect(answers.count == count && answers[0] == firstUse)
    #expect(answers.values.filter { $0 == used }.count == count - 1)
    #expect(fleet.undecided == 0)
  }

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

  @Test func `another try is asked again, once the first is answered`() throws {
    let fleet = try ScriptedFleet(nodes: 3)
    #expect(fleet.answer(claim(1)) == firstUse)
    #expect(fleet.answer(claim(1)) == used)
    #expect(fleet.nodes[0].asked.count == 2)
  }

  @Test func `the same request is given its answer again, other requests are not`() throws {
    let fleet = try ScriptedFleet(nodes: 3, retryWindow: 10_000)
    fleet.send([
      claim(1, request: "a"), claim(1, request: "a"), claim(1, request: "b"), claim(1, request: "a", uid: 9),
    ])
    #expect(fleet.answers() == [0: firstUse, 1: retry, 2: used, 3: used])
    #expect(fleet.nodes[0].asked.count == 1)
    // Now that it is used, each request that may have been the first is asked about by itself.
    fleet.send([claim(1, request: "b"), claim(1, request: "a"), claim(1), claim(1, request: "b")])
    var answers: [UInt64: Result<UseOutcome, Fault>] = [:]
    for _ in 0..<3 { answers.merge(fleet.answers()) { first, _ in first } }
    #expect(answers == [0: used, 1: retry, 2: used, 3: used])
    #expect(fleet.nodes[0].asked.map(\.batch.claims.count) == [1, 1, 1])
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

  @Test func `one that joined ends at its own deadline, also while the other is asked`() throws {
    let fleet = try ScriptedFleet(nodes: 3)
    for node in fleet.nodes { node.manner = .waits }
    fleet.send([claim(1)])
    fleet.send([claim(1)], at: 20 * millisecond, firstNumber: 1)
    // The one that asks is held up by nothing that has joined.
    #expect(fleet.answers(at: 49 * millisecond) == [:])
    for node in fleet.nodes { node.answer(0) }
    #expect(fleet.answers(at: 49 * millisecond) == [0: firstUse, 1: used])
    let late = try ScriptedFleet(nodes: 3, deadline: 50)
    for node in late.nodes { node.isBusy = true }
    late.send([claim(1)])
    let other = try LoopDoor(late.desk)
    other.add(claim(1), number: 1)
    other.send(at: 10 * millisecond)
    late.turn(at: 59 * millisecond)
    #expect(other.answers() == [:])
    late.turn(at: 60 * millisecond)
    #expect(other.answers() == [1: unavailable])
  }

  @Test func `where no node can be asked each has its fault`() throws {
    let fleet = try ScriptedFleet(nodes: 3)
    for node in fleet.nodes { (node.isUp, node.isConnected) = (false, false) }
    // Connections are waited for at the start, no longer.
    _ = fleet.answers(at: 3000 * millisecond)
    fleet.send(Array(repeating: claim(1), count: 20), at: 3050 * millisecond)
    let answers = fleet.answers(at: 3050 * millisecond)
    #expect(answers == Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, unavailable) }))
  }

  @Test func `a claim has as long as it came with, whatever it is sent with`() throws {
    let fleet = try ScriptedFleet(nodes: 3)
    for node in fleet.nodes { node.isBusy = true }
    fleet.send([claim(1)])
    fleet.send([claim(2)], at: 40 * millisecond, firstNumber: 1)
    for node in fleet.nodes { (node.isBusy, node.manner) = (false, .waits) }
    _ = fleet.answers(at: 49 * millisecond)
    #expect(fleet.nodes[0].asked.map(\.batch.claims.count) == [2])
    #expect(fleet.answers(at: 50 * millisecond) == [0: unavailable])
    #expect(fleet.answers(at: 89 * millisecond) == [:])
    for node in fleet.nodes { node.answer(0) }
    #expect(fleet.answers(at: 89 * millisecond) == [1: firstUse])
  }

  // MARK: going away

  @Test func `one that goes before it was sent hands its place on`() throws {
    let fleet = try ScriptedFleet(nodes: 3, deadline: 1000)
    let time = MonotonicTime.now
    for node in fleet.nodes { node.isBusy = true }
    fleet.turn(at: time)
    fleet.send([claim(1), claim(1), claim(1)], at: time)
    #expect(fleet.door.withdraw(0) && !fleet.door.withdraw(0))
    #expect(fleet.door.withdraw(1))
    for node in fleet.nodes { node.isBusy = false }
    fleet.turn(at: time)
    #expect(fleet.answers(at: time) == [2: firstUse])
    #expect(fleet.nodes[0].asked.map(\.batch.claims.count) == [1])
    #expect(fleet.undecided == 0)
  }

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
