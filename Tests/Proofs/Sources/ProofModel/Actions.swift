/// What can happen next.
enum Action: Hashable {
  /// A claimer begins a claim with one of its clocks.
  case begin(Int, clock: Int)
  case access(Int, Access)
  /// Who grows the table. Killed is one that never goes on.
  case grow(Access)
  case kill(Int)
  /// Somebody else's clock.
  case tick(UInt8)
  /// Somebody else's word in a dead entry, or its own taken back.
  case overwrite(Int, with: UInt8)
  /// Time passes, or the wall clock is set: what the clocks say next.
  case pass
  /// Everybody closes the table, and the machine starts again in this moment.
  case restart(Int)
  /// Power loss: which of the open entries fall back to what they were, what of the header does, the clock afterwards.
  case loss(lost: UInt8, header: HeaderLoss, bootClock: Int64, moment: Int)
}

/// What power loss takes of what was written to the header since its last msync. A disk writes a sector whole, but a header
/// that changes while it is copied to the disk may be there in part.
enum HeaderLoss: CaseIterable {
  case nothing, everything
  /// All but the end of the first part; all but the number of parts.
  case allButEnd, allButParts
}

/// What a search met, so that it is seen to have proved something.
struct Coverage {
  var takeBacks = 0, lostExchanges = 0, kills = 0, losses = 0, evictions = 0, renewals = 0
  var raisedFloors = 0, endedYouths = 0, restarts = 0, growths = 0, skippedParts = 0
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
      ("floors raised by a young table", raisedFloors),
      ("ends of youth", endedYouths), ("restarts", restarts),
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
    endedYouths += other.endedYouths
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

/// The rules by which a state becomes another.
final class Rules {
  let scenario: Scenario
  var coverage = Coverage()
  var starts: [State] { scenario.initial }
  private let memory: ReplayedMemory
  private let growth: ReplayedGrowth

  init(_ scenario: Scenario) {
    self.scenario = scenario
    memory = ReplayedMemory(scenario)
    growth = ReplayedGrowth(scenario)
  }

  /// Hands over every state that can follow.
  func forEachSuccessor(of state: State, _ body: (Action, State) -> Void) {
    for index in scenario.claimers.indices {
      let record = state[claimer: index]
      if record.clock == 0 {
        guard record.claimsLeft > 0 else { continue }
        for clock in scenario.claimers[index].clocks.indices where mayClaim(state, index, clock) {
          var next = state
          next[claimer: index].clock = clock + 1
          next[claimer: index].claimsLeft -= 1
          body(.begin(index, clock: clock), next)
        }
      } else {
        step(state, index, record, body)
        if state[.killsLeft] > 0 {
          var next = state
          next[claimer: index].clock = 0
          next[claimer: index].forgetAnswers()
          next[.killsLeft] -= 1
          next[.wasDisturbed] = 1
          coverage.kills += 1
          body(.kill(index), next)
        }
      }
    }
    for tick in scenario.ticks where tick > state[.highest] {
      var next = state
      next[.highest] = tick
      body(.tick(tick), next)
    }
    if scenario.isYoung { pass(state, body) }
    if scenario.grows, state.grower.claimsLeft > 0 { grow(state, body) }
    if state[.overwritesLeft] > 0 { overwrite(state, body) }
    if state[.lossesLeft] > 0 { losePower(state, body) }
  }

  private func grow(_ state: State, _ body: (Action, State) -> Void) {
    guard let access = growth.advance(state.grower) else { fatalError("growth that is over was not ended") }
    var next = state
    var after = state.grower
    after.append(perform(access, &next))
    if growth.advance(after) == nil {
      after = Record()
      coverage.growths += 1
    }
    next.grower = after
    body(.grow(access), next)
  }

  /// Whoever claims from a young table has the machine's clock.
  private func mayClaim(_ state: State, _ index: Int, _ clock: Int) -> Bool {
    !scenario.isYoung || scenario.moments[Int(state[.moment])].wall == scenario.claimers[index].clocks[clock]
  }

  // MARK: claimers

  private func step(_ state: State, _ index: Int, _ record: Record, _ body: (Action, State) -> Void) {
    let spend = scenario.spends[index][record.clock - 1]
    let vouchesFrom = scenario.vouchesFrom(state)
    guard case .failure(let pending) = memory.advance(spend, record, vouchesFrom: vouchesFrom) else {
      fatalError("a claim that is over was not ended")
    }
    var next = state
    let answer = perform(pending.access, &next)
    var after = record
    after.append(answer)
    switch memory.advance(spend, after, vouchesFrom: vouchesFrom) {
    case .success(let outcome):
      after.forgetAnswers()
      after.clock = 0
      end(outcome, of: index, &next)
    case .failure(let following):
      // A claim that begins again has no memory of what was: the very access that a new one makes first, after an
      // exchange that failed or that took the word back. Without this its states would never repeat.
      if case .exchange(_, _, let desired) = pending.access, answer == 0 || desired == 0 {
        after.forgetAnswers()
        guard case .failure(let first) = memory.advance(spend, after, vouchesFrom: vouchesFrom),
          first.access == following.access
        else { fatalError("a claim that begins again does not") }
        if desired == 0 { coverage.takeBacks += 1 } else { coverage.lostExchanges += 1 }
      }
    }
    next[claimer: index] = after
    body(.access(index, pending.access), next)
  }

