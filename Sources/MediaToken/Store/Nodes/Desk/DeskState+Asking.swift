/// What the nodes are asked.
extension DeskState {
  /// The claims that a node is sent next, which can be asked now; nil if there is nothing to ask it.
  mutating func take(for node: Int, at time: UInt64) -> TakenClaims? {
    var numbers: [UInt64] = []
    let view = nodes[node - 1]
    var returned = view.returned
    while numbers.count < ClaimBatch.mostClaims, let number = returned.popLast() {
      if isWanted(number, by: node, at: time) { numbers.append(number) }
    }
    var place = max(view.next, log.first)
    while numbers.count < ClaimBatch.mostClaims, place < log.end {
      if let number = log[place], isWanted(number, by: node, at: time) { numbers.append(number) }
      place &+= 1
    }
    if place == log.end, mayDecide(nodes.count(where: \.isUsable)) {
      takeTurns(ClaimBatch.mostClaims - numbers.count, at: time, &numbers)
      place = log.end
    }
    (nodes[node - 1].returned, nodes[node - 1].next) = (returned, place)
    return numbers.isEmpty ? nil : batch(numbers, for: node)
  }

  private func isWanted(_ number: UInt64, by node: Int, at time: UInt64) -> Bool {
    claims[number].map { $0.place == .asked && $0.deadline > time && !$0.asked.contains(node) } == true
  }

  /// Takes claims out of the line, in their callers' turns.
  private mutating func takeTurns(_ most: Int, at time: UInt64, _ numbers: inout [UInt64]) {
    var most = most
    while most > 0, !line.isEmpty {
      var turns: [UInt64] = []
      line.take(most, into: &turns)
      for number in turns {
        // One that was given up, or is too late.
        guard let open = claims[number], open.deadline > time else { continue }
        _ = claims.change(number) { $0.place = .asked }
        log.append(number)
        numbers.append(number)
        most -= 1
      }
    }
    if line.isEmpty { gaps = 0 }
  }

  /// Those of one second follow each other: a node takes them with one command.
  private mutating func batch(_ numbers: [UInt64], for node: Int) -> TakenClaims {
    var numbers = numbers
    let first = numbers.first.flatMap { claims[$0]?.claim.issueTime }
    if numbers.contains(where: { claims[$0]?.claim.issueTime != first }) {
      let order = numbers.map { ($0, claims[$0]?.claim.issueTime.millisecondsSinceEpoch ?? 0) }
      numbers = order.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
    }
    var batch = ClaimBatch()
    var deadline: UInt64 = 0
    for number in numbers {
      _ = claims.change(number) { open in
        open.asked.insert(node)
        open.returned.remove(node)
        deadline = max(deadline, open.deadline)
        batch.add(ClaimBatch.Claim(open.claim.identity, issueTime: open.claim.issueTime, ballot: open.tally.ballot))
      }
    }
    return TakenClaims(numbers: numbers, batch: batch, deadline: deadline)
  }

  /// A connection was lost: its node is asked again when there is another. The same ballots are the same claims.
  mutating func giveBack(_ taken: TakenClaims, of node: Int) {
    for number in taken.numbers {
      let isOpen = claims.change(number) { open -> Bool in
        guard open.place == .asked, !open.answered.contains(node) else { return false }
        open.asked.remove(node)
        open.returned.insert(node)
        return true
      }
      if isOpen == true { nodes[node - 1].returned.append(number) }
    }
  }

  // MARK: line and log

  /// Forgets what was asked and has ended, as no node needs it any more.
  mutating func trimLog() {
    while let number = log[log.first], claims[number]?.place != .asked { _ = log.remove(log.first) }
  }

  /// A claim has ended that may be in the line: its place is a gap, and gaps go together.
  mutating func leaveLine(_ open: OpenClaim) {
    guard open.place == .waiting else { return }
    gaps += 1
    guard gaps > ClaimBatch.mostClaims, gaps * 2 > line.count else { return }
    let claims = claims
    _ = line.remove { claims[$0] == nil }
    gaps = 0
  }
}
