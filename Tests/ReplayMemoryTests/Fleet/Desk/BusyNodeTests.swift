import Testing

@testable import MediaToken

/// A node that takes one batch at a time: claims wait for it, each until its own deadline.
@Suite struct BusyNodeTests {
  /// One node that was asked before, and is busy with it.
  private func busyFleet() throws -> ScriptedFleet {
    let fleet = try ScriptedFleet(nodes: 1)
    #expect(fleet.answer(claim(0)) == firstUse)
    fleet.nodes[0].isBusy = true
    return fleet
  }

  @Test func `claims are sent together when it has answered`() throws {
    let fleet = try busyFleet()
    fleet.send([claim(1)], at: 10 * millisecond, firstNumber: 1)
    fleet.send([claim(2)], at: 20 * millisecond, firstNumber: 2)
    #expect(fleet.answers(at: 59 * millisecond) == [:] && fleet.nodes[0].asked.count == 1)
    fleet.nodes[0].isBusy = false
    #expect(fleet.answers(at: 59 * millisecond) == [:])
    #expect(fleet.answers(at: 59 * millisecond) == [1: firstUse, 2: firstUse])
    #expect(fleet.nodes[0].asked.map(\.batch.claims.count) == [1, 2])
  }

  @Test func `each claim fails at its own deadline, unasked`() throws {
    let fleet = try busyFleet()
    fleet.send([claim(1)], at: 10 * millisecond, firstNumber: 1)
    fleet.send([claim(2)], at: 20 * millisecond, firstNumber: 2)
    #expect(fleet.answers(at: 60 * millisecond) == [1: unavailable])
    #expect(fleet.answers(at: 69 * millisecond) == [:])
    #expect(fleet.answers(at: 70 * millisecond) == [2: unavailable])
    fleet.nodes[0].isBusy = false
    #expect(fleet.answer(claim(1), at: 80 * millisecond) == firstUse, "no node has stored a ballot")
  }

  @Test func `a steady load does not age what has just come`() throws {
    let fleet = try busyFleet()
    for turn in 1...20 as ClosedRange<UInt64> {
      let time = turn * 10 * millisecond
      fleet.send((0..<64).map { claim(turn * 100 + $0) }, at: time, firstNumber: turn * 100)
      fleet.nodes[0].isBusy = false
      _ = fleet.answers(at: time)
      fleet.nodes[0].isBusy = true
      let answers = fleet.answers(at: time)
      #expect(answers.values.allSatisfy { $0 == firstUse })
    }
    #expect(fleet.nodes[0].asked.count == 21)
  }
}
