internal import MediaTokenSystem
internal import Synchronization

/// The replay memory of many hosts: seats that vote, and at most one claim of a token that ever gets the votes.
///
/// For one identity at most one claim is ever answered ``UseOutcome/firstUse``, across hosts, through loss, restart,
/// roll-back, eviction and partition of any seats. A fault may lose a token, never grant it twice. The protocol is in
/// <doc:FleetProtocol>.
///
/// - Warning: The instants of claims must be the kernel's clock.
package final class FleetMemory: Sendable {
  let fleet: Fleet
  private let options: FleetOptions
  /// The next connection uses these. Connections that are open stay as they are.
  private let credentials: Monitor<FleetCredentials>
  private let makeEngine: EngineMaker
  private let handshakeMilliseconds: Int
  /// Connections for callers that wait, which are not in use now. The last one is taken first.
  private let idle = Monitor<[FleetClaims]>([])
  /// The callers that wait and have connections now.
  private let blocking = Monitor(0)

  typealias EngineMaker = @Sendable (FleetClock, Monitor<FleetCredentials>) throws(Problem) -> any SeatEngine

  /// The connections to a seat that are kept for callers that wait.
  private static let mostIdle = 64
  /// The time without use after which connections are closed, in nanoseconds: 60 s.
  private static let longestIdleness: UInt64 = 60_000_000_000

  /// Opens a fleet, and connects to its seats for two seconds at most. Seats that are down may come later. An error also
  /// for a seat that answers and must not be asked.
  convenience init(opening options: FleetOptions) throws(Problem) {
    try self.init(options, handshakeMilliseconds: 2000) { clock, credentials throws(Problem) in
      try options.makeEngine(clock, credentials)
    }
  }

  /// The same with seats of any kind, which are connected to for this long at most.
  init(
    _ options: FleetOptions, handshakeMilliseconds: Int, engine makeEngine: @escaping EngineMaker
  ) throws(Problem) {
    (self.options, self.handshakeMilliseconds, self.makeEngine) = (options, handshakeMilliseconds, makeEngine)
    let credentials = Monitor(try options.readCredentials())
    self.credentials = credentials
    fleet = try Fleet(options) { clock throws(Problem) in try makeEngine(clock, credentials) }
    try connect(for: UInt64(handshakeMilliseconds) * 1_000_000)
  }

  /// Waits until every seat was connected to, or has failed once.
  private func connect(for nanoseconds: UInt64) throws(Problem) {
    let claims = try rethrow(FleetClaims(fleet, at: MonotonicTime.now), as: Problem.digest)
    var now = MonotonicTime.now
    let end = now &+ nanoseconds
    while !fleet.health.isEverySeatTried, now < end {
      claims.tend(milliseconds: Int32((end &- now) / 1_000_000 + 1))
      now = MonotonicTime.now
    }
    if let wrong = fleet.health.wrongSeat {
      throw .seat(wrong.record.number, address: wrong.record.address, wrong.refusal)
    }
    putBack(claims)
  }

  // MARK: spending

  /// Fetches the local table's entries.
  package func prepare(for identity: TokenIdentity) { fleet.localTable?.prepare(for: identity) }

  /// Waits for the seats, until the fleet's deadline at most. ``Refusal/Fault/replayMemoryUnavailable`` if too few seats
  /// answer in time, in a forked child, and for claims whose times do not fit; the local table's faults.
  package func spend(_ claim: UseClaim) throws(Fault) -> UseOutcome {
    try spend([claim])[0].get()
  }

  /// Spends many tokens, each as if by itself, but with one message to each seat for 64 of them. The answers are in the
  /// claims' order.
  package func spend(_ claims: [UseClaim]) -> [Result<UseOutcome, Fault>] {
    var answers: [Result<UseOutcome, Fault>] = []
    for start in stride(from: 0, to: claims.count, by: ClaimBatch.mostClaims) {
      let batch = Array(claims[start..<min(claims.count, start + ClaimBatch.mostClaims)])
      var waiting = WaitingClaims(batch, fleet)
      while waiting.isAnyOpen {
        if waiting.mayAsk { ask(&waiting) }
        waiting.waitForOthers()
      }
      answers += waiting.answers
    }
    return answers
  }

  private func ask(_ waiting: inout WaitingClaims) {
    do throws(Fault) {
      let connections = try takeTurn(until: waiting.deadline)
      defer { endTurn(connections) }
      waiting.ask(connections)
    } catch {
      waiting.fail(error)
    }
  }

  /// Connections for a caller that waits, of which a database has few: it waits for one until the deadline of its claims.
  private func takeTurn(until end: UInt64) throws(Fault) -> FleetClaims {
    if fleet.isForked { throw .replayMemoryUnavailable }
    let most = fleet.engine.mostBlockingCallers
    while !takesTurn(of: most) {
      let now = MonotonicTime.now
      guard now < end else { throw .replayMemoryUnavailable }
      blocking.wait(atMostMilliseconds: (end - now) / 1_000_000 + 1) { $0 < most }
    }
    do throws(Fault) {
      return try takeOut()
    } catch {
      blocking.change { $0 -= 1 }
      throw error
    }
  }

  private func takesTurn(of most: Int) -> Bool {
    blocking.change { count in
      guard count < most else { return false }
      count += 1
      return true
    }
  }

  private func endTurn(_ claims: FleetClaims) {
    putBack(claims)
    blocking.change { $0 -= 1 }
  }

  func takeOut() throws(Fault) -> FleetClaims {
    if fleet.isForked { throw .replayMemoryUnavailable }
    if let unused = idle.change({ $0.popLast() }) { return unused }
    return try FleetClaims(fleet, at: MonotonicTime.now)
  }

  private func putBack(_ claims: FleetClaims) {
    // Connections that find no room are released after the lock.
    _ = idle.change { idle -> FleetClaims? in
      if idle.count >= Self.mostIdle { return claims }
      idle.append(claims)
      return nil
    }
  }

  // MARK: maintaining it

  package var localTable: SharedReplayTable? { fleet.localTable }

  /// Keeps alive connections that are not in use, and closes those that were not used for a minute; forgets ballots of
  /// tokens whose life is over; maintains the local table. Call it about once a second. Faults are the local table's, or of
  /// a forked child.
  package func maintain(at now: Instant) throws(Fault) {
    if fleet.isForked { throw .replayMemoryUnavailable }
    fleet.undecided.removeEnded(at: now.millisecondsSinceEpoch / 1000)
    // One after another, so that claims that are made meanwhile find the others.
    for _ in 0..<idle.current.count {
      guard let claims = idle.change({ $0.isEmpty ? nil : $0.removeFirst() }) else { break }
      claims.tend(milliseconds: 0)
      let isLast = idle.current.isEmpty
      if isLast || MonotonicTime.now &- claims.lastUsed < Self.longestIdleness { putBack(claims) }
    }
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
    // A child may have been forked while a thread of its parent had the seats' lock.
    let known = fleet.isForked ? nil : second
    return FleetReading(
      votesNeeded: fleet.votesNeeded, graceSeconds: fleet.hasGrace ? fleet.policy.graceSeconds : nil,
      seats: fleet.health.records.map { $0.reading(at: known) },
      undecidedClaims: max(0, fleet.waiting.load(ordering: .relaxed)) + fleet.undecided.number,
      askCounts: counts, askSeconds: seconds)
  }

  /// The events of seats since the last call, for the log: at most one event a second for each seat, and the latest of each
  /// kind.
  package func takeSeatEvents() -> [SeatNews] { takeSeatEvents(at: MonotonicTime.now) }

  func takeSeatEvents(at time: UInt64) -> [SeatNews] { fleet.isForked ? [] : fleet.health.takeNews(at: time) }

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

  /// The first time in which a policy differs from the fleet's, longer or shorter: hosts that differ share no seats.
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

  package func makePendingClaims() throws(Fault) -> any PendingClaims { try takeOut() }

  package func condition(at now: Instant) -> ReplayMemoryCondition {
    if fleet.isForked { return .seatsMissing(usable: 0, needed: fleet.votesNeeded) }
    let second = now.millisecondsSinceEpoch.flooredDivision(by: 1000).quotient
    let condition = fleet.health.condition(at: second)
    return condition == .usable ? localTable?.condition(at: now) ?? .usable : condition
  }

  package var seatTroubles: String? { fleet.isForked ? nil : fleet.health.troubles }

  package func readings(at now: Instant) -> [ReplayMemoryReading] {
    [.fleet(reading(at: now))] + (localTable?.readings(at: now) ?? [])
  }
}
