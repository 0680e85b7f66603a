internal import CommandLineOptions
internal import MediaToken
internal import MediaTokenMemories
internal import MediaTokenService

/// The configuration that options make: requestors of one policy, and no proxies.
enum FlagConfiguration {
  /// The options that say what keys of the file say.
  private static var settings: [(option: Option, property: PartialKeyPath<Configuration>)] {
    [
      (DaemonCommand.socket, \.socket.path), (DaemonCommand.keys, \.keys),
      (DaemonCommand.allowWeak, \.allowRSA1024),
      (DaemonCommand.requestor, \.tenants), (DaemonCommand.replay, \.replay.address),
      (DaemonCommand.retryWindow, \.replay.retryWindowMilliseconds), (DaemonCommand.threads, \.threads),
    ]
  }

  /// - Throws: a usage error for what is missing or cannot be meant.
  static func source(_ arguments: Arguments) throws(ToolError) -> ConfigurationSource {
    let options = settings.map(\.option) + PolicyTimes.all + FleetOption.all
    let given = options.first { arguments.has($0) }
    guard let file = arguments.text(DaemonCommand.config) else {
      guard given != nil else {
        throw arguments.usage(
          "expected \(DaemonCommand.config.usage), or --dev to try it, or \(DaemonCommand.socket.usage) with"
            + " \(DaemonCommand.keys.usage), \(DaemonCommand.requestor.usage) and \(DaemonCommand.replay.usage)")
      }
      return .flags(try configuration(arguments))
    }
    guard let given else { return .file(file) }
    throw arguments.usage("expected \(DaemonCommand.config.usage) or \(given.usage), found both")
  }

  /// How many threads were asked for.
  static func threads(_ arguments: Arguments) throws(ToolError) -> Int {
    let range = Configuration.threadCounts
    return try arguments.number(DaemonCommand.threads, in: Int64(range.lowerBound)...Int64(range.upperBound))
      .map { Int($0) } ?? Configuration.usualThreads
  }

  private static func configuration(_ arguments: Arguments) throws(ToolError) -> Configuration {
    var flags = FlagSettings()
    for (option, property) in settings {
      guard arguments.has(option) else {
        guard !FlagSettings.described(property).isRequired else {
          throw arguments.usage("expected \(option.usage)")
        }
        continue
      }
      switch FlagSettings.described(property).kind {
      case .integer(let range, _):
        flags.set(property, to: try arguments.number(option, in: range) ?? range.lowerBound)
      case .list: flags.set(property, to: withoutRepetition(arguments.texts(option), option))
      default: flags.set(property, to: try arguments.required(option))
      }
    }
    // Without a file this is the header in which callers name their requests.
    flags.set(\.requestIDHeader, to: "X-Request-ID")
    var configuration = try configuration(flags, arguments)
    if configuration.replay.retryWindowMilliseconds == 0 { configuration.requestIDHeader = nil }
    let policy = try PolicyTimes(arguments).policy(arguments)
    for index in configuration.tenants.indices { configuration.tenants[index].policy = policy }
    configuration.replay.fleet = try FleetOption.settings(arguments, for: configuration.replay.address)
    return configuration
  }

  /// What the rules of the file make of the flags; the option is blamed for its key.
  private static func configuration(
    _ flags: FlagSettings, _ arguments: Arguments
  ) throws(ToolError) -> Configuration {
    do throws(ConfigurationError) {
      return try flags.configuration()
    } catch {
      let blamed = settings.first { error.key.hasPrefix(FlagSettings.key($0.property)) }
      throw arguments.usage("\(blamed?.option.usage ?? error.key): \(error.problem)")
    }
  }

  /// A key, or the consent to one, may be given twice; a requestor may not.
  private static func withoutRepetition(_ texts: [String], _ option: Option) -> [String] {
    guard option.name != DaemonCommand.requestor.name else { return texts }
    var seen: Set<ExactText> = []
    return texts.filter { seen.insert(ExactText($0)).inserted }
  }
}
