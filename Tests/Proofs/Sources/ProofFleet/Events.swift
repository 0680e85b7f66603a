typealias Disaster = Scenario.Disaster

/// What a search may meet besides disasters.
enum Event: Int, CaseIterable {
  case passed, other, delayed, start, lateStart, bucketsMade, wrongClock, farTime, move, fault, crash, save,
    keptBallot
  case new, kept, forgotten, ahead, noEpoch, anotherNode, anotherFleet, initialised, hasEpoch, otherData
  case undecided, firstUse, retry, used, predates
}

extension State {
  /// What a way shows when it changes.
  var facts: [String] {
    processes.indices.map { "process \($0 + 1): \(processes[$0].data)" }
      + claims.indices.map { "claim \($0 + 1): \(claims[$0].phase), ballot \(claims[$0].ballot)" }
      + ["moment \(moment)", "first uses: \(firstUses)", "ballots granted: \(granted)"]
  }
}

extension NodeModel.Reply {
  var event: Event {
    switch self {
    case .refused(let refusal): refusal.event
    case .new: .new
    case .present: .kept
    case .forgotten: .forgotten
    case .ahead: .ahead
    }
  }
}

extension NodeModel.Refusal {
  var event: Event {
    switch self {
    case .epoch: .noEpoch
    case .node: .anotherNode
    case .fleet: .anotherFleet
    case .clock: .wrongClock
    case .far: .farTime
    case .old: .hasEpoch
    case .data: .otherData
    }
  }
}