  /// The access, at once and in shared memory.
  private func perform(_ access: Access, _ state: inout State) -> UInt8 {
    switch access {
    case .loadHighest: return state[.highest]
    case .raiseHighest(let now): return raise(.highest, now, &state)
    case .loadDurableLease: return state[.durableLease]
    case .raiseDurableLease(let lease): return raise(.durableLease, lease, &state)
    case .raiseLease(let lease): return raise(.lease, lease, &state)
    case .synchroniseHeader:
      coverage.renewals += 1
      state.writeHeader()
      return 0
    case .load(let entry): return state[.entries, scenario.openIndex(entry)]
    case .exchange(let entry, let expected, let desired):
      let open = scenario.openIndex(entry)
      guard state[.entries, open] == scenario.code(of: expected) else { return 0 }
      state[.entries, open] = scenario.code(of: desired)
      return 1
    case .loadRetry(let entry): return state[.retryWords, scenario.openIndex(entry)]
    case .storeRetry(let entry, let word):
      state[.retryWords, scenario.openIndex(entry)] = scenario.code(of: word)
      return 0
    case .loadVouchesFrom: return state[.vouchesFrom]
    case .raiseVouchesFrom(let instant):
      coverage.raisedFloors += 1
      state[.vouchesFrom] = max(state[.vouchesFrom], scenario.floor(instant))
      return 0
    case .loadYoungUntil: return state[.youngUntil]
    case .endYouth(let youngUntil):
      coverage.endedYouths += 1
      if UInt64(state[.youngUntil]) * 1000 == youngUntil { state[.youngUntil] = 0 }
      return 0
    case .loadMachineStart: return state[.machineStart]
    case .raiseMachineStart(let instant):
      state[.machineStart] = max(state[.machineStart], scenario.code(ofStart: instant))
      return 0
    case .readClocks: return state[.moment]
    case .loadParts: return state[.parts]
    case .storeParts(let count):
      state[.parts] = UInt8(count)
      return 0
    case .loadEnd:
      if state[.partEnd] != 0, state[.highest] >= state[.partEnd] { coverage.skippedParts += 1 }
      return state[.partEnd]
    case .storeEnd(_, let end):
      // No clock here gets to 255.
      state[.partEnd] = end == 0 ? 0 : UInt8(clamping: end - scenario.header.epoch)
      return 0
    }
  }

  private func raise(_ lane: State.Lane, _ second: UInt64, _ state: inout State) -> UInt8 {
    let code = scenario.seconds(second)
    guard code > state[lane] else { return 0 }
    state[lane] = code
    return 1
  }

  private func end(_ answer: Spend.Answer, of index: Int, _ state: inout State) {
    coverage.answers[answer, default: 0] += 1
    // Only one identity is under proof; neighbours are there to disturb.
    guard scenario.claimers[index].token.identity == scenario.claimers[0].token.identity else { return }
    switch answer {
    case .success(.granted(let use)):
      if use == .first { state[.firstUses] += 1 }
      state[.granted] |= 1 << UInt8(index)
    case .success(.alreadyUsed): break
    case .success(.expired), .success(.predatesMemory), .failure: state[.wasRefused] = 1
    }
  }

  // MARK: others

  private func overwrite(_ state: State, _ body: (Action, State) -> Void) {
    let elapsed = EntryPlace.elapsed(
      at: scenario.second(state[.highest]), since: scenario.header.epoch)
    for entry in scenario.open.indices where EntryNumber.part(scenario.open[entry]) < state[.parts] {
      let word = scenario.word(state[.entries, entry])
      var next = state
      next[.overwritesLeft] -= 1
      if EntryPlace.isDead(word, after: elapsed) {
        if word != 0 { coverage.evictions += 1 }
        for stranger in scenario.strangers
        where !EntryPlace.isDead(scenario.word(stranger), after: elapsed) {
          next[.entries, entry] = stranger
          body(.overwrite(entry, with: stranger), next)
        }
      } else if word >> TableFormat.endBits == World.strangerTag {
        next[.entries, entry] = 0
        body(.overwrite(entry, with: 0), next)
      }
    }
  }

