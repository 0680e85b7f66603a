internal import MediaTokenSystem

/// The replay memory of a host that may move from one fleet to another while it serves.
///
/// It has one fleet, or two while it moves: then the old one is asked first, and what it grants must be granted by the new one, too
/// (``JointTally``). Nothing changes on the nodes: hosts that have one of the fleets alone see a host like themselves.
package final class MovableFleet: Sendable {
  private let phase: Monitor<Phase>
  private let forkMark: ForkMark

  private enum Phase: Sendable {
    case one(FleetMemory)
    case joint(FleetMove)
  }

  /// An error if the system has no memory left.
  package convenience init(_ fleet: FleetMemory) throws(Problem) { try self.init(.one(fleet)) }

  /// A joint host. `until` is the highest floor of the new fleet's initialisation, in seconds since the epoch.
  package convenience init(from: FleetMemory, to: FleetMemory, until: Int64) throws(Problem) {
    try self.init(.joint(FleetMove(from: from, to: to, until: until)))
  }

  private init(_ phase: Phase) throws(Problem) {
    self.phase = Monitor(phase)
    forkMark = try rethrow(ForkMark()) { (error: SystemError) in Problem("madvise failed: \(error)") }
  }

  package func reopenedAfterFork(policy: Policy) throws(Problem) -> MovableFleet {
    switch phase.current {
    case .one(let fleet): return try MovableFleet(fleet.reopenedAfterFork(policy: policy))
    case .joint(let move):
      return try MovableFleet(
        from: move.from.reopenedAfterFork(policy: move.from.options.policy),
        to: move.to.reopenedAfterFork(policy: policy), until: move.until)
    }
  }

  // MARK: moving

  /// It asks the new fleet, too, from now on. Claims that it was asking the old one about end as before.
  package func join(_ to: FleetMemory, until: Int64) {
    phase.change { phase in
      if case .one(let from) = phase { phase = .joint(FleetMove(from: from, to: to, until: until)) }
    }
  }

  /// It asks one of both alone from now on. Claims that it was asking both about end as before.
  package func end(with side: JointTally.Side) {
    phase.change { phase in
      if case .joint(let move) = phase { phase = .one(side == .from ? move.from : move.to) }
    }
  }

  /// Nil if neither fleet has one.
  package var localTable: SharedReplayTable? { fleets.reversed().compactMap(\.localTable).first }

  /// The old one first; none in a forked child.
  var sides: [(side: JointTally.Side?, fleet: FleetMemory)] {
    if isForked { return [] }
    switch phase.current {
    case .one(let fleet): return [(nil, fleet)]
    case .joint(let move): return [(.from, move.from), (.to, move.to)]
    }
  }

  /// Without an old one that is retired.
  var decidingSides: [(side: JointTally.Side?, fleet: FleetMemory)] {
    sides.filter { $0.side != .from || !$0.fleet.isRetired }
  }

  var fleets: [FleetMemory] { sides.map(\.fleet) }

  /// Nil if it has one fleet.
  var move: FleetMove? { if case .joint(let move) = phase.current { move } else { nil } }
}

extension MovableFleet: ClaimDesk {
  /// A thread of the parent may have had the lock.
  var isForked: Bool { forkMark.isForked }

  /// The one that it has, or moves to.
  var fleet: Fleet {
    switch phase.current {
    case .one(let fleet): fleet.fleet
    case .joint(let move): move.to.fleet
    }
  }

  func outcomeWithoutNodes(of claim: UseClaim) throws(Fault) -> UseOutcome? {
    if isForked { throw .replayMemoryUnavailable }
    switch phase.current {
    case .one(let fleet): return try fleet.desk.outcomeWithoutNodes(of: claim)
    case .joint(let move): return try move.outcomeWithoutNodes(of: claim)
    }
  }

  func ask(_ claims: [NewClaim], of door: any ClaimDoor, at time: UInt64) -> UInt64 {
    switch phase.current {
    case .one(let fleet): fleet.desk.ask(claims, of: door, at: time)
    case .joint(let move): move.ask(claims, of: door, at: time)
    }
  }

  /// No number is at two desks.
  func withdraw(_ number: UInt64, at time: UInt64) -> Bool {
    fleets.contains { $0.desk.withdraw(number, at: time) }
  }
}
