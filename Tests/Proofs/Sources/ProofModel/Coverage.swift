/// What a search met, so that it is seen to have proved something.
struct Coverage {
  var takeBacks = 0, lostExchanges = 0, kills = 0, losses = 0, evictions = 0, renewals = 0
  var raisedFloors = 0, endedWarmings = 0, restarts = 0, growths = 0, skippedParts = 0
  var answers: [Spend.Answer: Int] = [:]
  /// Ends at which nothing had disturbed the claimers and exactly one of them had won.
  var fairEnds = 0

  private var counts: [(name: String, count: Int)] {
    // The fault without a full table is a clock that is behind: no table here is retired.
    let wanted: [(name: String, answer: Spend.Answer)] = [
      ("first uses", .success(.firstUse)), ("retries", .success(.retry)), ("used", .success(.alreadyUsed)),
      ("expired", .success(.expired)), ("predates", .success(.predatesMemory)),
      ("full", .failure(.replayMemoryFull)), ("clocks behind", .failure(.replayMemoryUnavailable)),
    ]
    return [
      ("words taken back", takeBacks), ("lost exchanges", lostExchanges), ("kills", kills),
      ("power losses", losses),
      ("overwritten words", evictions), ("lease renewals", renewals),
      ("floors raised by a warming table", raisedFloors),
      ("ends of warming", endedWarmings), ("restarts", restarts),
      ("growths", growths), ("parts past their end", skippedParts), ("undisturbed ends with one winner", fairEnds),
    ] + wanted.map { ($0.name, answers[$0.answer, default: 0]) }
  }

  /// What was never met.
  var lacking: [String] { counts.filter { $0.count == 0 }.map(\.name) }

  mutating func add(_ other: Coverage) {
    takeBacks += other.takeBacks
    lostExchanges += other.lostExchanges
    kills += other.kills
    losses += other.losses
    evictions += other.evictions
    renewals += other.renewals
    raisedFloors += other.raisedFloors
    endedWarmings += other.endedWarmings
    restarts += other.restarts
    growths += other.growths
    skippedParts += other.skippedParts
    fairEnds += other.fairEnds
    answers.merge(other.answers, uniquingKeysWith: +)
  }
}

extension Coverage: CustomStringConvertible {
  var description: String { counts.map { "\($0.name) \($0.count)" }.joined(separator: ", ") }
}
