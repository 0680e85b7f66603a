/// What a search met, so that it is seen to have proved something.
struct Coverage: CustomStringConvertible {
  enum Event: Int, CaseIterable {
    case passed, joined, left, finished, oldNodeLost, newNodeLost
    case begun, keptBallot, lost, heardLate, fault
    case new, present, forgotten
    case bothAsked, beforeUntil, firstUse, retry, used, predates
  }

  private var counts = [Int](repeating: 0, count: Event.allCases.count)

  mutating func met(_ event: Event) { counts[event.rawValue] += 1 }

  mutating func add(_ other: Coverage) {
    for event in counts.indices { counts[event] += other.counts[event] }
  }

  /// What was never met.
  var lacking: [Event] { Event.allCases.filter { counts[$0.rawValue] == 0 } }

  var description: String { Event.allCases.map { "\($0) \(counts[$0.rawValue])" }.joined(separator: ", ") }
}
