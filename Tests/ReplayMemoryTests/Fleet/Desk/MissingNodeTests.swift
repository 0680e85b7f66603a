import MediaTokenSystem
import Testing

@testable import MediaToken

/// Nodes that can't be asked: what does not wait for them, and what does, and for how long.
@Suite struct MissingNodeTests {
  @Test func `with fewer nodes than must agree a claim is a fault at once, and no node is asked`() throws {
    let fleet = try ScriptedFleet(nodes: 3)
    let time = 2_000 * millisecond
    fleet.turn(at: time)
    #expect(fleet.answer(claim(1), at: time) == firstUse)
    for node in fleet.nodes.dropFirst() { node.isUp = false }
    fleet.turn(at: time)
    #expect(fleet.answer(claim(2), at: time) == unavailable)
    #expect(fleet.nodes[0].asked.count == 1)
    // The token was not spent by that.
    for node in fleet.nodes { node.isUp = true }
    fleet.turn(at: time)
    #expect(fleet.answer(claim(2), at: time) == firstUse)
  }

  @Test func `of two nodes that are left it is asked whether they are retired, too, and of a retired fleet none`()
    throws
  {
    let fleet = try ScriptedFleet(nodes: 4)
    let time = 2_000 * millisecond
    for node in fleet.nodes { node.manner = .fails }
    for node in fleet.nodes.prefix(2) {
      node.record.refused(.retired)
      (node.isUp, node.isConnected) = (false, false)
    }
    fleet.turn(at: time)
    #expect(fleet.answer(claim(1), at: time) == unavailable)
    #expect(fleet.nodes.map(\.asked.count) == [0, 0, 1, 1])
    fleet.nodes[2].record.refused(.retired)
    (fleet.nodes[2].isUp, fleet.nodes[2].isConnected) = (false, false)
    fleet.turn(at: time)
    #expect(fleet.answer(claim(2), at: time) == unavailable)
    #expect(fleet.nodes[3].asked.count == 1)
  }

  @Test func `a claim waits for connections that are being made`() throws {
    let fleet = try ScriptedFleet(nodes: 3)
    for node in fleet.nodes { node.isUp = false }
    fleet.send([claim(1)])
    fleet.nodes[0].isUp = true
    #expect(fleet.answers(at: 10 * millisecond) == [:])
    #expect(fleet.nodes[0].asked.isEmpty)
    fleet.nodes[1].isUp = true
    // It is sent in one turn, and the replies come in the next.
    #expect(fleet.answers(at: 20 * millisecond) == [:])
    #expect(fleet.answers(at: 20 * millisecond) == [0: firstUse])
  }

  @Test func `a claim waits for connections until its deadline and no longer`() throws {
    let fleet = try ScriptedFleet(nodes: 3)
    for node in fleet.nodes { node.isUp = false }
    fleet.send([claim(1)])
    #expect(fleet.answers(at: 49 * millisecond) == [:])
    #expect(fleet.answers(at: 50 * millisecond) == [0: unavailable])
    // A claim that was sent to them late has what is left of its time.
    fleet.send([claim(2)], at: 100 * millisecond, firstNumber: 1)
    for node in fleet.nodes { (node.isUp, node.manner) = (true, .waits) }
    #expect(fleet.answers(at: 140 * millisecond) == [:])
    #expect(fleet.nodes.map(\.asked.count) == [1, 1, 1])
    #expect(fleet.answers(at: 149 * millisecond) == [:])
    #expect(fleet.answers(at: 150 * millisecond) == [1: unavailable])
  }

  @Test func `two seconds after its beginning a desk waits for no connection any more`() throws {
    let fleet = try ScriptedFleet(nodes: 3)
    for node in fleet.nodes { node.isUp = false }
    fleet.send([claim(1)], at: 1_999 * millisecond, firstNumber: 1)
    #expect(fleet.answer(claim(2), at: 2_000 * millisecond) == unavailable)
    // What came before has its deadline.
    fleet.send([claim(3)], at: 2_001 * millisecond, firstNumber: 3)
    #expect(fleet.answers(at: 2_001 * millisecond) == [3: unavailable])
    for node in fleet.nodes.dropFirst() { node.isUp = true }
    fleet.turn(at: 2_048 * millisecond)
    #expect(fleet.answers(at: 2_048 * millisecond) == [1: firstUse])
  }
}
