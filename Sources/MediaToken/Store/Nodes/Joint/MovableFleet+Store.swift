internal import MediaTokenSystem

extension MovableFleet: Store {
  package var answersLater: Bool { true }

  package func prepare(for identity: TokenIdentity) { fleets.last?.prepare(for: identity) }

  package func spend(_ claim: UseClaim) throws(Fault) -> UseOutcome { try spend([claim])[0].get() }

  package func spend(_ claims: [UseClaim]) -> [Result<UseOutcome, Fault>] { askAll(claims) }

  nonisolated(nonsending) package func spendLater(
    _ claim: UseClaim
  ) async throws(Refusal) -> Result<UseOutcome, Fault> { try await askLater(claim) }

  package func makePendingClaims() throws(Fault) -> any PendingClaims { try LoopDoor(self) }

  // MARK: maintaining it

  package func maintain(at now: Instant) throws(Fault) {
    if isForked { throw .replayMemoryUnavailable }
    var fault: Fault?
    for fleet in fleets {
      do throws(Fault) { try fleet.maintain(at: now) } catch { fault = error }
    }
    if let fault { throw fault }
  }

  /// A joint host grants what both grant. What was issued before the new fleet's floor is granted without its knowledge.
  package func condition(at now: Instant) -> ReplayMemoryCondition {
    if isForked { return .unavailable }
    let conditions = decidingSides.map { $0.fleet.condition(at: now) }
    if case .warming = conditions[conditions.count - 1], let move, now.millisecondsSinceEpoch < move.until * 1000 {
      return conditions[0]
    }
    // When the one vouches again, what the other lacks still keeps tokens from being played.
    let lacking = conditions.filter { $0 != .usable }
    let floors = lacking.compactMap { if case .warming(let floor) = $0 { floor } else { nil } }
    return lacking.first { if case .warming = $0 { false } else { true } }
      ?? floors.max().map { .warming(until: $0) } ?? .usable
  }

  package func readings(at now: Instant) -> [ReplayMemoryReading] {
    let fleets = sides.map { side, fleet in
      var reading = fleet.reading(at: now)
      reading.side = side
      return ReplayMemoryReading.fleet(reading)
    }
    return fleets + (localTable?.readings(at: now) ?? [])
  }

  package func takeNodeEvents() -> [NodeNews] {
    sides.flatMap { side, fleet in
      fleet.takeNodeEvents().map { news in
        var news = news
        news.side = side
        return news
      }
    }
  }

  package var nodeTroubles: String? {
    let troubles = decidingSides.compactMap { side, fleet in
      fleet.nodeTroubles.map { (side.map { "\($0.rawValue) \(fleet.options.address.name): " } ?? "") + $0 }
    }
    return troubles.isEmpty ? nil : troubles.joined(separator: "; ")
  }

  /// Reads users and passwords again, of the fleets that it has after the step; the next connections use them. Those that were read last
  /// stay in use if it throws.
  package func readCredentialsAgain(before step: Step?) throws(Problem) {
    for (side, fleet) in sides {
      if case .end(let last) = step, side != last { continue }
      try rethrow(fleet.readCredentialsAgain()) { (problem: Problem) in
        side.map { problem.about($0.rawValue) } ?? problem
      }
    }
  }

  /// Those of the fleet that it has or moves to; while it moves, the stricter ones of both count.
  package var tolerances: ReplayTolerances {
    fleets.map(\.tolerances).reduce(.unlimited) { $0.stricter(with: $1) }
  }

  package func excess(of policy: Policy) -> ReplayTolerances.Excess? { fleets.last?.excess(of: policy) }
}
