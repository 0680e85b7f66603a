import Testing

@testable import MediaToken

@Suite struct NodeSetTests {
  @Test func `a set of nodes has what was put in, in order`() {
    var set = NodeSet()
    for node in [7, 1, 3, 3] { set.insert(node) }
    #expect(Array(set) == [1, 3, 7])
    #expect(set.count == 3)
    #expect(set.contains(7) && !set.contains(2))
    set.remove(3)
    set.remove(2)
    #expect(Array(set) == [1, 7])
    #expect(Array(NodeSet()).isEmpty)
  }
}

/// Nodes that were asked and say nothing: claims do not wait long for them.
@Suite struct SilentNodeTests {
  /// For how long each of three nodes has been silent, in milliseconds, nil: it owes nothing; and the wait of the next claim, whose
  /// deadline is 50 ms; nil: it is a fault at once. A node of -1 can't be asked.
  private static let table: [(silent: [Int?], wait: UInt64?)] = [
    ([nil, nil, nil], 50), ([0, 0, 0], 50), ([49, 49, 49], 50), ([50, nil, nil], 50), ([nil, 50, 49], 50),
    ([50, 50, nil], 5), ([50, 50, 49], 5), ([50, 50, 50], 5), ([nil, 900, 51], 5), ([2_000, 2_000, 2_000], 5),
    ([nil, nil, -1], 50), ([0, 49, -1], 50), ([50, nil, -1], 5), ([50, 50, -1], 5), ([nil, -1, -1], nil),
  ]

  @Test(arguments: table.indices, [false, true])
  func `with fewer nodes than must agree heard in time a claim waits 5 ms`(row: Int, isBusy: Bool) throws {
    let (silent, expected) = Self.table[row]
    let table = try DeskTable()
    let time = 10_000 * millisecond
    for (index, silent) in silent.enumerated() where silent != -1 {
      let since = silent.map { time - UInt64($0) * millisecond }
      table.see(index + 1, isUsable: !isBusy, isBusy: isBusy, silentSince: since)
    }
    for index in silent.indices where silent[index] == -1 {
      table.see(index + 1, isUsable: false, isConnected: false)
    }
    let number = table.add([claim(1)], at: time)
    #expect(table.state.claims[number].map { ($0.deadline - time) / millisecond } == expected)
    #expect(table.takeEnds() == (expected == nil ? [number: unavailable] : [:]))
  }

  @Test func `in the first two seconds a claim has its whole deadline`() throws {
    for (time, wait) in [(1_999, 50), (2_000, 5)] as [(UInt64, UInt64)] {
      let table = try DeskTable()
      for node in 1...3 { table.see(node, isUsable: true, silentSince: 0) }
      let number = table.add([claim(1)], at: time * millisecond)
      #expect(table.state.claims[number]?.deadline == (time + wait) * millisecond)
    }
  }

  @Test func `claims of a dead fleet wait 5 ms, and are asked, so that its first answer is noticed`() throws {
    let fleet = try ScriptedFleet(nodes: 3)
    for node in fleet.nodes { node.manner = .waits }
    var time = 5_000 * millisecond
    fleet.turn(at: time)
    func waited(_ number: UInt64) -> UInt64 {
      fleet.turn(at: time)
      fleet.send([claim(number)], at: time)
      let start = time
      while fleet.answers(at: time).isEmpty { time += millisecond }
      return (time - start) / millisecond
    }
    #expect((0..<4).map { waited($0) } == [50, 5, 5, 5])
    // Other claims' answers clear them as well.
    for node in fleet.nodes { for number in node.asked.indices { node.answer(number) } }
    fleet.turn(at: time)
    #expect((4..<6).map { waited($0) } == [50, 5])
    for node in fleet.nodes {
      node.manner = .answers
      for number in node.asked.indices.suffix(2) { node.answer(number) }
    }
    #expect((6..<8).map { waited($0) } == [0, 0])
    // One that is silent alone holds up nothing.
    fleet.nodes[1].manner = .waits
    #expect((8..<10).map { waited($0) } == [0, 0])
    // It has said nothing for longer than the deadline, so a second one that falls silent is noticed by the first claim it owes.
    time += 60 * millisecond
    fleet.nodes[2].manner = .waits
    #expect((10..<12).map { waited($0) } == [50, 5])
  }
}
