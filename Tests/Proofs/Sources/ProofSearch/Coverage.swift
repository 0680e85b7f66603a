/// What a search met, so that it is seen to have proved something: every `Event` and every `Disaster` of the model.
struct Coverage: CustomStringConvertible {
  private var events = [Int](repeating: 0, count: Event.allCases.count)
  private var disasters = [Int](repeating: 0, count: Disaster.allCases.count)

  mutating func met(_ event: Event) { events[event.rawValue] += 1 }
  mutating func met(_ disaster: Disaster) { disasters[disaster.rawValue] += 1 }

  mutating func add(_ other: Coverage) {
    for index in events.indices { events[index] += other.events[index] }
    for index in disasters.indices { disasters[index] += other.disasters[index] }
  }

  /// What was never met.
  var lacking: [String] { counts.filter { $0.count == 0 }.map(\.name) }

  var description: String { counts.map { "\($0.name) \($0.count)" }.joined(separator: ", ") }

  private var counts: [(name: String, count: Int)] {
    zip(Event.allCases.map { "\($0)" } + Disaster.allCases.map { "\($0)" }, events + disasters).map { ($0, $1) }
  }
}
