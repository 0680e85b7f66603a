import Testing

@testable import MediaToken

/// Nodes that answer in every order, each with everything that it may say, compared with a model of the rules.
@Suite struct NodeOrderTests {
  /// What nodes say: fewer things where there are more nodes, so that it takes a second or two.
  @Test(arguments: [(3, "nxfa"), (4, "nxfa"), (5, "nxf")])
  func `whatever nodes say and in whatever order, a claim is answered once, as soon as it can be`(
    nodes: Int, letters: String
  ) throws {
    let fleet = try ScriptedFleet(nodes: nodes)
    for node in fleet.nodes { node.manner = .waits }
    let rows = rows(letters, nodes: nodes)
    var nextNumber: UInt64 = 0
    for order in Self.permutations(Array(1...nodes)) {
      for start in stride(from: 0, to: rows.count, by: ClaimBatch.mostClaims) {
        let part = Array(rows[start..<min(rows.count, start + ClaimBatch.mostClaims)])
        Self.check(part, order, fleet, firstNumber: nextNumber)
        nextNumber += UInt64(part.count)
      }
    }
  }

  /// One batch: a claim for each row. All that the nodes said is compared after each of them.
  private static func check(
    _ rows: [[Character]], _ order: [Int], _ fleet: ScriptedFleet, firstNumber: UInt64
  ) {
    fleet.send(rows.indices.map { claim(firstNumber + UInt64($0)) }, firstNumber: firstNumber)
    let number = fleet.nodes[0].asked.count - 1
    guard let asked = fleet.nodes[0].asked.last else {
      Issue.record("nothing was sent")
      return
    }
    var expected = [Result<UseOutcome, Fault>?](repeating: nil, count: rows.count)
    for (turn, node) in order.enumerated() {
      let answers = rows.indices.map { row in
        answer(rows[row][node - 1], ours: asked.batch.claims[row].ballot) ?? .ahead
      }
      fleet.nodes[node - 1].say(answers, to: number)
      let known = fleet.answers()
      for row in rows.indices {
        let said = order.prefix(turn + 1).map { rows[row][$0 - 1] }
        let isLast = turn == order.count - 1
        let outcome = expected[row] == nil ? model(said, nodes: order.count, isLast: isLast) : nil
        #expect(known[firstNumber + UInt64(row)] == outcome, "\(rows[row]) by \(order) after \(said)")
        expected[row] = expected[row] ?? outcome
      }
    }
    #expect(!expected.contains(nil))
  }

  /// What is answered when these have been said; nil: nothing yet.
  private static func model(_ said: [Character], nodes: Int, isLast: Bool) -> Result<UseOutcome, Fault>? {
    func count(_ letter: Character) -> Int { said.filter { $0 == letter }.count }
    if 2 * count("n") > nodes { return firstUse }
    if 2 * (nodes - count("x") - count("f")) <= nodes { return count("x") > 0 ? used : predates }
    return isLast ? unavailable : nil
  }

  private static func permutations(_ items: [Int]) -> [[Int]] {
    guard let first = items.first else { return [[]] }
    return permutations(Array(items.dropFirst())).flatMap { rest in
      (0...rest.count).map { Array(rest[..<$0]) + [first] + Array(rest[$0...]) }
    }
  }
}