  /// Everything that was not on the disk may be lost; then the first opener does what `TableOpening` does.
  private func losePower(_ state: State, _ body: (Action, State) -> Void) {
    for bootClock in scenario.bootClocks {
      // Only growth leaves what contradicts the rest of the header.
      for header in scenario.grows ? HeaderLoss.allCases : [.everything, .nothing] {
        for lost in 0..<UInt8(scenario.losesEntries ? 1 << scenario.open.count : 1) {
          var next = state
          next[.lossesLeft] -= 1
          next[.wasDisturbed] = 1
          next.lose(header)
          for entry in scenario.open.indices where lost & (1 << UInt8(entry)) != 0 {
            // An entry that was never on the disk since the table was made.
            next[.entries, entry] = 0
            next[.retryWords, entry] = 0
          }
          coverage.losses += 1
          start(&next, isClean: false, now: bootClock) { moment, next in
            body(.loss(lost: lost, header: header, bootClock: bootClock, moment: moment), next)
          }
        }
      }
    }
  }

  /// Nobody claims any more, and the table is opened for the first time after another boot.
  private func start(_ state: inout State, isClean: Bool, now: Int64, _ body: (Int, State) -> Void) {
    for index in scenario.claimers.indices {
      state[claimer: index].clock = 0
      state[claimer: index].forgetAnswers()
    }
    if scenario.grows {
      state.grower = Record()
      // Growth that is undone is done again.
      if state[.parts] == 1 { state.grower.claimsLeft = 1 }
    }
    guard scenario.isYoung else {
      open(&state, isClean: isClean, now: now * 1000)
      return body(0, state)
    }
    for moment in scenario.moments.indices
    where moment > 0 && scenario.moments[moment].number > scenario.moments[moment - 1].number
      && scenario.moments[moment].number > scenario.moments[Int(state[.moment])].number
    {
      var next = state
      next[.moment] = UInt8(moment)
      let clocks = scenario.clocks(next[.moment])
      open(&next, isClean: isClean, now: clocks.wall)
      if next[.youngUntil] != 0 {
        next[.machineStart] = scenario.code(ofStart: clocks.earliestStart(ifNowIs: clocks.wall))
        next[.youngUntil] = UInt8((clocks.bootAfter + Youth.length(scenario.header)) / 1000)
      }
      next.writeHeader()
      body(moment, next)
    }
  }

  private func open(_ state: inout State, isClean: Bool, now: Int64) {
    let floor = scenario.header.floorAtOpening(
      isOfThisBoot: false, isClean: isClean, isYoung: state[.youngUntil] != 0,
      lease: state[.lease] == 0 ? 0 : scenario.second(state[.lease]), now: now)
    if let floor { state[.vouchesFrom] = max(state[.vouchesFrom], scenario.floor(floor)) }
    state.writeHeader()
  }

  /// The clocks go on, or everybody closes the table and the machine is restarted.
  private func pass(_ state: State, _ body: (Action, State) -> Void) {
    let moment = Int(state[.moment])
    if moment + 1 < scenario.moments.count, scenario.moments[moment + 1].number == scenario.moments[moment].number {
      var next = state
      next[.moment] += 1
      body(.pass, next)
    }
    guard state[.lossesLeft] > 0, scenario.claimers.indices.allSatisfy({ state[claimer: $0].clock == 0 }) else {
      return
    }
    var next = state
    next[.lossesLeft] -= 1
    start(&next, isClean: true, now: 0) { moment, next in
      coverage.restarts += 1
      body(.restart(moment), next)
    }
  }
}

extension State {
  mutating func writeHeader() {
    (self[.diskHighest], self[.diskLease], self[.diskDurableLease]) = (
      self[.highest], self[.lease], self[.durableLease]
    )
    (self[.diskVouchesFrom], self[.diskMachineStart], self[.diskYoungUntil]) = (
      self[.vouchesFrom], self[.machineStart], self[.youngUntil]
    )
    (self[.diskParts], self[.diskPartEnd]) = (self[.parts], self[.partEnd])
  }

  mutating func lose(_ loss: HeaderLoss) {
    let (parts, partEnd) = (self[.parts], self[.partEnd])
    if loss != .nothing { rereadHeader() }
    if loss == .allButEnd { self[.partEnd] = partEnd }
    if loss == .allButParts { self[.parts] = parts }
  }

  private mutating func rereadHeader() {
    (self[.highest], self[.lease], self[.durableLease]) = (
      self[.diskHighest], self[.diskLease], self[.diskDurableLease]
    )
    (self[.vouchesFrom], self[.machineStart], self[.youngUntil]) = (
      self[.diskVouchesFrom], self[.diskMachineStart], self[.diskYoungUntil]
    )
    (self[.parts], self[.partEnd]) = (self[.diskParts], self[.diskPartEnd])
  }
}
