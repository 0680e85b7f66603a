internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenService
internal import MediaTokenSystem

/// The common parts of the commands that look after a fleet.
enum FleetCommands {
  /// For commands that need a fleet, and nothing else that remembers tokens.
  static let replay = Option(
    "replay", fleet,
    "the fleet, in place of the address in the file, or with the usual times: \(FleetAddress.forms)")

  private static let fleet = Form<FleetAddress>(.text(.replayAddress)) { (given) throws(Problem) in
    guard case .fleet(let fleet) = try Form.replayAddress.read(given) else {
      throw given.error("the address in \(given.name) is not a fleet's, which is \(FleetAddress.forms)")
    }
    return fleet
  }

  static let config = Option(
    "config", .text(.file),
    "the fleet, its times and its settings: a daemon's configuration, or a file with its member replay alone")

  /// The fleet's settings as its hosts have them; with `--replay` alone the usual ones, with both that address has the file's.
  /// It is a usage error to give neither.
  static func options(_ arguments: Arguments) throws(Problem) -> FleetOptions {
    let given = try arguments[replay]
    guard let file = try arguments[config] else {
      guard let given else { throw arguments.usage("there is no fleet; give \(replay.usage) or \(config.usage)") }
      return FleetOptions(address: given, policy: .standard)
    }
    let configured = try ReplayTableOptions.memory(ConfiguredReplay(file: file))
    let address = if let given { given } else { try ReplayTableOptions.memory(configured.fleetAddress(in: file)) }
    return FleetOptions(address: address, policy: configured.policy, settings: configured.fleet)
  }

  static func administration(_ arguments: Arguments) throws(Problem) -> FleetAdministration {
    var administration = try administration(try options(arguments))
    administration.timeoutMilliseconds = try arguments[QueryCommand.timeout]
    return administration
  }

  static func administration(_ options: FleetOptions) throws(Problem) -> FleetAdministration {
    try ReplayTableOptions.memory(FleetAdministration(options))
  }
}
