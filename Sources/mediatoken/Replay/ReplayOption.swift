internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenSystem

/// The options for the replay memory and for the caller's request.
enum ReplayOption {
  static let replay = Option(
    "replay", .replayAddress, default: .none, shown: "none:",
    "what remembers used tokens: shared:PATH, shared:PATH?capacity=N to make it if it is missing,"
      + " redis:FLEET@NODE,..., postgres:FLEET@HOST/DATABASE or none:, which enforces nothing")
  static let requestID = Option(
    "request-id", .text(.request),
    "your name for this request; repeated in the retry window it gets its first answer")
  static let retryWindow = SharedOptions.retryWindow

  static let all: [any CommandOption] = [replay, requestID, retryWindow] + FleetOption.all

  /// Options that contradict the address are a usage error.
  static func choice(_ arguments: Arguments, _ address: ReplayAddress) throws(Problem) -> ReplayChoice {
    if address == .none {
      for option in [requestID, retryWindow] as [any CommandOption] where arguments.has(option) {
        throw arguments.usage("\(option.usage) needs --replay shared:PATH or \(FleetAddress.forms)")
      }
    } else if arguments.has(ExpectationOptions.at) {
      throw arguments.usage(
        "a --replay that remembers goes by the system's clock alone; leave out \(ExpectationOptions.at.usage)")
    }
    return ReplayChoice(
      address: address, retryWindowMilliseconds: try arguments[retryWindow],
      fleet: try FleetOption.settings(arguments, for: address))
  }

  /// Nil unless the request may be repeated. An id without a window, or a window without an id, is a usage error.
  static func request(_ arguments: Arguments) throws(Problem) -> UseRequest? {
    switch (try arguments[requestID], arguments.has(retryWindow)) {
    case (nil, false): return nil
    case (let id?, true): return UseRequest(id: id, callerUID: CurrentProcess.userID)
    case (nil, true): throw arguments.usage("\(retryWindow.usage) needs \(requestID.usage)")
    case (_?, false): throw arguments.usage("\(requestID.usage) needs \(retryWindow.usage)")
    }
  }
}

/// A replay memory that was chosen and is not open yet.
struct ReplayChoice {
  let address: ReplayAddress
  let retryWindowMilliseconds: Int64
  let fleet: FleetSettings

  var isEnforced: Bool { address != .none }

  /// A fleet is made for the policy's times; every memory must cover them.
  func open(policy: Policy) throws(Problem) -> any Store {
    try ReplayTableOptions.memory(
      address.open(policy: policy, retryWindowMilliseconds: retryWindowMilliseconds, fleet: fleet))
  }
}
