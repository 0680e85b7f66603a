internal import CommandLineOptions
internal import MediaToken
internal import MediaTokenFleet
internal import MediaTokenMemories
internal import MediaTokenService
internal import MediaTokenSystem

/// The configuration that options make: one list of requestors, no proxies.
enum FlagConfiguration {
  /// The options that a file takes the place of.
  private static let settings =
    [DaemonCommand.socket, DaemonCommand.keys, DaemonCommand.allowWeak, DaemonCommand.requestor] + PolicyTimes.all
    + [DaemonCommand.replay, DaemonCommand.retryWindow] + FleetOption.all + [DaemonCommand.threads]

  /// - Throws: a usage error for what is missing or cannot be meant.
  static func source(_ arguments: Arguments) throws(ToolError) -> ConfigurationSource {
    if let file = arguments.text(DaemonCommand.config) {
      if let option = settings.first(where: { arguments.has($0) }) {
        throw arguments.usage("expected \(DaemonCommand.config.usage) or \(option.usage), found both")
      }
      return .file(file)
    }
    return .flags(try configuration(arguments))
  }

  /// How many threads were asked for.
  static func threads(_ arguments: Arguments) throws(ToolError) -> Int {
    try Int(arguments.number(DaemonCommand.threads, in: 1...64) ?? Int64(min(64, CurrentProcess.processors)))
  }

  private static func configuration(_ arguments: Arguments) throws(ToolError) -> Configuration {
    guard settings.contains(where: { arguments.has($0) }) else {
      throw arguments.usage(
        "expected \(DaemonCommand.config.usage), or --dev to try it, or \(DaemonCommand.socket.usage) with"
          + " \(DaemonCommand.keys.usage), \(DaemonCommand.requestor.usage) and \(DaemonCommand.replay.usage)")
    }
    let socket = try checked(DaemonCommand.socket, try arguments.required(DaemonCommand.socket), arguments) {
      (text) throws(SettingProblem) in try SettingChecks.socketPath(text)
    }
    let keys = arguments.texts(DaemonCommand.keys)
    guard !keys.isEmpty else {
      throw arguments.usage("expected \(DaemonCommand.keys.usage), the keys that may vouch for tokens")
    }
    var consents: Set<Fingerprint> = []
    for text in arguments.texts(DaemonCommand.allowWeak) {
      consents.insert(
        try checked(DaemonCommand.allowWeak, text, arguments) { (text) throws(SettingProblem) in
          try SettingChecks.fingerprint(text)
        })
    }
    return Configuration(
      socketPath: socket, threads: try threads(arguments), keys: keys, allowRSA1024: consents,
      requestors: try requestors(arguments), policy: try PolicyTimes(arguments).policy(arguments),
      replay: try replay(arguments))
  }

  private static func replay(_ arguments: Arguments) throws(ToolError) -> Configuration.Replay {
    let address = try checked(DaemonCommand.replay, try arguments.required(DaemonCommand.replay), arguments) {
      (text) throws(SettingProblem) in try SettingChecks.replayAddress(text)
    }
    let window = try arguments.number(DaemonCommand.retryWindow, in: 0...Limits.policySpanMilliseconds) ?? 0
    guard address != .none || window == 0 else {
      throw arguments.usage(
        "expected --replay shared:PATH or redis:FLEET@SEAT,SEAT,… with \(DaemonCommand.retryWindow.usage)")
    }
    return Configuration.Replay(
      address: address, retryWindowMilliseconds: window, fleet: try FleetOption.settings(arguments, for: address))
  }

  private static func requestors(_ arguments: Arguments) throws(ToolError) -> [String] {
    let requestors = arguments.texts(DaemonCommand.requestor)
    guard !requestors.isEmpty else {
      throw arguments.usage("expected \(DaemonCommand.requestor.usage), whom to serve")
    }
    for (index, requestor) in requestors.enumerated()
    where requestors[..<index].contains(where: { $0.utf8.elementsEqual(requestor.utf8) }) {
      throw arguments.usage("expected every requestor once, found one twice")
    }
    return requestors
  }

  private static func checked<Value>(
    _ option: Option, _ text: String, _ arguments: Arguments, _ check: (String) throws(SettingProblem) -> Value
  ) throws(ToolError) -> Value {
    do throws(SettingProblem) {
      return try check(text)
    } catch {
      throw arguments.usage("\(option.usage): \(error.text)")
    }
  }
}
