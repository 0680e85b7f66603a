internal import CommandLineOptions
internal import MediaToken
internal import MediaTokenReplay
internal import MediaTokenSystem

/// Answers the lines of `mediatoken replay spend`.
struct Spender {
  private let table: SharedReplayTable

  /// Opens the table.
  ///
  /// - Throws: what is wrong with it.
  init(_ path: String, retryWindowMilliseconds: Int64) throws(ToolError) {
    table = try Self.open(path, try Self.narrowest(), retryWindowMilliseconds)
  }

  /// How long a token is remembered is the table's business: this policy fits into every table.
  private static func narrowest() throws(ToolError) -> Policy {
    do throws(PolicyError) {
      return try Policy(maxTTLMilliseconds: 1, futureToleranceMilliseconds: 0, expiryToleranceMilliseconds: 0)
    } catch {
      throw .unable("the narrowest policy is not accepted: \(error.description)")
    }
  }

  private static func open(_ path: String, _ policy: Policy, _ window: Int64) throws(ToolError) -> SharedReplayTable
  {
    do throws(ReplayTableError) {
      return try SharedReplayTable(opening: path, policy: policy, retryWindowMilliseconds: window)
    } catch {
      throw ReplayTableOptions.unusable(error)
    }
  }

  /// Spends what a line names.
  func answer(_ line: Span<UInt8>) -> SpendAnswer {
    let now = Instant.now
    do throws(SpendLineError) {
      let claim = try SpendLine(line).claim(at: now, within: table.tolerances)
      do throws(Fault) {
        return .outcome(try table.spend(claim))
      } catch {
        return .fault(error)
      }
    } catch {
      return .malformed(error.description)
    }
  }
}

/// What is said to a line.
enum SpendAnswer {
  case outcome(UseOutcome)
  case fault(Fault)
  case malformed(String)

  /// The answer as it is written.
  var line: String {
    switch self {
    case .outcome(.firstUse): "first\n"
    case .outcome(.retry): "retry\n"
    case .outcome(.alreadyUsed): "used\n"
    case .outcome(.expired): "expired\n"
    case .outcome(.predatesMemory): "predates\n"
    case .outcome(.notEnforced): "error this memory remembers nothing\n"
    case .fault(let fault): "error \(fault.answer.wireName)\n"
    case .malformed(let message): "error \(message)\n"
    }
  }
}

/// What the lines came to.
struct SpendCounts {
  private var granted = 0
  private var refused = 0
  private var malformed = 0
  private var faults = 0

  var lines: Int { granted + refused + malformed + faults }

  mutating func add(_ answer: SpendAnswer) {
    switch answer {
    case .outcome(.firstUse), .outcome(.retry): granted += 1
    case .outcome(.notEnforced), .fault: faults += 1
    case .outcome: refused += 1
    case .malformed: malformed += 1
    }
  }

  /// As of a batch.
  var exitStatus: Int32 {
    if faults > 0 { return ExitStatus.undecided }
    return refused + malformed > 0 ? ExitStatus.refused : ExitStatus.done
  }

  /// One sentence about all lines.
  var summary: String {
    "\(lines) \(lines == 1 ? "line" : "lines"): \(granted) first or retry, \(refused) refused, \(malformed) malformed,"
      + " \(faults) faults"
  }
}
