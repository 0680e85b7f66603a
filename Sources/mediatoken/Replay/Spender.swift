internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenSystem

/// Answers the lines of `mediatoken replay spend`.
struct Spender {
  private let store: any Store
  private let isFleet: Bool

  /// `policy`: the times that a fleet is made for; a table has its own.
  init(_ choice: ReplayChoice, policy: Policy) throws(Problem) {
    isFleet = if case .fleet = choice.address { true } else { false }
    store = try choice.open(policy: isFleet ? policy : try Self.narrowest())
  }

  /// A policy that every table covers: the table's own times decide how long a token is remembered.
  private static func narrowest() throws(Problem) -> Policy {
    try rethrow(
      Policy(maxTTLMilliseconds: 1, futureToleranceMilliseconds: 0, expiryToleranceMilliseconds: 0)
    ) { (error: Problem) in Problem("the narrowest policy is not accepted: \(error.description)") }
  }

  /// The words follow the sums.
  var cause: String { ReplayCause.words(.replayMemoryUnavailable, from: store) }

  func answer(_ line: Span<UInt8>) -> SpendAnswer {
    do throws(Problem) {
      let claim = try SpendLine(line).claim(at: .now, within: store.tolerances, needsIssued: isFleet)
      return .judged(Result { () throws(Fault) in try store.spend(claim) })
    } catch {
      return .malformed(error.description)
    }
  }
}

enum SpendAnswer {
  case judged(Result<UseOutcome, Fault>)
  case malformed(String)

  var line: String {
    switch self {
    case .judged(.success(.granted(.first))): "first\n"
    case .judged(.success(.granted(.retry))): "retry\n"
    case .judged(.success(.alreadyUsed)): "used\n"
    case .judged(.success(.expired)): "expired\n"
    case .judged(.success(.predatesMemory)): "predates\n"
    case .judged(.success(.granted(.notEnforced))): "error this memory remembers nothing\n"
    case .judged(.failure(let fault)): "error \(fault.answer.wireName)\n"
    case .malformed(let message): "error \(message)\n"
    }
  }
}

struct SpendCounts {
  private var granted = 0
  private var refused = 0
  private var malformed = 0
  private var faults = 0

  var lines: Int { granted + refused + malformed + faults }

  mutating func add(_ answer: SpendAnswer) {
    switch answer {
    case .judged(.success(.granted(.first))), .judged(.success(.granted(.retry))): granted += 1
    case .judged(.success(.granted(.notEnforced))), .judged(.failure): faults += 1
    case .judged: refused += 1
    case .malformed: malformed += 1
    }
  }

  /// As for a batch.
  var exitStatus: Int32 {
    if faults > 0 { return ExitStatus.undecided }
    return refused + malformed > 0 ? ExitStatus.refused : ExitStatus.done
  }

  var summary: String {
    "\(lines) \(lines == 1 ? "line" : "lines"): \(granted) first or retry, \(refused) refused, \(malformed) malformed,"
      + " \(faults) faults"
  }
}
