internal import MediaTokenSystem

/// The two fleets of a joint host, which moves from one to the other.
final class FleetMove: ClaimSettler {
  let from: FleetMemory
  let to: FleetMemory
  /// The highest floor of the new fleet's initialisation, in seconds since the epoch.
  let until: Int64

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

  // MARK: the last word

  /// One is enough: a second lock of one host.
  var localTable: SharedReplayTable? { to.localTable ?? from.localTable }

  /// That of this host's own table, after a first use.
  func settle(_ end: ClaimEnd) -> Result<UseOutcome, Fault> {
    guard let unsettled = end.unsettled else { return end.result }
    var result = end.result
    if result == .success(.firstUse), let table = localTable {
      result = Result { () throws(Fault) in try table.spend(unsettled.claim) }
    }
    // After a fault the old fleet's desk keeps the ballot: the next try here is granted it again, and asks the new fleet with it.
    from.desk.settle(unsettled.number, result)
    return result
  }
}
