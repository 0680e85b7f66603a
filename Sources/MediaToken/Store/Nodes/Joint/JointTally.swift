/// Decides about a claim while hosts move from one fleet to another: which fleet is asked, and what follows from the answers. It reads no
/// clock and sends nothing.
///
/// Hosts that have not begun to move ask the old fleet alone, and hosts that are done ask the new one alone. A joint host
/// shares a fleet with each of them: it asks both, and grants a token only if no claim can have it from either.
package struct JointTally: Sendable, Hashable {
  private let issueSecond: Int64
  private let until: Int64
  /// The fleet that is to be asked now.
  package private(set) var asks = Side.from
  /// The use that the old fleet grants; nil: it has not answered, or is retired.
  private var use: VerifiedToken.Use?

  /// A fleet of a move.
  package enum Side: String, Sendable, Hashable, CaseIterable {
    /// The fleet that hosts leave.
    case from
    /// The fleet that they move to.
    case to
  }

  /// The answer of a fleet to one claim.
  package enum Answer: Sendable, Hashable {
    case decided(Result<UseOutcome, Fault>)
    /// So many of its nodes as decide say that it is retired, by the digest that this host has of it. Any other digest is a
    /// mistake in an address, and no retirement.
    case retired
  }

  /// `until` is the highest floor of the new fleet's initialisation, in seconds since the epoch: no host can have the new
  /// fleet alone before each token that was issued before it has ended.
  package init(issueTime: Instant, until: Int64) {
    self.until = until
    issueSecond = issueTime.millisecondsSinceEpoch.flooredDivision(by: 1000).quotient
  }

  /// Counts the answer of the fleet that was to be asked. The claim's outcome; nil: the new fleet is to be asked now, with the
  /// same ballot.
  ///
  /// - The old fleet's grant, also of a retry, is no outcome yet: a host with the new fleet alone may have granted the token to another claim.
  ///   Its refusals and faults are the outcome.
  /// - The new fleet's grant is the outcome, and a retry if either fleet says so.
  /// - A token that the new fleet does not vouch for is granted if it was issued before `until`. A later one may have been
  ///   granted before the new fleet lost its data: it stays refused.
  package mutating func count(_ answer: Answer) -> Result<UseOutcome, Fault>? {
    switch (asks, answer) {
    case (.from, .decided(.success(.granted(let use)))):
      (self.use, asks) = (use, .to)
      return nil
    case (.from, .retired):
      asks = .to
      return nil
    case (.from, .decided(let result)): return result
    case (.to, .decided(.success(.granted(let other)))):
      return .success(.granted(use == .retry ? .retry : other))
    case (.to, .decided(.success(.predatesMemory))):
      guard let use, issueSecond < until else { return .success(.predatesMemory) }
      return .success(.granted(use))
    case (.to, .decided(let result)): return result
    // Nothing moves on from the new fleet.
    case (.to, .retired): return .failure(.replayMemoryUnavailable)
    }
  }
}
