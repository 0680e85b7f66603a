internal import CommandLineOptions
internal import MediaToken
internal import MediaTokenMemories
internal import MediaTokenSystem

/// The options that say what remembers used tokens, and who asks.
enum ReplayOption {
  static let replay = Option.value(
    "replay", "ADDRESS",
    "what remembers used tokens: shared:PATH, shared:PATH?capacity=N to make it if it is missing,"
      + " redis:FLEET@SEAT,... or none:, which enforces nothing (default none:)")
  static let requestID = Option.value(
    "request-id", "ID",
    "your name for this request; repeated in the retry window it gets its first answer")
  static let retryWindow = Option.value(
    "retry-window", "MS",
    "for how long a repeated request gets its first answer, in milliseconds, of which whole seconds count (default 0)"
  )

  static let all = [replay, requestID, retryWindow] + FleetOption.all

  /// What remembers used tokens, and how.
  ///
  /// - Throws: a usage error for what is no address, and for options that contradict it.
  static func choice(_ arguments: Arguments) throws(ToolError) -> ReplayChoice {
    let address = try parsed(arguments)
    if address == .none {
      for option in [requestID, retryWindow] where arguments.has(option) {
        throw arguments.usage("expected --replay shared:PATH or redis:FLEET@SEAT,... with \(option.usage)")
      }
    } else if arguments.has(ExpectationOptions.at) {
      throw arguments.usage(
        "expected no \(ExpectationOptions.at.usage) with a --replay that remembers, which goes by the system's clock"
          + " alone")
    }
    return ReplayChoice(
      address: address, retryWindowMilliseconds: try window(arguments),
      fleet: try FleetOption.settings(arguments, for: address))
  }

  /// What stands in the option's value.
  static func parsed(_ arguments: Arguments) throws(ToolError) -> ReplayAddress {
    guard let text = arguments.text(replay) else { return .none }
    let address: ReplayAddress
    do throws(ReplayAddressError) {
      address = try ReplayAddress(text)
    } catch {
      throw arguments.usage("\(replay.usage): \(error)")
    }
    // Messages name the file.
    if case .shared(let path, _) = address, Arguments.isToken(path.text) {
      throw arguments.usage("expected shared:PATH in \(replay.usage), found a token in place of the path")
    }
    return address
  }

  /// Which request this is; nil unless it may be repeated.
  ///
  /// - Throws: a usage error for an id that would never be looked at, or a window that nobody can use.
  static func request(_ arguments: Arguments) throws(ToolError) -> UseRequest? {
    switch (arguments.text(requestID), arguments.text(retryWindow)) {
    case (nil, nil): return nil
    case (let id?, _?): return UseRequest(id: id, callerUID: CurrentProcess.userID)
    case (nil, _?): throw arguments.usage("expected \(requestID.usage) with \(retryWindow.usage)")
    case (_?, nil): throw arguments.usage("expected \(retryWindow.usage) with \(requestID.usage)")
    }
  }

  /// The retry window in milliseconds.
  static func window(_ arguments: Arguments) throws(ToolError) -> Int64 {
    try arguments.number(retryWindow, in: 0...Limits.policySpanMilliseconds) ?? 0
  }
}

/// A replay memory that was chosen and is not open yet.
struct ReplayChoice {
  let address: ReplayAddress
  let retryWindowMilliseconds: Int64
  let fleet: FleetSettings

  /// Whether one use is enforced.
  var isEnforced: Bool { address != .none }

  /// Opens it.
  ///
  /// - Parameter policy: what it must cover; of a fleet, the times that it is made for.
  /// - Throws: what is wrong with the memory, which is no verdict on a token.
  func open(policy: Policy) throws(ToolError) -> OpenReplayMemory {
    do throws(ReplayMemoryError) {
      return try address.open(
        policy: policy, retryWindowMilliseconds: retryWindowMilliseconds, fleet: fleet)
    } catch {
      throw ReplayTableOptions.unusable(error)
    }
  }
}
