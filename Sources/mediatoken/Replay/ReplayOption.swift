internal import MediaToken
internal import MediaTokenCommandLine

/// The options for the replay memory and for the caller's request.
enum ReplayOption {
  static let replay = Option(
    "replay", .replayAddress, default: .none, shown: "none:",
    "what remembers used tokens: shared:PATH, shared:PATH?capacity=N to make it if it is missing,"
      + " redis:FLEET@NODE,..., postgres:FLEET@HOST/DATABASE or none:, which enforces nothing")
  static let requestID = Option(
    "request-id", .text(.request),
    "with --config: your name for this request; repeated in its retry window it gets its first answer")

  static let all: [any CommandOption] = [replay, requestID]

  /// A time of one's own is a usage error next to a memory that remembers.
  static func checkTime(_ arguments: Arguments, isEnforced: Bool) throws(Problem) {
    guard isEnforced, arguments.has(ExpectationOptions.at) else { return }
    throw arguments.usage(
      "a replay memory goes by the system's clock alone; leave out \(ExpectationOptions.at.usage)")
  }
}
