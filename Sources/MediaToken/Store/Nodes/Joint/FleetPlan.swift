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
  /// An error while the new fleet must not decide alone. Else the seconds for which every host must have had both fleets before it may:
  /// no host knows that of others.
  @discardableResult
  package static func checkEnd(
    _ from: FleetOptions, _ to: FleetOptions, until: Int64, at now: Instant
  ) throws(Problem) -> Int64 {
    let old = try from.times()
    let life = max(old.lifeSeconds, try to.times().lifeSeconds)
    let left = until + life - now.millisecondsSinceEpoch.flooredDivision(by: 1000).quotient
    let seconds = life + old.floorSeconds(hasGrace: from.address.hasGrace)
    if left <= 0 { return seconds }
    throw Problem(
      "tokens live that were issued before the new fleet vouched for any",
      cure: "do this in \(left) s, and not before every host has had both fleets for \(seconds) s")
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
  package func tryOut(at now: Instant) throws(Problem) -> [NodeDescription] {
    try check(at: now)
    var nodes: [NodeDescription] = []
    for (side, options) in fleets {
      nodes += try rethrow(options.tryOut(mayBeRetired: side == .from)) { (problem: Problem) in
        side.map { problem.about($0.rawValue) } ?? problem
      }
    }
    return nodes
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
    case join(FleetMemory, until: Int64)
    case end(JointTally.Side)

    /// What follows, for the log.
    package var sentence: String {
      switch self {
      case .join:
        "two fleets are asked from now on, until all hosts do and one longest life of a token has passed since"
      case .end(.to): "the new fleet alone is asked from now on"
      case .end(.from): "the old fleet alone is asked again, and the move has been given up"
      }
    }
  }

  /// The step to a plan; nil if no step leads there: it has these fleets already, or others need a restart. Nothing changes before
  /// ``take(_:)``.
  ///
  /// - Throws: ``Problem`` for a step that must not be taken, or not yet: a new fleet of which too few nodes answer, an old one that is
  ///   not the one in use, and the end of a move while tokens live that were issued before the new fleet vouched for any.
  package func step(to plan: FleetPlan, at now: Instant) throws(Problem) -> Step? {
    try plan.check(at: now)
    switch (move, plan) {
    case (nil, .joint(let from, let to, let until)):
      guard from == fleets[0].options else { throw Self.otherFleet(fleets[0].options, than: from) }
      return .join(try Self.open(to, until: until, at: now), until: until)
    case (let move?, .one(let options)) where options == move.to.options:
      try FleetPlan.checkEnd(move.from.options, options, until: move.until, at: now)
      return .end(.to)
    case (let move?, .one(let options)) where options == move.from.options:
      if move.from.isRetired { throw .retired(options.address) }
      return .end(.from)
    default: return nil
    }
  }

  package func take(_ step: Step) {
    switch step {
    case .join(let to, let until): join(to, until: until)
    case .end(let side): end(with: side)
    }
  }

  private static func otherFleet(_ running: FleetOptions, than from: FleetOptions) -> Problem {
    from.address == running.address
      ? Problem(
        "from", "its times or its settings are not those that it has",
        cure: "write those of before the move beside it")
      : Problem("from", "it is not the fleet in use, which is \(running.address)", cure: "write that one")
  }

  /// One of which no majority can be asked would make each claim a fault, and one that begins later than `until` would refuse what is
  /// issued meanwhile.
  private static func open(_ options: FleetOptions, until: Int64, at now: Instant) throws(Problem) -> FleetMemory {
    let to = try open(options, as: "to")
    switch to.condition(at: now) {
    case .nodesMissing(let usable, let needed), .nodesNameless(let usable, let needed):
      throw Problem(
        "to",
        "\(usable) of its nodes can be asked, and \(needed) must be: \(to.nodeTroubles ?? "they do not answer")",
        cure: "see that they run, and reload again")
    case .warming(let floor) where floor.millisecondsSinceEpoch > until * 1000:
      let second = floor.millisecondsSinceEpoch / 1000
      throw Problem(
        "until", "the new fleet vouches for tokens from \(second) on, which is later: it has begun anew",
        cure:
          "if no host has both fleets yet, write \(second) on all of them; otherwise reload again when that second is over"
      )
    default: return to
    }
  }
}
