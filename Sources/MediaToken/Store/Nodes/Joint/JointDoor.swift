internal import MediaTokenSystem

/// The door of the old fleet's desk for claims of one caller: what is granted there goes on to the new fleet's desk.
final class FirstDoor: ClaimDoor {
  private let move: FleetMove
  private let door: any ClaimDoor
  private let claims: [NewClaim]
  private let heard = Monitor(Heard())

  private struct Heard {
    var granted: [GrantedClaim] = []
    /// The caller's door was put an end.
    var hasEnds = false
  }

  init(_ move: FleetMove, _ door: any ClaimDoor, _ claims: [NewClaim]) {
    (self.move, self.door, self.claims) = (move, door, claims)
  }

  /// The claims as the desk is asked about them, by their places here.
  var parts: [NewClaim] {
    claims.enumerated().map { place, new in
      NewClaim(claim: new.claim, name: UInt64(place), caller: new.caller, ballot: new.ballot, side: .from)
    }
  }

  func takes(_ name: UInt64, as number: UInt64) -> Bool { door.takes(claims[Int(name)].name, as: number) }

  func put(_ end: ClaimEnd) -> Bool {
    let new = claims[Int(end.name)]
    var tally = JointTally(issueTime: new.claim.issueTime, until: move.until)
    // A claim that had joined another has what follows from that one's outcome.
    let outcome = end.unsettled == nil ? end.result : tally.count(.decided(end.result))
    if outcome == nil, let unsettled = end.unsettled {
      heard.change { $0.granted.append(GrantedClaim(new: new, tally: tally, unsettled: unsettled)) }
      return true
    }
    heard.change { $0.hasEnds = true }
    return door.put(
      ClaimEnd(
        door: door, name: new.name, result: outcome ?? end.result, unsettled: end.unsettled, settler: move))
  }

  func ring() {
    let heard = heard.change { heard in
      defer { heard = Heard() }
      return heard
    }
    if !heard.granted.isEmpty {
      let second = SecondDoor(move, door, heard.granted)
      move.to.desk.ask(second.parts, of: second)
    }
    if heard.hasEnds { door.ring() }
  }
}

/// A claim that the old fleet has granted.
struct GrantedClaim {
  let new: NewClaim
  let tally: JointTally
  /// At the old fleet's desk, where it waits for its last word.
  let unsettled: ClaimEnd.Unsettled
}

/// The door of the new fleet's desk.
private final class SecondDoor: ClaimDoor {
  private let move: FleetMove
  private let door: any ClaimDoor
  private let claims: [GrantedClaim]

  init(_ move: FleetMove, _ door: any ClaimDoor, _ claims: [GrantedClaim]) {
    (self.move, self.door, self.claims) = (move, door, claims)
  }

  /// The ballot is that of the old fleet, which may be one that was kept.
  var parts: [NewClaim] {
    claims.enumerated().map { place, granted in
      NewClaim(
        claim: granted.new.claim, name: UInt64(place), caller: granted.new.caller, ballot: granted.unsettled.ballot,
        side: .to)
    }
  }

  /// A claim whose caller has left is settled all the same.
  func put(_ end: ClaimEnd) -> Bool {
    let granted = claims[Int(end.name)]
    var tally = granted.tally
    let outcome = tally.count(.decided(end.result)) ?? .failure(.replayMemoryUnavailable)
    let last = ClaimEnd(
      door: door, name: granted.new.name, result: outcome, unsettled: granted.unsettled, settler: move)
    if !door.put(last) { _ = last.settled() }
    return true
  }

  func ring() { door.ring() }
}
