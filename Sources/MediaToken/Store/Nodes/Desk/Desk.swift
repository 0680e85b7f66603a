internal import MediaTokenSystem
internal import Synchronization

/// The one place of a process where claims wait for the nodes of a fleet.
///
/// Doors bring claims: threads with a loop, tasks, and callers that wait. Those who ask the nodes take what waits, and tell what a
/// node said. All of it is one ``DeskState`` under one lock, and is changed nowhere else.
final class Desk: ClaimDesk, ClaimSettler {
  let fleet: Fleet
  private let askers: any NodeAskers
  private let state: Monitor<DeskState>
  private static let opened = Atomic<UInt64>(0)

  /// Nothing is asked until ``NodeAskers/start(for:)``.
  init(_ fleet: Fleet, _ askers: any NodeAskers, at time: UInt64 = MonotonicTime.now, firstNumber: UInt64 = 0) {
    (self.fleet, self.askers) = (fleet, askers)
    state = Monitor(DeskState(fleet, at: time, firstNumber: firstNumber))
  }

  /// Starts the threads that ask the nodes. An error if the system has no thread or descriptor left.
  convenience init(opening fleet: Fleet) throws(SystemError) {
    let askers = try fleet.engine.makeAskers(fleet.health.records)
    // While hosts move there are two desks, and a number leads to one of them.
    let desk = Self.opened.wrappingAdd(1, ordering: .relaxed).newValue
    self.init(fleet, askers, firstNumber: desk << 48)
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

  func outcomeWithoutNodes(of claim: UseClaim) throws(Fault) -> UseOutcome? {
    try fleet.outcomeWithoutNodes(of: claim)
  }

  @discardableResult
  func ask(_ claims: [NewClaim], of door: any ClaimDoor, at time: UInt64 = MonotonicTime.now) -> UInt64 {
    change { $0.add(claims, of: door, at: time, &$1) }
  }

  @discardableResult
  func withdraw(_ number: UInt64, at time: UInt64 = MonotonicTime.now) -> Bool {
    change { $0.withdraw(number, at: time, &$1) }
  }

  func settle(_ end: ClaimEnd) -> Result<UseOutcome, Fault> {
    guard let unsettled = end.unsettled, let table = fleet.localTable else { return end.result }
    let result = Result { () throws(Fault) in try table.spend(unsettled.claim) }
    settle(unsettled.number, result)
    return result
  }

  /// The last word of a claim that waits for it.
  func settle(_ number: UInt64, _ result: Result<UseOutcome, Fault>) {
    change { $0.settle(number, result, at: MonotonicTime.now, &$1) }
  }

  private func deliver(_ ends: [ClaimEnd]) {
    var doors: [any ClaimDoor] = []
    for var end in ends {
      if end.unsettled != nil { end.settler = self }
      if !end.door.put(end) { _ = end.settled() } else if doors.last !== end.door { doors.append(end.door) }
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
