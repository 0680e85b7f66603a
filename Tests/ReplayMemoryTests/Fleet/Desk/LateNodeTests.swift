import Testing

@testable import MediaToken

/// Nodes that can be asked only when a claim was sent to others already: their connections were being made, or were slow.
@Suite struct LateNodeTests {
  /// Three nodes: the second gave its vote for token 1 to another process, and the third can't be asked yet.
  private func dividedFleet(deadline: Int = 50) throws -> ScriptedFleet {
    let fleet = try ScriptedFleet(nodes: 3, deadline: deadline)
    let others = Ballot(.random(), second: 1_700_000_000)
    let vote = ClaimBatch.Claim(claim(1).identity, issueTime: claim(1).issueTime, ballot: others)
    #expect(fleet.engine.stores[1].answer(vote) == .new)
    fleet.nodes[2].isUp = false
    return fleet
  }

  @Test func `a node that can be asked later is asked then, and its vote counts`() throws {
    let fleet = try dividedFleet()
    fleet.send([claim(1)])
    #expect(fleet.answers(at: 10 * millisecond) == [:])
    fleet.nodes[2].isUp = true
    #expect(fleet.answers(at: 20 * millisecond) == [:])
    #expect(fleet.answers(at: 20 * millisecond) == [0: firstUse])
    let ballots = [0, 1, 2].map { fleet.nodes[$0].asked.map(\.batch.claims[0].ballot) }
    #expect(ballots[0].count == 1)
    #expect(ballots[0] == ballots[1] && ballots[0] == ballots[2], "each node is asked once, for the same ballot")
  }

  @Test func `a node without a connection is not waited for`() throws {
    let fleet = try dividedFleet()
    fleet.nodes[2].isConnected = false
    #expect(fleet.answer(claim(1)) == unavailable)
  }

  @Test func `a claim that all asked nodes decide waits for no other`() throws {
    let fleet = try ScriptedFleet(nodes: 3)
    fleet.nodes[2].isUp = false
    #expect(fleet.answer(claim(1)) == firstUse)
    fleet.nodes[2].isUp = true
    _ = fleet.answers(at: 10 * millisecond)
    #expect(fleet.nodes[2].asked.isEmpty)
  }

  // MARK: connections that are lost

  @Test func `what a lost connection had taken is asked again on the next one, with the same ballot`() throws {
    let fleet = try ScriptedFleet(nodes: 3)
    for node in fleet.nodes { node.manner = .losesConnection }
    fleet.send([claim(1)])
    for node in fleet.nodes { (node.isUp, node.manner) = (false, .answers) }
    #expect(fleet.answers(at: 10 * millisecond) == [:])
    for node in fleet.nodes { node.isUp = true }
    fleet.turn(at: 40 * millisecond)
    #expect(fleet.answers(at: 40 * millisecond) == [0: firstUse], "their votes were its own")
    for node in fleet.nodes { #expect(node.asked.count == 2 && node.asked[0].batch == node.asked[1].batch) }
  }
}
