/// What a search may meet besides disasters. A fault without a full table is a clock that is behind: no table here is retired.
enum Event: Int, CaseIterable {
  case takenBack, lostExchange, overwritten, renewal, raisedFloor, endOfWarming, growth, skippedPart
  case firstUse, retry, used, expired, predates, full, clockBehind
  /// An end at which nothing had disturbed the claimers and exactly one of them had won.
  case fairEnd
}

enum Disaster: Int, CaseIterable {
  case kill, loss, restart
}

extension Spend.Answer {
  /// Nil: no claim here comes to it.
  var event: Event? {
    switch self {
    case .success(.granted(.first)): .firstUse
    case .success(.granted(.retry)): .retry
    case .success(.alreadyUsed): .used
    case .success(.expired): .expired
    case .success(.predatesMemory): .predates
    case .failure(.replayMemoryFull): .full
    case .failure(.replayMemoryUnavailable): .clockBehind
    default: nil
    }
  }
}

extension State {
  /// What a way shows when it changes: seconds after the epoch, and numbers of the scenario's list of words.
  var facts: [String] {
    Lane.allCases.map { "\($0) \(self[$0])" }
      + (0..<4).flatMap { ["entry \($0): \(self[.entries, $0])", "its retry word: \(self[.retryWords, $0])"] }
  }
}
