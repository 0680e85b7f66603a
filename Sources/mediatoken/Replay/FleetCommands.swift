internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenSystem

/// The common parts of the commands that look after a fleet.
enum FleetCommands {
  /// For commands that need a fleet, and nothing else that remembers tokens.
  static let replay = Option("replay", fleet, "the fleet: \(FleetAddress.forms)")

  private static let fleet = Form<FleetAddress>(.text(.replayAddress)) { (given) throws(Problem) in
    guard case .fleet(let fleet) = try Form.replayAddress.read(given) else {
      throw given.error("the address in \(given.name) is not a fleet's, which is \(FleetAddress.forms)")
    }
    return fleet
  }

  /// It is a usage error to give no fleet, or a grace that the fleet does not have.
  static func administration(_ arguments: Arguments) throws(Problem) -> FleetAdministration {
    var administration = try administration(of: try arguments.required(replay), arguments)
    administration.timeoutMilliseconds = try arguments[QueryCommand.timeout]
    return administration
  }

  static func administration(
    of fleet: FleetAddress, _ arguments: Arguments
  ) throws(Problem) -> FleetAdministration {
    let options = FleetOptions(
      address: fleet, policy: try PolicyTimes.policy(arguments),
      settings: FleetSettings(
        credentialsFile: try arguments[FleetOption.credentials],
        graceSeconds: try FleetOption.chosenGrace(arguments, of: fleet)))
    return try ReplayTableOptions.memory(FleetAdministration(options))
  }
}
