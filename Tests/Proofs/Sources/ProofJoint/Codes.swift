@testable internal import MediaToken

/// How a state keeps what nodes and fleets said.
extension Rules {
  var newCode: UInt8 { 1 }
  var forgottenCode: UInt8 { 2 }
  var retiredCode: UInt8 { 3 }
  var otherFleetCode: UInt8 { 4 }
  /// And the ballot.
  var presentCode: UInt8 { 4 }

  /// Nil: nothing that a tally counts.
  func answer(_ code: UInt8, _ state: State) -> NodeAnswer? {
    switch code {
    case 0, retiredCode, otherFleetCode: nil
    case newCode: .new
    case forgottenCode: .forgotten
    default: .present(ballot(code - presentCode, state))
    }
  }

  func event(_ code: UInt8) -> Coverage.Event {
    switch code {
    case newCode: .new
    case forgottenCode: .forgotten
    case retiredCode: .saidRetired
    case otherFleetCode: .saidOtherFleet
    default: .present
    }
  }

  /// The ballot that this claim made, by its number plus one.
  func ballot(_ number: UInt8, _ state: State) -> Ballot {
    let second = world.moments[Int(state.claims[Int(number) - 1].madeIn)]
    return Ballot(Ballot.ID(id(number), 0), second: UInt32(second))
  }

  /// Of a request it is the request's.
  func id(_ number: UInt8) -> UInt64 {
    world.tries[Int(number) - 1].request.map { 4 + UInt64($0) } ?? UInt64(number)
  }
}

/// The answer of a fleet after which the other one is asked.
enum Outcome: UInt8 {
  case first = 1
  case retry, used, expired, predates, fault, retired

  init(_ answer: JointTally.Answer) {
    switch answer {
    case .retired: self = .retired
    case .decided(.failure): self = .fault
    case .decided(.success(.granted(.retry))): self = .retry
    case .decided(.success(.granted)): self = .first
    case .decided(.success(.alreadyUsed)): self = .used
    case .decided(.success(.expired)): self = .expired
    case .decided(.success(.predatesMemory)): self = .predates
    }
  }

  var answer: JointTally.Answer {
    switch self {
    case .first: .decided(.success(.firstUse))
    case .retry: .decided(.success(.retry))
    case .used: .decided(.success(.alreadyUsed))
    case .expired: .decided(.success(.expired))
    case .predates: .decided(.success(.predatesMemory))
    case .fault: .decided(.failure(.replayMemoryUnavailable))
    case .retired: .retired
    }
  }
}
