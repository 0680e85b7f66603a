typealias Disaster = World.Disaster

/// What a search may meet besides disasters.
enum Event: Int, CaseIterable {
  case started, kept, clockRefused, maintained, copied
  case new, present, forgotten, ahead, noEpoch, batched
}

extension NodeModel.Reply {
  var event: Event {
    switch self {
    case .refused: .noEpoch
    case .new: .new
    case .present: .present
    case .forgotten: .forgotten
    case .ahead: .ahead
    }
  }
}

extension State {
  /// What a way shows when it changes.
  var facts: [String] {
    [
      "\(time) s", "server 1: \(servers.0)", "server 2: \(servers.1)", "copy: \(copy)",
      "the name leads to server \(route + 1)",
      "claims answered: \(answered)", "claims granted: \(granted)",
    ]
  }
}
