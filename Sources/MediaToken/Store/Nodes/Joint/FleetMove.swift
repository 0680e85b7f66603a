internal import MediaTokenSystem

/// The two fleets of a joint host, which moves from one to the other.
final class FleetMove: Sendable {
  let from: FleetMemory
  let to: FleetMemory
  /// The highest floor of the new fleet's initialisation, in seconds since the epoch.
  let until: Int64
  /// The time at which this host began to ask both.
  let beginning = MonotonicTime.now

  init(from: FleetMemory, to: FleetMemory, until: Int64) { (self.from, self.to, self.until) = (from, to, until) }

  /// This host's own answer to a claim; nil if nodes must be asked. Where the fleets' times differ the shorter one counts.
  func outcomeWithoutNodes(of claim: UseClaim) throws(Fault) -> UseOutcome? {
    if let outcome = try from.desk.outcomeWithoutNodes(of: claim) { return outcome }
    return try to.desk.outcomeWithoutNodes(of: claim)
  }

  /// The old fleet is asked; its grants go on to the new one.
  func ask(_ claims: [NewClaim], of door: any ClaimDoor, at time: UInt64) -> UInt64 {
    let door = JointDoor(self, door, claims)
    return from.desk.ask(door.parts, of: door, at: time)
  }

  /// One is enough: a second lock of one host.
  var localTable: SharedReplayTable? { to.localTable ?? from.localTable }
}

/// A claim that waits for its last word at the desks of those fleets which granted it.
struct JointClaimEnd: ClaimSettler {
  let move: FleetMove
  var old: ClaimEnd.Unsettled?
  var new: ClaimEnd.Unsettled?

  /// The word of this host's own table, after a first use. After a fault each desk keeps the ballot with which its own nodes granted the
  /// token: the next try here is granted it again.
  func settle(_ end: ClaimEnd) -> Result<UseOutcome, Fault> {
    var result = end.result
    if result == .success(.firstUse), let claim = (old ?? new)?.claim, let table = move.localTable {
      result = Result { () throws(Fault) in try table.spend(claim) }
    }
    if let old { move.from.desk.settle(old.number, result) }
    if let new { move.to.desk.settle(new.number, result) }
    return result
  }
}
