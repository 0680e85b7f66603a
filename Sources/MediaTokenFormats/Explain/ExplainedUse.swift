package import MediaToken

/// A replay memory that an explanation looks at. Nothing is ever claimed in it.
package enum PeekedMemory: Sendable {
  /// One use is not enforced.
  case none
  case table(SharedReplayTable)
  /// Nodes that hosts share, and the table of this host, if there is one, which is asked first.
  case nodes(FleetAdministration, localTable: SharedReplayTable?)
  case unreachable
}

/// A replay memory's answer to the claim of a token, as far as looking can tell. Nothing is claimed.
struct ExplainedUse: Sendable {
  /// The state that would let the token pass, in words.
  let expected: String
  /// One text, or one for each node.
  let findings: [String]
  /// The outcome of a claim; nil: no verdict.
  let decision: UseOutcome?
  /// The reason why there is no verdict.
  let fault: Fault
  /// The second in which the token was used first, since 1970, where the memory knows it.
  private(set) var firstUseSecond: Int64?

  /// Nil where there is nothing to look at.
  init?(of claim: UseClaim, in memory: PeekedMemory) {
    switch memory {
    case .none: return nil
    case .unreachable:
      self.init(
        expected: "a replay memory that answers", findings: ["it cannot be asked"],
        .failure(.replayMemoryUnavailable))
    case .table(let table): self.init(of: claim, in: table)
    case .nodes(let nodes, let table):
      if let table, table.isUsed(claim) {
        self.init(expected: Self.unusedOnThisHost, findings: ["used on this host"], .success(.alreadyUsed))
      } else {
        self.init(of: claim, askedOf: nodes)
      }
    }
  }

  private static let unusedOnThisHost =
    "no use that this host's table remembers; this is a peek, and claims nothing"

  private init(expected: String, findings: [String], _ answer: Result<UseOutcome, Fault>) {
    (self.expected, self.findings) = (expected, findings)
    switch answer {
    case .success(let outcome): (decision, fault) = (outcome, .replayMemoryUnavailable)
    case .failure(let fault): (decision, self.fault) = (nil, fault)
    }
  }

  private init(of claim: UseClaim, in table: SharedReplayTable) {
    let answer = table.peek(at: claim)
    let why = if case .failure = answer { table.condition(at: claim.now).cause } else { String?.none }
    let finding = why.map { "no answer: \($0)" } ?? Self.finding(answer)
    self.init(expected: Self.unusedOnThisHost, findings: [finding], answer)
  }

  private init(of claim: UseClaim, askedOf nodes: FleetAdministration) {
    let peeks = nodes.peek(at: claim.identity, issueTime: claim.issueTime)
    var tally = Tally(nodes: peeks.count, ballot: Ballot(.random(), second: 0))
    for peek in peeks {
      guard let answer = peek.answer else { continue }
      tally.count(answer, from: peek.number)
      if case .present(let word) = answer {
        firstUseSecond = min(firstUseSecond ?? .max, Int64(clamping: word.second))
      }
    }
    decision = tally.decision(at: .now)
    fault = .replayMemoryUnavailable
    expected = "votes of \(nodes.address.votesNeeded) of \(peeks.count) nodes; this is a peek, and claims nothing"
    findings = peeks.map { peek in "node \(peek.number) (\(peek.address)): \(Self.finding(peek))" }
  }

  /// Nil if a verification would not refuse the token.
  var reason: Reason? {
    switch decision {
    case .alreadyUsed, .granted(.retry): .alreadyUsed
    case .expired: .expiredForReplayMemory
    case .predatesMemory: .predatesReplayMemory
    case .granted(.first), .granted(.notEnforced), nil: nil
    }
  }

  private static func finding(_ answer: Result<UseOutcome, Fault>) -> String {
    switch answer {
    case .success(.granted): "not used"
    case .success(.alreadyUsed): "used"
    case .success(.expired): "it has expired by the latest clock that the table has seen"
    case .success(.predatesMemory): "the table vouches only for tokens that were issued later"
    case .failure(let fault): "no answer: \(fault.answer.wireName)"
    }
  }

  private static func finding(_ peek: NodePeek) -> String {
    switch peek.answer {
    case .new: "not used; it would vote for it"
    case .present: "used"
    case .forgotten: "does not know whether it was used, because it vouches only for tokens that were issued later"
    case .ahead: "no vote, because the token was issued too far ahead of the node's clock"
    case nil: peek.reason ?? "no answer"
    }
  }
}
