internal import MediaTokenSystem

extension MovableFleet {
  /// Opens the fleets, and connects to the nodes of each for two seconds at most. Nodes that are down may come later. An error also for
  /// a node that answers and must not be asked.
  package convenience init(opening plan: FleetPlan, at now: Instant) throws(Problem) {
    try plan.check(at: now)
    switch plan {
    case .one(let options): try self.init(FleetMemory(opening: options))
    case .joint(let from, let to, let until):
      try self.init(from: Self.open(from, as: .from), to: Self.open(to, as: .to), until: until)
    }
  }

  private static func open(_ options: FleetOptions, as side: JointTally.Side) throws(Problem) -> FleetMemory {
    try Problem.about(side.rawValue, FleetMemory(opening: options, mayBeRetired: side == .from))
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
      let seconds = try FleetPlan.waits(from, to).joined
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
      let isSame = from.address == move.from.options.address && to.address == move.to.options.address
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
    let to = try open(options, as: .to)
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
