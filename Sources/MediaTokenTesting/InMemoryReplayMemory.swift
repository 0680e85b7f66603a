public import MediaToken

/// A replay memory for tests: it keeps the rules in one process, and forgets everything when that ends.
public actor InMemoryReplayMemory: AsyncReplayMemory {
  private var used: Set<TokenIdentity> = []
  private var vouchesFrom: UnixTime?
  private var fault: Refusal.Fault?

  /// A memory that has forgotten nothing.
  public init() {}

  public func spend(_ claim: UseClaim) throws(Refusal.Fault) -> UseOutcome {
    if let fault { throw fault }
    if let vouchesFrom, claim.issueTime < vouchesFrom { return .predatesMemory }
    return used.insert(claim.identity).inserted ? .firstUse : .alreadyUsed
  }

  /// Makes the memory unreachable from now on, or reachable again with nil.
  public func fail(_ fault: Refusal.Fault?) { self.fault = fault }

  /// Makes the memory lose what it knew. It vouches for tokens that are issued from a minute later on: those that it has
  /// forgotten may have been issued by a clock that is ahead by as much as a policy tolerates.
  public func loseEverything(at now: UnixTime) { (used, vouchesFrom) = ([], now + .seconds(60)) }
}
