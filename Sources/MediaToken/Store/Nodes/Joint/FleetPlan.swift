internal import MediaTokenSystem

/// The fleets that a host is to ask, with their settings.
package enum FleetPlan: Sendable, Hashable {
  case one(FleetOptions)
  /// While hosts move: `until` is the highest floor of the new fleet's initialisation, in seconds since the epoch, and the same on all
  /// hosts.
  case joint(from: FleetOptions, to: FleetOptions, until: Int64)

  /// A move that takes longer has been forgotten.
  private static let mostSecondsAgo: Int64 = 7 * 86_400
  /// The seconds by which a floor may be above a host's clock, besides ``FleetPolicy/floorSeconds(hasGrace:)``: clocks differ by 5 s, and a
  /// node's may have been a minute ahead.
  private static let clockSeconds = FleetClock.tolerance + HeardTime.mostAhead

  /// An error for fleets that hosts can't move between, and for a time that can't be a floor.
  func check(at now: Instant) throws(Problem) {
    guard case .joint(let from, let to, let until) = self else { return }
    guard from.address.name != to.address.name else {
      throw Problem(
        "to", "both fleets have the name \(to.address.name)",
        cure: "give the new fleet a name of its own, and initialise it")
    }
    guard from.retryWindowMilliseconds == to.retryWindowMilliseconds else {
      throw Problem("the retry windows of both fleets differ", cure: "give the new one that of the old one")
    }
    let second = now.millisecondsSinceEpoch.flooredDivision(by: 1000).quotient
    let floor = try to.times().floorSeconds(hasGrace: to.address.hasGrace)
    let cure =
      "write the latest of the times from which the new fleet's nodes vouch, as mediatoken replay init printed it"
    guard until <= second + floor + Self.clockSeconds else {
      throw Problem(
        "until",
        "it is \(until - second) s ahead of this host's clock, and a new fleet vouches for tokens after \(floor) s",
        cure: cure)
    }
    guard until >= second - Self.mostSecondsAgo else {
      throw Problem(
        "until", "it is more than a week ago", cure: "\(cure); or name the new fleet alone, if all hosts have moved"
      )
    }
  }
}

extension FleetPlan {
  /// The seconds of the longest life of a token; and those after which what a host with the old fleet alone has granted is over, with
  /// the distance of its floors.
  static func waits(_ from: FleetOptions, _ to: FleetOptions) throws(Problem) -> (life: Int64, joined: Int64) {
    let old = try from.times()
    let life = max(old.lifeSeconds, try to.times().lifeSeconds)
    return (life, life + old.floorSeconds(hasGrace: from.address.hasGrace))
  }

  /// An error while the new fleet must not decide alone. Else the seconds for which every host must have had both fleets before it may:
  /// a host knows that of itself only, as `joinedFor`.
  package static func checkEnd(
    _ from: FleetOptions, _ to: FleetOptions, until: Int64, at now: Instant, joinedFor: Int64? = nil
  ) throws(Problem) -> Int64 {
    let (life, seconds) = try waits(from, to)
    let ofTokens = until + life - now.millisecondsSinceEpoch.flooredDivision(by: 1000).quotient
    let ofHost = joinedFor.map { seconds - $0 } ?? 0
    guard ofTokens > 0 || ofHost > 0 else { return seconds }
    throw Problem(
      ofTokens > ofHost
        ? "tokens live that were issued before the new fleet vouched for any"
        : "tokens may live that this host used before it had both fleets",
      cure: "do this in \(max(ofTokens, ofHost)) s, and not before every host has had both fleets for \(seconds) s")
  }

  /// The old one first.
  package var fleets: [(side: JointTally.Side?, options: FleetOptions)] {
    switch self {
    case .one(let options): [(nil, options)]
    case .joint(let from, let to, _): [(.from, from), (.to, to)]
    }
  }

  /// The one that hosts have, or move to.
  package var last: FleetOptions {
    switch self {
    case .one(let options), .joint(_, let options, _): options
    }
  }

  /// Finds out what opening it would throw, and gives no node a vote. The nodes are those of the old fleet, then those of the new one.
  package func tryOut(at now: Instant) throws(Problem) -> [(side: JointTally.Side?, node: NodeDescription)] {
    try check(at: now)
    var nodes: [(side: JointTally.Side?, node: NodeDescription)] = []
    for (side, options) in fleets {
      nodes += try rethrow(options.tryOut(mayBeRetired: side == .from)) { (problem: Problem) in
        side.map { problem.about($0.rawValue) } ?? problem
      }.map { (side, $0) }
    }
    if case .joint(_, _, let until) = self {
      let floor = nodes.compactMap { $0.side == .to && $0.node.state == .warming ? $0.node.from : nil }.max()
      if let floor, floor > until { throw Self.begunAnew(floor) }
    }
    return nodes
  }

  /// A floor later than `until` would refuse what is issued meanwhile.
  static func begunAnew(_ floor: Int64) -> Problem {
    Problem(
      "until", "the new fleet vouches for tokens from \(floor) on, which is later: it has begun anew",
      cure:
        "if no host has both fleets yet, write \(floor) on all of them; otherwise put the former file back, and reload this one when that second is over"
    )
  }
}
