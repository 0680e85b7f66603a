/// What a node says, and what follows for its claims.
extension DeskState {
  /// Counts a node's answers; nil if it has none for these claims.
  mutating func hear(
    _ said: [NodeAnswer]?, to taken: TakenClaims, from node: Int, at time: UInt64, _ ends: inout [ClaimEnd]
  ) {
    let record = fleet.health.records[node - 1]
    let answers = said?.count == taken.numbers.count ? said : nil
    var kinds = ReplyKinds()
    var late = 0
    for (index, number) in taken.numbers.enumerated() {
      let isOpen = claims[number] != nil
      if let answers { kinds.count(answers[index], to: taken.batch.claims[index].ballot) }
      if !isOpen, time >= taken.deadline { late += 1 }
      if isOpen { hear(answers?[index], to: number, from: node, at: time, &ends) }
    }
    if late == taken.numbers.count {
      record.count(.late, late)
    } else if answers == nil {
      record.count(.error, taken.numbers.count)
    } else {
      kinds.tell(record)
    }
  }

  private mutating func hear(
    _ answer: NodeAnswer?, to number: UInt64, from node: Int, at time: UInt64, _ ends: inout [ClaimEnd]
  ) {
    let outcome = claims.change(number) { open -> UseOutcome? in
      guard open.place == .asked else { return nil }
      open.answered.insert(node)
      if let answer { open.tally.count(answer, from: node) }
      return open.tally.decision(at: open.claim.now)
    }
    guard let open = claims[number], open.place == .asked else { return }
    if let outcome = outcome ?? nil {
      decide(number, open, outcome, at: time, &ends)
    } else if open.answered == open.asked, open.returned.count == 0, !isAnotherConnected(open.asked) {
      // No answer can come any more.
      fail(number, at: time, &ends)
    }
  }

  private func isAnotherConnected(_ asked: NodeSet) -> Bool {
    nodes.indices.contains { !asked.contains($0 + 1) && nodes[$0].isConnected }
  }

  private mutating func decide(
    _ number: UInt64, _ open: OpenClaim, _ outcome: UseOutcome, at time: UInt64, _ ends: inout [ClaimEnd]
  ) {
    fleet.durations.count(1, after: time &- open.since)
    guard isUnsettled(outcome, open) else { return end(number, .success(outcome), at: time, &ends) }
    _ = claims.change(number) { $0.place = .settling }
    ends.append(
      ClaimEnd(
        door: open.door, name: open.name, result: .success(outcome),
        unsettled: .init(number: number, claim: open.claim)))
    trimLog()
  }

  /// While hosts move, what one fleet grants is not yet what both do, and the table has the last word after both.
  private func isUnsettled(_ outcome: UseOutcome, _ open: OpenClaim) -> Bool {
    switch open.side {
    case nil: outcome == .firstUse && fleet.localTable != nil
    case .from?, .to?: if case .granted = outcome { true } else { false }
    }
  }

  /// A claim has its last word, which is not this fleet's.
  mutating func settle(
    _ number: UInt64, _ result: Result<UseOutcome, Fault>, at time: UInt64, _ ends: inout [ClaimEnd]
  ) {
    guard let open = remove(number) else { return }
    if case .failure = result { keepBallot(of: open) }
    endIdentity(of: open, result, at: time, &ends)
  }
}

/// The answers of each kind in a reply.
struct ReplyKinds {
  private var counts = InlineArray<7, Int>(repeating: 0)  // NodeReplyKind.allCases

  mutating func count(_ answer: NodeAnswer, to ballot: Ballot) {
    let kind: NodeReplyKind =
      switch answer {
      case .new: .new
      case .present(let stored): stored.id == ballot.id ? .ours : .other
      case .forgotten: .forgotten
      case .ahead: .ahead
      }
    counts[kind.index] += 1
  }

  func tell(_ record: NodeRecord) {
    for kind in NodeReplyKind.allCases { record.count(kind, counts[kind.index]) }
  }
}
