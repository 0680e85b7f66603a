internal import MediaTokenSystem

/// The parts of a fleet that all threads of a process share.
final class Fleet: Sendable {
  let policy: FleetPolicy
  let votesNeeded: Int
  /// True if the node is a database, whose data hosts maintain.
  let hasGrace: Bool
  /// The wait of a claim, in nanoseconds.
  let deadline: UInt64
  /// The time in which the same request is given its first answer again; 0: never.
  let retryWindowMilliseconds: Int64
  /// The second lock, of this host alone.
  let localTable: SharedReplayTable?
  let engine: any NodeEngine
  let clock: FleetClock
  let health: FleetHealth
  let durations = AskDurations()
  private let forkMark: ForkMark

  /// An error for a number out of its range, a local table that does not open, or a system without memory.
  init(_ options: FleetOptions, engine: (FleetClock) throws(Problem) -> any NodeEngine) throws(Problem) {
    let allowed = Setting.deadline.range
    guard allowed.contains(Int64(options.deadlineMilliseconds)) else {
      throw Problem(
        "expected a deadline of \(allowed.lowerBound) to \(allowed.upperBound) ms, found \(options.deadlineMilliseconds)"
      )
    }
    policy = try options.times()
    (votesNeeded, hasGrace) = (options.address.votesNeeded, options.address.hasGrace)
    deadline = UInt64(options.deadlineMilliseconds) * 1_000_000
    retryWindowMilliseconds = max(0, options.retryWindowMilliseconds)
    forkMark = try rethrow(ForkMark()) { (error: SystemError) in Problem("madvise failed: \(error)") }
    localTable = try options.openLocalTable()
    clock = FleetClock()
    health = FleetHealth(options.address)
    self.engine = try engine(clock)
  }

  var nodes: Int { health.records.count }

  /// A child that was forked from the fleet's opener may use nothing of it.
  var isForked: Bool { forkMark.isForked }

  /// True if the same request is given its first answer again.
  func isRepeatable(_ claim: UseClaim) -> Bool { retryWindowMilliseconds > 0 && claim.request != nil }

  /// This host's own answer to a claim; nil if the nodes must be asked. It keeps replays off the nodes. A fault in a forked
  /// child, and for times that do not fit or that no floor covers.
  func outcomeWithoutNodes(of claim: UseClaim) throws(Fault) -> UseOutcome? {
    guard !isForked, let end = endSecond(of: claim), claim.now.millisecondsSinceEpoch >= 0 else {
      throw .replayMemoryUnavailable
    }
    if claim.now.millisecondsSinceEpoch / 1000 >= end { return .expired }
    guard covers(claim) else { throw .replayMemoryUnavailable }
    return localTable?.isUsed(claim) == true ? .alreadyUsed : nil
  }

  /// The end of a token's life, in whole seconds since the epoch: a function of the token and the fleet alone. Nil if its
  /// times do not fit.
  func endSecond(of claim: UseClaim) -> Int64? {
    let life = min(claim.ttlMilliseconds, policy.maxTTLMilliseconds) + policy.expiryToleranceMilliseconds
    let (end, overflow) = claim.issueTime.millisecondsSinceEpoch.addingReportingOverflow(life + 999)
    return overflow || claim.ttlMilliseconds < 0 ? nil : end.flooredDivision(by: 1000).quotient
  }

  /// True if a token is issued no further ahead of its claimer's clock than it may be: the floor of a new node relies
  /// on this.
  func covers(_ claim: UseClaim) -> Bool {
    let (ahead, overflow) = claim.issueTime.millisecondsSinceEpoch.subtractingReportingOverflow(
      claim.now.millisecondsSinceEpoch)
    return !overflow && ahead <= policy.futureToleranceMilliseconds
  }
}
