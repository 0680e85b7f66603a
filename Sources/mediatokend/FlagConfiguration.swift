internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenReplay
internal import MediaTokenService
internal import MediaTokenSystem

/// The configuration that options make: requestors of one policy, and no proxies.
enum FlagConfiguration {
  /// The options that say what keys of the file say.
  private static var settings: [FlagSetting] {
    [
      FlagSetting(DaemonCommand.socket, \.socket.path),
      FlagSetting(SharedOptions.keys, \.keys, mayRepeat: true),
      FlagSetting(DaemonCommand.allowWeak, \.allowRSA1024, mayRepeat: true),
      FlagSetting(DaemonCommand.requestor, \.tenants, mayRepeat: false),
      FlagSetting(DaemonCommand.replay, \.replay.address),
      FlagSetting(DaemonCommand.retryWindow, \.replay.retryWindowMilliseconds),
      FlagSetting(DaemonCommand.threads, \.threads),
      FlagSetting(DaemonCommand.inspector, \.inspector),
    ]
  }

  /// - Throws: a usage error for what is missing or out of its range.
  static func source(_ arguments: Arguments) throws(ToolError) -> ConfigurationSource {
    if arguments.has(DaemonCommand.standIn) {
      throw arguments.usage(
        "\(DaemonCommand.standIn.usage) goes only with --dev, which trusts the development key alone")
    }
    guard let file = try file(arguments) else {
      guard DaemonCommand.settings.contains(where: { arguments.has($0) }) else {
        throw arguments.usage(
          "there is no configuration; give \(DaemonCommand.config.usage), or --dev to try it, or \(DaemonCommand.socket.usage) with"
            + " \(SharedOptions.keys.usage), \(DaemonCommand.requestor.usage) and \(DaemonCommand.replay.usage)")
      }
      return .flags(try configuration(arguments))
    }
    return .file(file)
  }

  /// - Throws: a usage error if there are options as well that it takes the place of.
  static func file(_ arguments: Arguments) throws(ToolError) -> String? {
    guard let file = try arguments[DaemonCommand.config] else { return nil }
    guard let given = DaemonCommand.settings.first(where: { arguments.has($0) }) else { return file }
    throw arguments.usage(
      "\(DaemonCommand.config.usage) and \(given.usage) are both given; the file takes the option's place")
  }

  private static func configuration(_ arguments: Arguments) throws(ToolError) -> Configuration {
    var flags = FlagSettings()
    for setting in settings { try setting.say(arguments, to: &flags) }
    // Without a file this is the header in which callers name their requests.
    flags.set(\.requestIDHeader, to: "X-Request-ID")
    var configuration = try configuration(flags, arguments)
    if configuration.replay.retryWindowMilliseconds == 0 { configuration.requestIDHeader = nil }
    let policy = try PolicyTimes.policy(arguments)
    for index in configuration.tenants.indices { configuration.tenants[index].policy = policy }
    configuration.replay.fleet = try FleetOption.settings(arguments, for: configuration.replay.address)
    return configuration
  }

  /// What the rules of the file make of the flags; the option is blamed for its key.
  private static func configuration(
    _ flags: FlagSettings, _ arguments: Arguments
  ) throws(ToolError) -> Configuration {
    try rethrow(flags.configuration()) { (error: ConfigurationError) in
      let blamed = settings.first { error.key.hasPrefix(FlagSettings.key($0.property)) }
      return arguments.usage("\(blamed?.option.usage ?? error.key): \(error.problem)")
    }
  }
}

/// An option that says what a key of the file says.
private struct FlagSetting {
  let option: any CommandOption
  let property: PartialKeyPath<Configuration>
  private let set: (Arguments, inout FlagSettings) throws(ToolError) -> Void

  /// A text.
  init(_ option: Option<String?>, _ property: PartialKeyPath<Configuration>) {
    (self.option, self.property) = (option, property)
    set = { (arguments, flags) throws(ToolError) in flags.set(property, to: try arguments.required(option)) }
  }

  /// A number.
  init<Number: FixedWidthInteger>(_ option: Option<Number>, _ property: PartialKeyPath<Configuration>) {
    (self.option, self.property) = (option, property)
    set = { (arguments, flags) throws(ToolError) in flags.set(property, to: Int64(try arguments[option])) }
  }

  /// A list of texts.
  ///
  /// - Parameter mayRepeat: whether the same text may be given twice, which the file's rules refuse.
  init(_ option: Option<[String]>, _ property: PartialKeyPath<Configuration>, mayRepeat: Bool) {
    (self.option, self.property) = (option, property)
    set = { (arguments, flags) throws(ToolError) in
      var seen: Set<ExactText> = []
      let texts = try arguments[option]
      flags.set(property, to: mayRepeat ? texts.filter { seen.insert(ExactText($0)).inserted } : texts)
    }
  }

  /// Says the setting, if the option was given.
  ///
  /// - Throws: a usage error also if it must be, and was not.
  func say(_ arguments: Arguments, to flags: inout FlagSettings) throws(ToolError) {
    if arguments.has(option) { return try set(arguments, &flags) }
    guard !FlagSettings.described(property).isRequired else { throw arguments.usage("\(option.usage) is missing") }
  }
}
