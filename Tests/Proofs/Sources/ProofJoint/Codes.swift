@testable internal import MediaToken

/// How a state keeps what nodes and fleets said.
extension Rules {
  var newCode: UInt8 { 1 }
  var forgottenCode: UInt8 { 2 }
  /// And the ballot.
  var presentCode: UInt8 { 2 }

  /// Nil: nothing that a tally counts.
  func answer(_ code: UInt8, _ state: State) -> NodeAnswer? {
    switch code {
    case 0: nil
    case newCode: .new
    case forgottenCode: .forgotten
    default: .present(ballot(code - presentCode, state))
    }
  }

  func event(_ code: UInt8) -> Event {
    switch code {
    case newCode: .new
    case forgottenCode: .forgotten
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
  case retry, used, expired, predates, fault

  /// In the place of one: the old fleet is retired, and was not asked, or had no answer.
  static let retired: UInt8 = 7

  init(_ answer: Result<UseOutcome, Fault>) {
    switch answer {
    case .failure: self = .fault
    case .success(.granted(.retry)): self = .retry
    case .success(.granted): self = .first
    case .success(.alreadyUsed): self = .used
    case .success(.expired): self = .expired
    case .success(.predatesMemory): self = .predates
    }
  }

  var answer: Result<UseOutcome, Fault> {
    switch self {
    case .first: .success(.firstUse)
    case .retry: .success(.retry)
    case .used: .success(.alreadyUsed)
    case .expired: .success(.expired)
    case .predates: .success(.predatesMemory)
    case .fault: .failure(.replayMemoryUnavailable)
    }
  }
}
