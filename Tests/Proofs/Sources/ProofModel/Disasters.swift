/// What power loss takes of what was written to the header since its last msync. A disk writes a sector whole, but a header
/// that changes while it is copied to the disk may be there in part.
enum HeaderLoss: CaseIterable {
  case nothing, everything
  /// All but the end of the first part; all but the number of parts.
  case allButEnd, allButParts
}

/// What happens to claimers and their table, and is not of their making.
extension Rules {
  /// Another process writes over a dead entry, or takes its own word back.
  func overwrite(_ state: State, _ body: (Action, State) -> Void) {
    let elapsed = EntryPlace.elapsed(
      at: scenario.second(state[.highest]), since: scenario.header.epoch)
    for entry in scenario.open.indices where EntryNumber.part(scenario.open[entry]) < state[.parts] {
      let word = scenario.word(state[.entries, entry])
      var next = state
      next[.overwritesLeft] -= 1
      if EntryPlace.isDead(word, after: elapsed) {
        if word != 0 { coverage.met(.overwritten) }
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
  func losePower(_ state: State, _ body: (Action, State) -> Void) {
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
          coverage.met(.loss)
          start(&next, isClean: false, now: bootClock) { moment, next in
            body(.loss(lost: lost, header: header, bootClock: bootClock, moment: moment), next)
          }
        }
      }
    }
  }

  /// All claims have ended, and the table is opened for the first time after another boot.
  private func start(_ state: inout State, isClean: Bool, now: Int64, _ body: (Int, State) -> Void) {
    for index in scenario.claimers.indices {
      state[claimer: index].clock = 0
      state[claimer: index].forgetAnswers()
    }
    if scenario.grows {
      state.grower = Record()
      // Growth that was undone is begun again.
      if state[.parts] == 1 { state.grower.claimsLeft = 1 }
    }
    guard scenario.isWarming else {
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
      if next[.warmingUntil] != 0 {
        next[.machineStart] = scenario.code(ofStart: clocks.earliestStart(ifNowIs: clocks.wall))
        next[.warmingUntil] = UInt8((clocks.bootAfter + Warming.length(scenario.header)) / 1000)
      }
      next.writeHeader()
      body(moment, next)
    }
  }

  private func open(_ state: inout State, isClean: Bool, now: Int64) {
    let floor = scenario.header.floorAtOpening(
      isOfThisBoot: false, isRemounted: false, isClean: isClean, isWarming: state[.warmingUntil] != 0,
      lease: state[.lease] == 0 ? 0 : scenario.second(state[.lease]), now: now)
    if let floor { state[.vouchesFrom] = max(state[.vouchesFrom], scenario.floor(floor)) }
    state.writeHeader()
  }

  /// The clocks go on, or every process closes the table and the machine is restarted.
  func pass(_ state: State, _ body: (Action, State) -> Void) {
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
      coverage.met(.restart)
      body(.restart(moment), next)
    }
  }
}

extension State {
  mutating func writeHeader() {
    (self[.diskHighest], self[.diskLease], self[.diskDurableLease]) = (
      self[.highest], self[.lease], self[.durableLease]
    )
    (self[.diskVouchesFrom], self[.diskMachineStart], self[.diskWarmingUntil]) = (
      self[.vouchesFrom], self[.machineStart], self[.warmingUntil]
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
    (self[.vouchesFrom], self[.machineStart], self[.warmingUntil]) = (
      self[.diskVouchesFrom], self[.diskMachineStart], self[.diskWarmingUntil]
    )
    (self[.parts], self[.partEnd]) = (self[.diskParts], self[.diskPartEnd])
  }
}
