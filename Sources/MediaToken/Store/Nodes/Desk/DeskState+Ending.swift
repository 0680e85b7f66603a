/// The ends of claims, and what follows for those that have joined them.
extension DeskState {
  /// Gives up a claim that no node has. False if one has, or if it has ended.
  mutating func withdraw(_ number: UInt64, at time: UInt64, _ ends: inout [ClaimEnd]) -> Bool {
    guard let open = claims[number], open.isUnsent else { return false }
    _ = remove(number)
    leaveLine(open)
    if open.origin == .kept { keepBallot(of: open) }
    if open.place == .waiting { endIdentity(of: open, .failure(.replayMemoryUnavailable), at: time, &ends) }
    return true
  }

  /// The least time from one look at all claims' deadlines to the next, 1 ms: each claim of a crowd would have one of its own.
  private static let expiryPause: UInt64 = 1_000_000

  /// What is undecided at its deadline is a fault.
  mutating func expire(at time: UInt64, _ ends: inout [ClaimEnd]) {
    guard time >= soonestDeadline else { return }
    for number in claims.numbers(where: { $0.place != .settling && $0.deadline <= time }) {
      fail(number, at: time, &ends)
    }
    soonestDeadline = max(claims.least { $0.place == .settling ? .max : $0.deadline }, time + Self.expiryPause)
  }

  mutating func close(at time: UInt64, _ ends: inout [ClaimEnd]) {
    isClosed = true
    for number in claims.numbers(where: { $0.place != .settling }) { fail(number, at: time, &ends) }
  }

  /// A fault. A ballot that a node may have stored is kept; one that went to no node is dropped.
  mutating func fail(_ number: UInt64, at time: UInt64, _ ends: inout [ClaimEnd]) {
    // One that had joined may have ended with the one before it.
    guard let open = claims[number] else { return }
    if open.place == .asked { fleet.durations.count(1, after: time &- open.since) }
    if open.place == .asked || open.origin == .kept { keepBallot(of: open) }
    end(number, .failure(.replayMemoryUnavailable), at: time, &ends)
    leaveLine(open)
  }

  mutating func end(
    _ number: UInt64, _ result: Result<UseOutcome, Fault>, at time: UInt64, _ ends: inout [ClaimEnd]
  ) {
    guard let open = remove(number) else { return }
    ends.append(ClaimEnd(door: open.door, name: open.name, result: result))
    if open.place != .joined { endIdentity(of: open, result, at: time, &ends) }
  }

  /// The claim that asked has its last word: those that have joined it take what follows, or one of them asks.
  mutating func endIdentity(
    of open: OpenClaim, _ result: Result<UseOutcome, Fault>, at time: UInt64, _ ends: inout [ClaimEnd]
  ) {
    var result = result
    while let end = identityEnd(of: open, result) {
      for (number, outcome) in end.answers {
        guard let joined = remove(number) else { continue }
        ends.append(ClaimEnd(door: joined.door, name: joined.name, result: .success(outcome)))
      }
      guard let next = end.next, !ask(next, at: time), let failed = remove(next) else { return }
      result = .failure(.replayMemoryUnavailable)
      ends.append(ClaimEnd(door: failed.door, name: failed.name, result: result))
    }
  }

  private mutating func identityEnd(
    of open: OpenClaim, _ result: Result<UseOutcome, Fault>
  ) -> AskedIdentities<UInt64>.End? {
    let claims = claims
    return identities.end(
      open.claim.identity, as: result, isWaiting: { claims[$0] != nil },
      isRetry: { open.tally.repeatsFirst(at: $0) })
  }

  mutating func remove(_ number: UInt64) -> OpenClaim? {
    guard let open = claims.remove(number) else { return nil }
    let left = counts[open.caller, default: 0] - 1
    counts[open.caller] = left > 0 ? left : nil
    trimLog()
    return open
  }

  // MARK: ballots

  mutating func keepBallot(of open: OpenClaim) {
    guard open.origin != .request, let end = fleet.endSecond(of: open.claim) else { return }
    kept.keep(
      open.tally.ballot, of: open.claim.identity, until: end, now: open.claim.now.millisecondsSinceEpoch / 1000)
  }
}
