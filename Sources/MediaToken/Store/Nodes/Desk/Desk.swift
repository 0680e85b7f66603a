internal import MediaTokenSystem

/// The one place of a process where claims wait for the nodes of a fleet.
///
/// Doors bring claims: threads with a loop, tasks, and callers that wait. Those who ask the nodes take what waits, and tell what a
/// node said. All of it is one ``DeskState`` under one lock, and is changed nowhere else.
final class Desk: Sendable {
  let fleet: Fleet
  private let askers: any NodeAskers
  private let state: Monitor<DeskState>

  /// Nothing is asked until ``NodeAskers/start(for:)``.
  init(_ fleet: Fleet, _ askers: any NodeAskers, at time: UInt64 = MonotonicTime.now) {
    (self.fleet, self.askers) = (fleet, askers)
    state = Monitor(DeskState(fleet, at: time))
  }

  /// Starts the threads that ask the nodes. An error if the system has no thread or descriptor left.
  convenience init(opening fleet: Fleet) throws(SystemError) {
    let askers = try fleet.engine.makeAskers(fleet.health.records)
    self.init(fleet, askers)
    try askers.start(for: self)
  }

  /// Nothing of it may be used in a forked child: a thread of the parent may have had the lock.
  var isForked: Bool { fleet.isForked }

  /// Ends the threads, and with a fault the claims that wait.
  func close() {
    if isForked { return }
    change { state, ends in state.close(at: MonotonicTime.now, &ends) }
    askers.end()
  }

  // MARK: doors

  /// Takes claims, which get consecutive numbers; the first one's is returned. Ends may come before it returns.
  @discardableResult
  func ask(_ claims: [NewClaim], of door: any ClaimDoor, at time: UInt64 = MonotonicTime.now) -> UInt64 {
    change { $0.add(claims, of: door, at: time, &$1) }
  }

  /// Gives up a claim that no node was asked about. False if one was, or if it has ended: then its token may be used.
  @discardableResult
  func withdraw(_ number: UInt64, at time: UInt64 = MonotonicTime.now) -> Bool {
    change { $0.withdraw(number, at: time, &$1) }
  }

  /// The result of an end: a first use of the fleet must be one of this host, too. On the door's thread, because the table's disk may
  /// be slow.
  func result(of end: ClaimEnd) -> Result<UseOutcome, Fault> {
    guard let (number, claim) = end.unsettled, let table = fleet.localTable else { return end.result }
    let result = Result { () throws(Fault) in try table.spend(claim) }
    change { $0.settle(number, result, at: MonotonicTime.now, &$1) }
    return result
  }

  private func deliver(_ ends: [ClaimEnd]) {
    var doors: [any ClaimDoor] = []
    for end in ends {
      if !end.door.put(end) { _ = result(of: end) } else if doors.last !== end.door { doors.append(end.door) }
    }
    for door in doors { door.ring() }
  }

  // MARK: nodes

  /// What those who ask the nodes do with the state. Ends are delivered after the lock.
  func exchange<Value>(_ body: (inout DeskState, inout [ClaimEnd]) -> Value) -> Value {
    var ends: [ClaimEnd] = []
    let value = state.change { body(&$0, &ends) }
    deliver(ends)
    return value
  }

  private func change<Value>(_ body: (inout DeskState, inout [ClaimEnd]) -> Value) -> Value {
    var ends: [ClaimEnd] = []
    let (value, reasons) = state.change { state in
      let value = body(&state, &ends)
      return (value, state.takeReasonsToWake())
    }
    if reasons.claims || reasons.alarm { askers.wake(forClaims: reasons.claims, forAlarm: reasons.alarm) }
    deliver(ends)
    return value
  }

  // MARK: maintaining it

  func removeEnded(at second: Int64) { state.change { $0.removeEnded(at: second) } }

  /// The claims that wait for their answers, and the ballots that are kept.
  var undecided: Int { isForked ? 0 : state.change { $0.undecided } }
}

/// The threads of a process that ask the nodes of a fleet.
protocol NodeAskers: Sendable {
  func start(for desk: Desk) throws(SystemError)

  /// The desk has claims, or an earlier deadline than its alarm. From any thread.
  func wake(forClaims: Bool, forAlarm: Bool)

  /// They end some time after this: one that waits for a node ends when its wait does.
  func end()
}
