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

  /// The fleets with their settings as their hosts have them; with `--replay` alone the usual ones, with both that address has the file's.
  /// It is a usage error to give neither.
  static func plan(_ arguments: Arguments) throws(Problem) -> FleetPlan {
    let given = try arguments[replay]
    guard let file = try arguments[config] else {
      guard let given else { throw arguments.usage("there is no fleet; give \(replay.usage) or \(config.usage)") }
      return .one(FleetOptions(address: given, policy: .standard))
    }
    let configured = try ReplayTableOptions.memory(ConfiguredReplay(file: file))
    guard let given else { return try ReplayTableOptions.memory(configured.fleets(in: file)) }
    return .one(FleetOptions(address: given, policy: configured.policy, settings: configured.fleet))
  }

  static func administration(_ options: FleetOptions, _ arguments: Arguments) throws(Problem) -> FleetAdministration
  {
    var administration = try ReplayTableOptions.memory(FleetAdministration(options))
    administration.timeoutMilliseconds = try arguments[QueryCommand.timeout]
    return administration
  }
}
