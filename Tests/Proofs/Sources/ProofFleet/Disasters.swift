extension Rules {
  /// What happens to the nodes' processes.
  func disasters(_ state: State, _ take: (Action, State) -> Void) {
    for process in 0..<scenario.honestNodes {
      let data = state.processes[process].data
      if scenario.saves, data.hasEpoch, state.processes[process].copy != data || !state.processes[process].hasCopy {
        var next = state
        next.processes[process].copy = data
        next.processes[process].hasCopy = true
        coverage.met(.save)
        take(.save(process), next)
      }
      guard state.disastersLeft > 0, mayHappen(state) else { continue }
      for disaster in scenario.disasters {
        var next = state
        next.disastersLeft -= 1
        guard happen(disaster, to: process, &next) else { continue }
        coverage.met(disaster)
        take(.disaster(disaster, process), next)
      }
    }
    if scenario.moves, state.moved == 0 { move(state, take) }
    if scenario.returns, state.moved != 0, state.returned == 0 {
      var next = state
      next.returned = state.moment + 1
      take(.moveBack, next)
    }
  }

  private func mayHappen(_ state: State) -> Bool {
    scenario.disasterMoments.map { $0[Int(scenario.most - state.disastersLeft)] == state.moment } ?? true
  }

  /// Whether it changes anything.
  private func happen(_ disaster: Scenario.Disaster, to process: Int, _ state: inout State) -> Bool {
    let before = state.processes[process]
    var data = before.data
    var isAnotherLineage = true
    var isAnotherProcess = false
    switch disaster {
    case .restartEmpty:
      data = NodeData()
      isAnotherProcess = true
    case .restartOld:
      guard before.hasCopy else { return false }
      data = before.copy
      isAnotherProcess = true
    case .rolledBack:
      guard before.hasCopy else { return false }
      data = before.copy
    case .rolledBackEmpty: data = NodeData()
    case .otherNodesData:
      guard scenario.nodes > 1 else { return false }
      data = state.processes[(process + 1) % scenario.nodes].data
      data.disown()
    case .otherLineage: break
    case .flushed:
      data = NodeData()
      isAnotherLineage = false
    case .epochLost:
      data.loseEpoch()
      isAnotherLineage = false
    case .bucketLost:
      data.loseBucket()
      isAnotherLineage = false
    case .brokeOff:
      isAnotherLineage = false
      let isInitialised = data.hasEpoch && data.epochIsOfNow && scenario.second >= Int(data.from)
      guard isInitialised, scenario.second > Int(data.high) else { return false }
      data.high = UInt8(scenario.second)
    }
    state.processes[process].data = data
    let isMarked =
      switch scenario.flaw {
      case .ownerIsConstant: false
      case .ownerIsProcess: isAnotherProcess
      default: isAnotherLineage
      }
    if isMarked {
      state.processes[process].data.disown()
      state.processes[process].copy.disown()
      state.processes[process].isAsSeen = false
    }
    let isLost = before.data.hasEpoch && before.data.epochIsOfNow && !state.processes[process].data.epochIsOfNow
    if isLost, scenario.far != nil {
      state.processes[process].lostIn = before.lostIn == 0 ? state.moment + 1 : Process.lostAgain
    }
    return state.processes[process] != before
  }

  /// The last node's address leads to another process: a new one, or a replica that was promoted while its master lives on.
  private func move(_ state: State, _ take: (Action, State) -> Void) {
    var next = state
    next.moved = state.moment + 1
    coverage.met(.move)
    take(.move(withData: false), next)
    for data in [state.processes[scenario.nodes - 1].data, state.processes[scenario.nodes - 1].copy] {
      next.processes[scenario.nodes].data = data
      next.processes[scenario.nodes].data.disown()
      take(.move(withData: true), next)
    }
  }
}

extension NodeData {
  /// The marker of the process that holds them is another now.
  mutating func disown() { (epochIsOfNow, bucketIsOfNow) = (false, false) }

  mutating func loseEpoch() {
    (hasEpoch, epochIsOfNow, node, fleet, from, high) = (false, false, 0, 0, 0, 0)
  }

  mutating func loseBucket() { (hasBucket, bucketIsOfNow, ballot) = (false, false, 0) }
}
