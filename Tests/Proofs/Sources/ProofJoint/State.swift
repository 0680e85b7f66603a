/// Everything there is at one moment: the nodes of both fleets, the hosts, the claims, and what was granted. Bytes only, so that
/// two states are the same when their bytes are.
struct State {
  /// Those of the old fleet, then those of the new one, three places for each.
  var nodes = InlineArray<6, Node>(repeating: Node())
  var claims = InlineArray<3, Claim>(repeating: Claim())
  var hosts = InlineArray<3, Host>(repeating: .old)
  /// The number of the world's moment.
  var moment: UInt8 = 0
  /// The second in which the last host began to move.
  var lastJoined: UInt8 = 0
  /// One host has given up the move; once is enough.
  var hasLeft = false
  var disastersLeft: UInt8 = 0
  /// The first uses of the token, and a bit for each ballot that it was granted to at all.
  var firstUses: UInt8 = 0
  var granted: UInt8 = 0

  var fingerprint: UInt64 { ProofJoint.fingerprint(of: self) }

  /// What a way shows when it changes.
  var facts: [String] {
    nodes.indices.map { "node \($0 + 1): \(nodes[$0])" } + hosts.indices.map { "host \($0 + 1): \(hosts[$0])" }
      + claims.indices.map {
        "claim \($0 + 1): \(claims[$0].phase), ballots \(claims[$0].ballots[0]) and \(claims[$0].ballots[1])"
      }
      + ["moment \(moment)", "first uses: \(firstUses)", "ballots granted: \(granted)"]
  }

  enum Host: UInt8 { case old, joint, new }
}

/// A node, as far as it concerns the token: ProofFleet and ProofPostgres prove that real ones are like that.
struct Node {
  /// It votes for no token that was issued before.
  var floor: UInt8 = 0
  /// The number of the claim that made its ballot, plus one; 0: none.
  var ballot: UInt8 = 0
  /// It answers no claim; and it did so once, with the data of then.
  var isRetired = false
  var wasRetired = false
}

/// One try to use the token.
struct Claim {
  enum Phase: UInt8 { case notYet, open, over }
  var phase = Phase.notYet
  /// What its host was when it began.
  var host = State.Host.old
  /// The ballots with which it asks the old fleet and the new one, by the number, plus one, of the claim that made each: its own, unless
  /// its host had kept one at that fleet's desk; 0: it has not asked.
  var ballots = InlineArray<2, UInt8>(repeating: 0)
  /// After a fault, those that its host keeps; 0: none.
  var kept = InlineArray<2, UInt8>(repeating: 0)
  /// The moments in which it began, and in which its ballot was made.
  var began: UInt8 = 0
  var madeIn: UInt8 = 0
  /// What the first fleet said, if the other one is asked since, as an ``Outcome``.
  var first: UInt8 = 0
  /// What each node answered that counts, and what it answered and was not read yet, as codes; 0: nothing.
  var answers = InlineArray<6, UInt8>(repeating: 0)
  var late = InlineArray<6, UInt8>(repeating: 0)
}

extension State {
  /// Nodes of a fleet differ in nothing but their numbers: of all states that differ only in these, one is searched.
  mutating func sortNodes(_ counts: (from: Int, to: Int)) {
    for (fleet, count) in [(0, counts.from), (3, counts.to)] {
      for last in stride(from: fleet + 1, to: fleet + count, by: 1) {
        var node = last
        while node > fleet, key(node - 1) > key(node) {
          nodes.swapAt(node - 1, node)
          for claim in claims.indices {
            claims[claim].answers.swapAt(node - 1, node)
            claims[claim].late.swapAt(node - 1, node)
          }
          node -= 1
        }
      }
    }
  }

  private func key(_ node: Int) -> UInt64 {
    let there = nodes[node]
    let retired: UInt64 = there.isRetired ? 2 : there.wasRetired ? 1 : 0
    var key = UInt64(there.floor) << 5 | UInt64(there.ballot) << 2 | retired
    for claim in claims.indices {
      key = key << 6 | UInt64(claims[claim].answers[node]) << 3 | UInt64(claims[claim].late[node])
    }
    return key
  }
}
