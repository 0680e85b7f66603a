package import MediaToken

/// A replay memory that an explanation looks at. Nothing is ever claimed in it.
package enum PeekedMemory: Sendable {
  /// One use is not enforced.
  case none
  case table(SharedReplayTable)
  /// Nodes that hosts share, and the table of this host, if there is one, which is asked first. While hosts move the old fleet's, then
  /// the new one's; `until` is that of the move.
  case nodes([FleetAdministration], until: Int64?, localTable: SharedReplayTable?)
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
    case .nodes(let fleets, let until, let table):
      if let table, table.isUsed(claim) {
        self.init(expected: Self.unusedOnThisHost, findings: ["used on this host"], .success(.alreadyUsed))
      } else {
        self.init(of: claim, askedOf: fleets, until: until)
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

  /// While hosts move, the second fleet is looked at for what the first one would grant, as a claim would be asked.
  private init(of claim: UseClaim, askedOf fleets: [FleetAdministration], until: Int64?) {
    var moving = until.map { JointTally(issueTime: claim.issueTime, until: $0) }
    var (votes, findings, first): ([String], [String], Int64?) = ([], [], nil)
    var answer: Result<UseOutcome, Fault>?
    for fleet in fleets where answer == nil {
      let side = moving.map { "\($0.asks.rawValue) \(fleet.address.name), " } ?? ""
      let peeks = fleet.peek(at: claim.identity, issueTime: claim.issueTime)
      var tally = Tally(nodes: peeks.count, ballot: Ballot(.random(), second: 0))
      for peek in peeks {
        guard let answer = peek.answer else { continue }
        tally.count(answer, from: peek.number)
        if case .present(let ballot) = answer { first = min(first ?? .max, Int64(clamping: ballot.second)) }
      }
      votes.append("\(fleet.address.votesNeeded) of \(peeks.count) nodes")
      findings += peeks.map { peek in "\(side)node \(peek.number) (\(peek.address)): \(Self.finding(peek))" }
      if moving?.asks == .from, peeks.count(where: \.isRetired) >= fleet.address.votesNeeded {
        moving?.retire()
        continue
      }
      let said: Result<UseOutcome, Fault> =
        tally.decision(at: .now).map { .success($0) } ?? .failure(.replayMemoryUnavailable)
      answer = moving == nil ? said : moving?.count(said)
    }
    self.init(
      expected: "votes of \(votes.joined(separator: " and of ")); this is a peek, and claims nothing",
      findings: findings, answer ?? .failure(.replayMemoryUnavailable))
    firstUseSecond = first
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
