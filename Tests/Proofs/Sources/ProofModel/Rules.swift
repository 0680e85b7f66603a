/// What can happen next.
enum Action: Hashable {
  /// A claimer begins a claim with one of its clocks.
  case begin(Int, clock: Int)
  case access(Int, Access)
  /// A step of the grower. One that makes no further step was killed.
  case grow(Access)
  case kill(Int)
  /// Another process publishes its clock.
  case tick(UInt8)
  /// Another process writes its word into a dead entry, or takes it back.
  case overwrite(Int, with: UInt8)
  /// Time passes, or the wall clock is set: what the clocks say next.
  case pass
  /// Every process closes the table, and the machine starts again in this moment.
  case restart(Int)
  /// Power loss: which of the open entries fall back to what they were, what of the header does, the clock afterwards.
  case loss(lost: UInt8, header: HeaderLoss, bootClock: Int64, moment: Int)
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
          coverage.met(.kill)
          body(.kill(index), next)
        }
      }
    }
    for tick in scenario.ticks where tick > state[.highest] {
      var next = state
      next[.highest] = tick
      body(.tick(tick), next)
    }
    if scenario.isWarming { pass(state, body) }
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
      coverage.met(.growth)
    }
    next.grower = after
    body(.grow(access), next)
  }

  /// Claimers of a warming table have the machine's clock.
  private func mayClaim(_ state: State, _ index: Int, _ clock: Int) -> Bool {
    !scenario.isWarming || scenario.moments[Int(state[.moment])].wall == scenario.claimers[index].clocks[clock]
  }

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
      end(outcome, of: index, spend, &next)
    case .failure(let following):
      // After an exchange that failed or that took the word back, a claim begins again with the access that a new one
      // makes first, and needs none of its former answers. If they were kept, states would never repeat.
      if case .exchange(_, _, let desired) = pending.access, answer == 0 || desired == 0 {
        after.forgetAnswers()
        guard case .failure(let first) = memory.advance(spend, after, vouchesFrom: vouchesFrom),
          first.access == following.access
        else { fatalError("a claim that begins again does not") }
        coverage.met(desired == 0 ? .takenBack : .lostExchange)
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
      coverage.met(.renewal)
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
      coverage.met(.raisedFloor)
      state[.vouchesFrom] = max(state[.vouchesFrom], scenario.floor(instant))
      return 0
    case .loadWarmingUntil: return state[.warmingUntil]
    case .endWarming(let warmingUntil):
      coverage.met(.endOfWarming)
      if UInt64(state[.warmingUntil]) * 1000 == warmingUntil { state[.warmingUntil] = 0 }
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
      if state[.partEnd] != 0, state[.highest] >= state[.partEnd] { coverage.met(.skippedPart) }
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

  private func end(_ answer: Spend.Answer, of index: Int, _ spend: Spend, _ state: inout State) {
    if let event = answer.event { coverage.met(event) }
    // Only one identity is under proof; claims of neighbours only disturb it.
    guard scenario.claimers[index].token.identity == scenario.claimers[0].token.identity else { return }
    switch answer {
    case .success(.granted(let use)):
      if use == .first { state[.firstUses] += 1 }
      state[.granted] |= 1 << UInt8(index)
    case .success(.alreadyUsed): break
    case .success(.expired), .success(.predatesMemory):
      // A warming table's clock may have gone on between the last two loads of such a claim.
      let isBehind = scenario.second(state[.highest]) > spend.now + Spend.clockTolerance
      state[.wasRefused] = max(state[.wasRefused], isBehind && !scenario.isWarming ? 2 : 1)
    case .failure: state[.wasRefused] = max(state[.wasRefused], 1)
    }
  }
}
