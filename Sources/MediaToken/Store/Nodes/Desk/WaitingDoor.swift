internal import MediaTokenSystem

extension ClaimDesk {
  /// Spends tokens for a caller that waits, each as if by itself, but with one message to each node for 64 of them. The answers are in
  /// the claims' order.
  func askAll(_ claims: [UseClaim]) -> [Result<UseOutcome, Fault>] {
    let most = 4 * ClaimBatch.mostClaims
    return stride(from: 0, to: claims.count, by: most).flatMap { start in
      askTogether(Array(claims[start..<min(claims.count, start + most)]))
    }
  }

  private func askTogether(_ claims: [UseClaim]) -> [Result<UseOutcome, Fault>] {
    var answers = [Result<UseOutcome, Fault>](repeating: .failure(.replayMemoryUnavailable), count: claims.count)
    var asked: [NewClaim] = []
    var ballots = BallotSource(atOnce: claims.count)
    let door = WaitingDoor()
    for (index, claim) in claims.enumerated() {
      do throws(Fault) {
        if let outcome = try outcomeWithoutNodes(of: claim) {
          answers[index] = .success(outcome)
        } else {
          asked.append(
            try ballots.newClaim(claim, named: UInt64(index), of: .waiting(ObjectIdentifier(door)), in: fleet))
        }
      } catch {
        answers[index] = .failure(error)
      }
    }
    if asked.isEmpty { return answers }
    ask(asked, of: door, at: MonotonicTime.now)
    var missing = asked.count
    while missing > 0 {
      // Each is settled as it comes: others may have joined it.
      for end in door.take() {
        answers[Int(end.name)] = end.settled()
        missing -= 1
      }
    }
    return answers
  }
}

/// The door of one caller that waits for all of its claims.
private final class WaitingDoor: ClaimDoor {
  private let ends = Monitor<[ClaimEnd]>([])

  func put(_ end: ClaimEnd) -> Bool {
    ends.change { $0.append(end) }
    return true
  }

  /// Waits until there are some.
  func take() -> [ClaimEnd] {
    ends.change(
      when: { !$0.isEmpty },
      { ends in
        defer { ends = [] }
        return ends
      })
  }
}
