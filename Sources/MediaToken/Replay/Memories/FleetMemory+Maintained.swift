internal import MediaTokenSystem

// Maintaining it, its tolerances and its seats' events are the fleet's own.
extension FleetMemory: MaintainedReplayMemory {
  package func condition(at now: Instant) -> ReplayMemoryCondition {
    switch fleetCondition(at: now) {
    case .seatsMissing(let usable, let needed): .seatsMissing(usable: usable, needed: needed)
    case .seatsNameless(let usable, let needed): .seatsNameless(usable: usable, needed: needed)
    case .young(let second): .young(until: Instant(millisecondsSinceEpoch: second * 1000))
    case .usable: localTable?.condition(at: now) ?? .usable
    }
  }

  package func readings(at now: Instant) -> [ReplayMemoryReading] {
    [.fleet(reading(at: now))] + (localTable?.readings(at: now) ?? [])
  }

  package func readCredentialsAgain() throws(ReplayMemoryError) {
    try rethrow(reloadCredentials(), as: ReplayMemoryError.fleet)
  }

  package func reopenedAfterFork(policy: Policy) throws(ReplayMemoryError) -> FleetMemory {
    try rethrow(reopened(for: policy), as: ReplayMemoryError.fleet)
  }
}
