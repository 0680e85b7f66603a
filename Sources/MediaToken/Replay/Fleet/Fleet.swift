internal import MediaTokenSystem
internal import Synchronization

/// What all threads of a process share of a fleet.
final class Fleet: Sendable {
  let policy: FleetPolicy
  let votesNeeded: Int
  /// Whether the seat is a database, whose data hosts attend.
  let hasGrace: Bool
  /// For how long a claim waits, in nanoseconds.
  let deadline: UInt64
  /// For how long the same request is given its first answer again; 0: never.
  let retryWindowMilliseconds: Int64
  /// The second lock, of this host alone.
  let localTable: SharedReplayTable?
  let engine: any SeatEngine
  let clock: FleetClock
  let health: FleetHealth
  let undecided = UndecidedClaims()
  let asked = Monitor(AskedIdentities<JoinedWaiter>())
  let durations = AskDurations()
  /// How many claims wait for their answers.
  let waiting = Atomic<Int>(0)
  private let forkMark: ForkMark

  /// - Throws: ``FleetError`` for a number out of its range, a local table that does not open, or a system without memory.
  init(_ options: FleetOptions, engine: (FleetClock) throws(FleetError) -> any SeatEngine) throws(FleetError) {
    guard FleetOptions.deadlines.contains(options.deadlineMilliseconds) else {
      throw .deadline(found: options.deadlineMilliseconds)
    }
    policy = try options.times()
    (votesNeeded, hasGrace) = (options.address.votesNeeded, options.address.hasGrace)
    deadline = UInt64(options.deadlineMilliseconds) * 1_000_000
    retryWindowMilliseconds = max(0, options.retryWindowMilliseconds)
    forkMark = try rethrow(ForkMark()) { (error: SystemError) in FleetError.system("madvise", error) }
    localTable = try options.openLocalTable()
    clock = FleetClock()
    health = FleetHealth(options.address)
    self.engine = try engine(clock)
  }

  var seats: Int { health.records.count }

  /// Whether this process was forked from the one that opened the fleet: it may use nothing of it.
  var isForked: Bool { forkMark.isForked }

  /// What this host knows of a claim by itself; nil if the seats must be asked. It keeps replays off the seats.
  ///
  /// - Throws: ``Refusal/Fault/replayMemoryUnavailable`` in a forked child, and for times that do not fit or that no floor covers.
  func outcomeWithoutSeats(of claim: UseClaim) throws(Fault) -> UseOutcome? {
    guard !isForked, let end = endSecond(of: claim), claim.now.millisecondsSinceEpoch >= 0 else {
      throw .replayMemoryUnavailable
    }
    if claim.now.millisecondsSinceEpoch / 1000 >= end { return .expired }
    guard covers(claim) else { throw .replayMemoryUnavailable }
    return localTable?.isUsed(claim) == true ? .alreadyUsed : nil
  }

  /// When a token's life is over, in whole seconds since the epoch: a function of the token and the fleet alone. Nil if its
  /// times do not fit.
  func endSecond(of claim: UseClaim) -> Int64? {
    let life = min(claim.ttlMilliseconds, policy.maxTTLMilliseconds) + policy.expiryToleranceMilliseconds
    let (end, overflow) = claim.issueTime.millisecondsSinceEpoch.addingReportingOverflow(life + 999)
    return overflow || claim.ttlMilliseconds < 0 ? nil : end.flooredDivision(by: 1000).quotient
  }

  /// Whether a token is issued no further ahead of its claimer's clock than it may be: what the floor of a newborn seat
  /// relies on.
  func covers(_ claim: UseClaim) -> Bool {
    let (ahead, overflow) = claim.issueTime.millisecondsSinceEpoch.subtractingReportingOverflow(
      claim.now.millisecondsSinceEpoch)
    return !overflow && ahead <= policy.futureToleranceMilliseconds
  }
}
