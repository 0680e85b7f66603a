internal import CommandLineOptions
internal import MediaToken
internal import MediaTokenMemories
internal import MediaTokenSystem

/// The options that say what remembers used tokens, and who asks.
enum ReplayOption {
  static let replay = Option.value(
    "replay", "ADDRESS",
    "what remembers used tokens: shared:PATH, shared:PATH?capacity=N to make it if it is missing, or none:, which"
      + " enforces nothing (default none:)")
  static let requestID = Option.value(
    "request-id", "ID",
    "your name for this request; repeated in the retry window it gets its first answer")
  static let retryWindow = Option.value(
    "retry-window", "MS",
    "for how long a repeated request gets its first answer, in milliseconds, of which whole seconds count (default 0)"
  )

  static let all = [replay, requestID, retryWindow]

  /// What remembers used tokens.
  ///
  /// - Throws: a usage error for what is no address, and for options that contradict it.
  static func address(_ arguments: Arguments) throws(ToolError) -> ReplayAddress {
    let address = try parsed(arguments)
    if case .shared(let path, _) = address {
      // Messages name the file.
      guard !Arguments.isToken(path.text) else {
        throw arguments.usage("expected shared:PATH in \(replay.usage), found a token in place of the path")
      }
      guard arguments.text(ExpectationOptions.at) == nil else {
        throw arguments.usage(
          "expected no \(ExpectationOptions.at.usage) with --replay shared:PATH, which goes by the system's clock alone"
        )
      }
      return address
    }
    for option in [requestID, retryWindow] where arguments.has(option) {
      throw arguments.usage("expected --replay shared:PATH with \(option.usage)")
    }
    return address
  }

  private static func parsed(_ arguments: Arguments) throws(ToolError) -> ReplayAddress {
    guard let text = arguments.text(replay) else { return .none }
    do throws(ReplayAddressError) {
      return try ReplayAddress(text)
    } catch {
      throw arguments.usage("\(replay.usage): \(error)")
    }
  }

  /// Opens what the address names.
  ///
  /// - Throws: what is wrong with the memory, which is no verdict on a token.
  static func memory(
    _ address: ReplayAddress, _ policy: Policy, _ arguments: Arguments
  ) throws(ToolError) -> OpenReplayMemory {
    let window = try window(arguments)
    do throws(ReplayMemoryError) {
      return try address.open(policy: policy, retryWindowMilliseconds: window)
    } catch {
      throw ReplayTableOptions.unusable(error)
    }
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
