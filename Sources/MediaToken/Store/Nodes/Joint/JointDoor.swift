internal import MediaTokenSystem

/// The door for claims of one caller, at the old fleet's desk and then at the new one's: what is granted there goes on.
final class JointDoor: ClaimDoor {
  private let move: FleetMove
  private let door: any ClaimDoor
  private let state: Monitor<State>

  private struct State {
    /// Each has the name of its place here.
    var claims: [JointClaim]
    /// The places of claims that the old fleet has granted, or has none to grant, since the last ring.
    var granted: [Int] = []
    /// The caller's door was put an end since then.
    var hasEnds = false
  }

  private struct JointClaim {
    let new: NewClaim
    var tally: JointTally
    /// What waits for the last word.
    var end: JointClaimEnd

    /// Each desk takes the ballot that it kept itself, if it has one: a ballot that is kept is taken by one claim, so the other fleet
    /// must not be asked with it.
    func part(_ place: Int) -> NewClaim {
      NewClaim(
        claim: new.claim, name: UInt64(place), caller: new.caller, ballot: new.ballot, side: tally.asks)
    }
  }

  init(_ move: FleetMove, _ door: any ClaimDoor, _ claims: [NewClaim]) {
    (self.move, self.door) = (move, door)
    state = Monitor(
      State(
        claims: claims.map {
          JointClaim(
            new: $0, tally: JointTally(issueTime: $0.claim.issueTime, until: move.until),
            end: JointClaimEnd(move: move))
        }))
  }

  /// The claims as the old fleet's desk is asked about them.
  var parts: [NewClaim] { state.current.claims.enumerated().map { $1.part($0) } }

  /// The caller knows a claim by its number at the old fleet's desk.
  func takes(_ name: UInt64, as number: UInt64) -> Bool {
    let claim = state.current.claims[Int(name)]
    return claim.tally.asks == .to || door.takes(claim.new.name, as: number)
  }

  func put(_ end: ClaimEnd) -> Bool {
    let (place, door, move) = (Int(end.name), door, move)
    let last: ClaimEnd? = state.change { state in
      // A claim that had joined another has what follows from that one's outcome.
      let side = state.claims[place].tally.asks
      if case .failure = end.result, side == .from, move.from.isRetired {
        state.claims[place].tally.retire()
        state.granted.append(place)
        return nil
      }
      let isJoined = side == .from && end.unsettled == nil
      let outcome = isJoined ? end.result : state.claims[place].tally.count(end.result)
      switch side {
      case .from: state.claims[place].end.old = end.unsettled
      case .to: state.claims[place].end.new = end.unsettled
      }
      guard let outcome else {
        state.granted.append(place)
        return nil
      }
      state.hasEnds = true
      let claim = state.claims[place]
      return ClaimEnd(
        door: door, name: claim.new.name, result: outcome, unsettled: claim.end.old ?? claim.end.new,
        settler: claim.end)
    }
    return last.map { door.put($0) || settles($0) } ?? true
  }

  /// A claim whose caller has left is settled all the same.
  private func settles(_ end: ClaimEnd) -> Bool {
    _ = end.settled()
    return true
  }

  func ring() {
    let (granted, hasEnds) = state.change { state in
      defer { (state.granted, state.hasEnds) = ([], false) }
      return (state.granted.map { state.claims[$0].part($0) }, state.hasEnds)
    }
    if !granted.isEmpty { move.to.desk.ask(granted, of: self) }
    if hasEnds { door.ring() }
  }
}
