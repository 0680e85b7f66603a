internal import MediaTokenSystem

/// The replay memory of many hosts: nodes that vote, and at most one claim of a token that ever gets the votes.
///
/// For one identity at most one claim is ever answered ``UseOutcome/firstUse``, across hosts, through loss, restart,
/// roll-back, eviction and partition of any nodes. A fault may lose a token, never grant it twice. The protocol is in
/// <doc:FleetProtocol>.
///
/// - Warning: The instants of claims must be the kernel's clock.
package final class FleetMemory: Sendable {
  let fleet: Fleet
  let desk: Desk
  let options: FleetOptions
  /// The next connection uses these. Connections that are open stay as they are.
  private let credentials: Monitor<FleetCredentials>
  private let makeEngine: EngineMaker
  private let handshakeMilliseconds: Int

  typealias EngineMaker = @Sendable (FleetClock, Monitor<FleetCredentials>) throws(Problem) -> any NodeEngine

  /// Opens a fleet, and connects to its nodes for two seconds at most. Nodes that are down may come later. An error also
  /// for a node that answers and must not be asked, and for a fleet that is retired, unless another one is asked, too.
  convenience init(opening options: FleetOptions, mayBeRetired: Bool = false) throws(Problem) {
    try self.init(options, handshakeMilliseconds: 2000) { clock, credentials throws(Problem) in
      try options.makeEngine(clock, credentials)
    }
    if isRetired, !mayBeRetired { throw .retired(options.address) }
  }

  /// The same with nodes of any kind, which are connected to for this long at most.
  init(
    _ options: FleetOptions, handshakeMilliseconds: Int, engine makeEngine: @escaping EngineMaker
  ) throws(Problem) {
    (self.options, self.handshakeMilliseconds, self.makeEngine) = (options, handshakeMilliseconds, makeEngine)
    let credentials = Monitor(try options.readCredentials())
    self.credentials = credentials
    fleet = try Fleet(options) { clock throws(Problem) in try makeEngine(clock, credentials) }
    desk = try rethrow(Desk(opening: fleet), as: Problem.noThread)
    fleet.health.waitUntilTried(atMostMilliseconds: UInt64(handshakeMilliseconds))
    if let wrong = fleet.health.wrongNode {
      desk.close()
      throw .node(wrong.record.number, address: wrong.record.address, wrong.refusal)
    }
  }

  deinit { desk.close() }

  // MARK: spending

  /// Fetches the local table's entries.
  package func prepare(for identity: TokenIdentity) { fleet.localTable?.prepare(for: identity) }

  /// Waits for the nodes, until the fleet's deadline at most. ``Refusal/Fault/replayMemoryUnavailable`` if too few nodes
  /// answer in time, in a forked child, and for claims whose times do not fit; the local table's faults.
  package func spend(_ claim: UseClaim) throws(Fault) -> UseOutcome {
    try spend([claim])[0].get()
  }

  package func spend(_ claims: [UseClaim]) -> [Result<UseOutcome, Fault>] { desk.askAll(claims) }

  /// Suspends the task until the nodes have answered.
  nonisolated(nonsending) package func spendLater(
    _ claim: UseClaim
  ) async throws(Refusal) -> Result<UseOutcome, Fault> { try await desk.askLater(claim) }

  // MARK: maintaining it

  package var localTable: SharedReplayTable? { fleet.localTable }

  /// True if so many nodes as decide say that all hosts have left it.
  package var isRetired: Bool { fleet.health.isRetired }

  /// Forgets ballots of tokens whose life is over, and maintains the local table. Call it about once a second. Faults are the local
  /// table's, or of a forked child.
  package func maintain(at now: Instant) throws(Fault) {
    if fleet.isForked { throw .replayMemoryUnavailable }
    desk.removeEnded(at: now.millisecondsSinceEpoch / 1000)
    try fleet.localTable?.maintain(at: now)
  }

  /// Reads the credentials file again. The next connections use it. After an error the former ones stay in use.
  package func readCredentialsAgain() throws(Problem) {
    credentials.exchange(for: try options.readCredentials())
  }

  /// For metrics and health checks.
  package func reading(at now: Instant) -> FleetReading {
    let (counts, seconds) = fleet.durations.totals
    let second = now.millisecondsSinceEpoch.flooredDivision(by: 1000).quotient
    // A child may have been forked while a thread of its parent had the nodes' lock.
    let known = fleet.isForked ? nil : second
    return FleetReading(
      votesNeeded: fleet.votesNeeded, graceSeconds: fleet.hasGrace ? fleet.policy.graceSeconds : nil,
      nodes: fleet.health.records.map { $0.reading(at: known) },
      undecidedClaims: desk.undecided,
      askCounts: counts, askSeconds: seconds)
  }

  /// The events of nodes since the last call, for the log: at most one event a second for each node, and the latest of each
  /// kind.
  package func takeNodeEvents() -> [NodeNews] { takeNodeEvents(at: MonotonicTime.now) }

  func takeNodeEvents(at time: UInt64) -> [NodeNews] { fleet.isForked ? [] : fleet.health.takeNews(at: time) }

  /// The same fleet for this process, which was forked from the one that opened it. It has connections and ballots of its
  /// own. An error if the policy is not the fleet's.
  package func reopenedAfterFork(policy: Policy) throws(Problem) -> FleetMemory {
    if let excess = excess(of: policy) {
      throw Problem(
        "expected a \(excess.setting) of \(excess.promised) ms, for which the fleet was opened, found \(excess.wanted)",
        cure: "other times mean another fleet, and all hosts move to it together")
    }
    return try FleetMemory(options, handshakeMilliseconds: handshakeMilliseconds, engine: makeEngine)
  }

  /// The first time in which a policy differs from the fleet's, longer or shorter: hosts that differ share no nodes.
  package func excess(of policy: Policy) -> ReplayTolerances.Excess? { tolerances.difference(from: policy) }

  /// The times that the fleet was made for.
  package var tolerances: ReplayTolerances {
    ReplayTolerances(
      maxTTLMilliseconds: fleet.policy.maxTTLMilliseconds,
      futureToleranceMilliseconds: fleet.policy.futureToleranceMilliseconds,
      expiryToleranceMilliseconds: fleet.policy.expiryToleranceMilliseconds)
  }
}

extension FleetMemory: Store {
  package var answersLater: Bool { true }

  package func makePendingClaims() throws(Fault) -> any PendingClaims { try LoopDoor(desk) }

  package func condition(at now: Instant) -> ReplayMemoryCondition {
    if fleet.isForked { return .nodesMissing(usable: 0, needed: fleet.votesNeeded) }
    let second = now.millisecondsSinceEpoch.flooredDivision(by: 1000).quotient
    let condition = fleet.health.condition(at: second)
    return condition == .usable ? localTable?.condition(at: now) ?? .usable : condition
  }

  package var nodeTroubles: String? { fleet.isForked ? nil : fleet.health.troubles }

  package func readings(at now: Instant) -> [ReplayMemoryReading] {
    [.fleet(reading(at: now))] + (localTable?.readings(at: now) ?? [])
  }
}
