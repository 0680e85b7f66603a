/// Counts the answers of a fleet's nodes to one claim, and decides by them. It reads no clock and sends nothing.
///
/// Each node counts once. Two majorities share a node, and a node gives its vote for one token to one ballot in its whole
/// history: so at most one ballot ever has the votes that are needed.
package struct Tally: Sendable, Hashable {
  package let ballot: Ballot
  private let nodes: UInt8
  private let retryWindowMilliseconds: Int64?
  /// A bit for each node that was counted.
  private var counted: UInt8 = 0
  private var stored: UInt8 = 0
  private var repeated: UInt8 = 0
  private var others: UInt8 = 0
  private var forgotten: UInt8 = 0
  /// The earliest second among our ballots.
  private var earliest: UInt32

  /// 1 to 7 nodes. The retry window is for the ballot of a request; nil for a random ballot, which only its own claim can
  /// have written.
  package init(nodes: Int, ballot: Ballot, retryWindowMilliseconds: Int64? = nil) {
    precondition((1...7).contains(nodes), "a fleet has at most seven nodes")
    self.ballot = ballot
    self.nodes = UInt8(nodes)
    self.retryWindowMilliseconds = retryWindowMilliseconds
    earliest = ballot.second
  }

  /// The votes that decide.
  private var needed: UInt8 { nodes / 2 + 1 }

  /// The node's number is from 1. Its later answers are ignored.
  package mutating func count(_ answer: NodeAnswer, from node: Int) {
    precondition((1...Int(nodes)).contains(node), "a node that the fleet does not have")
    let bit = UInt8(1) << UInt8(node - 1)
    guard counted & bit == 0 else { return }
    switch answer {
    case .new: stored += 1
    case .present(let found) where found.id == ballot.id:
      earliest = min(earliest, found.second)
      // A random ballot can only be this claim's, sent twice: the node's vote. A request's may be another host's.
      if retryWindowMilliseconds == nil { stored += 1 } else { repeated += 1 }
    case .present: others += 1
    case .forgotten: forgotten += 1
    // It may vote when it is asked again.
    case .ahead: return
    }
    counted |= bit
  }

  /// The decision of the answers so far; nil: nothing yet, which is a fault at the deadline.
  ///
  /// - ``UseOutcome/firstUse``: this ballot has the votes, and no other ballot ever has.
  /// - ``UseOutcome/retry``: the same request was made before, and the window in which it may be repeated is open.
  /// - ``UseOutcome/alreadyUsed``: by another claim, or by this request, whose window has ended.
  /// - ``UseOutcome/predatesMemory``: no majority can come any more, because nodes have forgotten the token's time.
  ///
  /// The first decision is the answer. More votes may turn a request's retry or used into a first use, and predates into
  /// used; nothing else changes any more. At `now` the window must be open for a retry.
  package func decision(at now: Instant) -> UseOutcome? {
    if stored >= needed { return .firstUse }
    if stored + repeated >= needed { return repeatsFirst(at: now) ? .retry : .alreadyUsed }
    if others + forgotten > nodes - needed { return others > 0 ? .alreadyUsed : .predatesMemory }
    return nil
  }

  /// True if the window in which the request may be repeated is open; never for a random ballot.
  package func repeatsFirst(at now: Instant) -> Bool {
    guard let retryWindowMilliseconds else { return false }
    return now.millisecondsSinceEpoch < Int64(earliest) * 1000 + retryWindowMilliseconds
  }
}

/// A node's answer to one claim. Anything else that it may say, above all an error, does not count as an answer.
package enum NodeAnswer: Sendable, Hashable {
  case new
  /// This ballot is there already: ours or another's.
  case present(Ballot)
  /// It has lost, or never knew, the claims of the second of the token's issue, and votes for none of them again.
  case forgotten
  /// The token is issued further ahead of the node's clock than it may be: the node votes neither for nor against.
  case ahead
}
