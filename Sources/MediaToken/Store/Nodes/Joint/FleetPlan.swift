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
  /// The seconds after which what a host with the old fleet alone has granted is over: a floor's distance, and a token's life.
  fileprivate static func joinedSeconds(_ from: FleetOptions, _ to: FleetOptions) throws(Problem) -> Int64 {
    let old = try from.times()
    return max(old.lifeSeconds, try to.times().lifeSeconds) + old.floorSeconds(hasGrace: from.address.hasGrace)
  }

  /// An error while the new fleet must not decide alone. Else the seconds for which every host must have had both fleets before it may:
  /// a host knows that of itself only, as `joinedFor`.
  package static func checkEnd(
    _ from: FleetOptions, _ to: FleetOptions, until: Int64, at now: Instant, joinedFor: Int64? = nil
  ) throws(Problem) -> Int64 {
    let seconds = try joinedSeconds(from, to)
    let life = max(try from.times().lifeSeconds, try to.times().lifeSeconds)
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
  fileprivate static func begunAnew(_ floor: Int64) -> Problem {
    Problem(
      "until", "the new fleet vouches for tokens from \(floor) on, which is later: it has begun anew",
      cure:
        "if no host has both fleets yet, write \(floor) on all of them; otherwise put the former file back, and reload this one when that second is over"
    )
  }
}

extension MovableFleet {
  /// Opens the fleets, and connects to the nodes of each for two seconds at most. Nodes that are down may come later. An error also for
  /// a node that answers and must not be asked.
  package convenience init(opening plan: FleetPlan, at now: Instant) throws(Problem) {
    try plan.check(at: now)
    switch plan {
    case .one(let options): try self.init(FleetMemory(opening: options))
    case .joint(let from, let to, let until):
      try self.init(from: Self.open(from, as: "from"), to: Self.open(to, as: "to"), until: until)
    }
  }

  private static func open(_ options: FleetOptions, as side: String) throws(Problem) -> FleetMemory {
    try Problem.about(side, FleetMemory(opening: options, mayBeRetired: side == "from"))
  }

  /// What a running host does to have other fleets.
  package enum Step: Sendable {
    /// `seconds`: every host must have had both fleets for so long before one has the new one alone.
    case join(FleetMemory, until: Int64, seconds: Int64)
    case end(JointTally.Side)

    /// What follows, for the log.
    package var sentence: String {
      switch self {
      case .join(_, let until, let seconds):
        "two fleets are asked from now on; no host may have the new one alone before \(until) and a longest life of a token, nor before every host has had both for \(seconds) s"
      case .end(.to): "the new fleet alone is asked from now on"
      case .end(.from): "the old fleet alone is asked again, and the move has been given up"
      }
    }
  }

  /// The step to a plan; nil if no step leads there: it has these fleets already, with these settings or others, which need a
  /// restart. Nothing changes before ``take(_:)``. `time` is on the clock that is never set.
  ///
  /// - Throws: ``Problem`` for a step that must not be taken, or not yet: a new fleet of which too few nodes answer, an old one that is
  ///   not the one in use, and the end of a move while tokens live that were issued before the new fleet vouched for any, or that this
  ///   host may have used in the old one alone.
  package func step(
    to plan: FleetPlan, at now: Instant, _ time: UInt64 = MonotonicTime.now
  ) throws(Problem) -> Step? {
    try plan.check(at: now)
    switch (move, plan) {
    case (nil, .joint(let from, let to, let until)):
      guard from == fleets[0].options else { throw Self.otherFleet(fleets[0].options, than: from) }
      let seconds = try FleetPlan.joinedSeconds(from, to)
      return .join(try Self.open(to, until: until, at: now), until: until, seconds: seconds)
    case (let move?, .one(let options)) where options == move.to.options:
      let joined = Int64((time - move.beginning) / 1_000_000_000)
      _ = try rethrow(
        FleetPlan.checkEnd(move.from.options, options, until: move.until, at: now, joinedFor: joined)
      ) { (problem: Problem) in problem.cured("\(Self.former); \(problem.cure ?? "")") }
      return .end(.to)
    case (let move?, .one(let options)) where options == move.from.options:
      if move.from.isRetired { throw .retired(options.address) }
      return .end(.from)
    case (let move?, .joint(let from, let to, let until)):
      let isSame = [from.address, to.address] == [move.from.options.address, move.to.options.address]
      guard isSame, until == move.until else {
        throw Self.mustNotRestart("this host has two fleets, and these are not those, or not their until")
      }
      return nil
    case (_, .one(let options)):
      guard sides.count == 1, options.address == fleets[0].options.address else {
        throw Self.mustNotRestart(
          "\(fleets.map(\.options.address.description).joined(separator: " and ")) is in use, and what was used there would be played again"
        )
      }
      return nil
    }
  }

  /// A restart would take the file that a reload refuses.
  private static let former = "put the former file back now, because a restart would take this one"

  private static func mustNotRestart(_ fact: String) -> Problem {
    Problem(fact, cure: "\(former); another fleet is reached by from, to and until (article Moving a fleet)")
  }

  package func take(_ step: Step) {
    switch step {
    case .join(let to, let until, _): join(to, until: until)
    case .end(let side): end(with: side)
    }
  }

  private static func otherFleet(_ running: FleetOptions, than from: FleetOptions) -> Problem {
    guard from.address == running.address else {
      return Problem("from", "it is not the fleet in use, which is \(running.address)", cure: "write that one")
    }
    let what = from.policy == running.policy ? "settings (fleet)" : "times"
    return Problem(
      "from", "its \(what) are not those of the fleet in use",
      cure: "write those of before the move beside from, to and until")
  }

  /// One of which no majority can be asked would make each claim a fault.
  private static func open(_ options: FleetOptions, until: Int64, at now: Instant) throws(Problem) -> FleetMemory {
    let to = try open(options, as: "to")
    switch to.condition(at: now) {
    case .nodesMissing(let usable, let needed), .nodesNameless(let usable, let needed):
      throw Problem(
        "to",
        "\(usable) of its nodes can be asked, and \(needed) must be: \(to.nodeTroubles ?? "they do not answer")",
        cure: "see that they run, and reload again")
    case .warming(let floor) where floor.millisecondsSinceEpoch > until * 1000:
      throw FleetPlan.begunAnew(floor.millisecondsSinceEpoch / 1000)
    default: return to
    }
  }
}
