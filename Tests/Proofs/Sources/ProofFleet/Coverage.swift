/// What a search met, so that it is seen to have proved something.
enum Event: Int, CaseIterable {
  case passed, other, delayed, start, lateStart, bucketsMade, wrongClock, farTime, move, fault, crash, save,
    keptBallot
  case new, kept, forgotten, ahead, noEpoch, anotherNode, anotherFleet, initialised, hasEpoch, otherData
  case undecided, firstUse, retry, used, predates
  case restartEmpty, restartOld, rolledBack, rolledBackEmpty, otherNodesData, otherLineage, flushed, epochLost,
    bucketLost, brokeOff
}

struct Coverage {
  private var counts = [Int](repeating: 0, count: Event.allCases.count)

  mutating func met(_ event: Event) { counts[event.rawValue] += 1 }

  mutating func add(_ other: Coverage) {
    for event in counts.indices { counts[event] += other.counts[event] }
  }

  /// What was never met.
  var lacking: [Event] { Event.allCases.filter { counts[$0.rawValue] == 0 } }
}

extension Coverage: CustomStringConvertible {
  var description: String { Event.allCases.map { "\($0) \(counts[$0.rawValue])" }.joined(separator: ", ") }
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
