internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenSystem

/// The common parts of the commands that look after a fleet.
enum FleetCommands {
  /// For commands that need a fleet, and nothing else that remembers tokens.
  static let replay = Option("replay", fleet, "the fleet: \(FleetAddress.forms)")

  private static let fleet = ValueForm<FleetAddress>(.replayAddress) { (given) throws(Problem) in
    guard case .fleet(let fleet) = try ValueForm.replayAddress.read(given) else {
      throw given.problem("the address in \(given.usage) is not a fleet's, which is \(FleetAddress.forms)")
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
    return try rethrow(FleetAdministration(options), as: ReplayTableOptions.unusable)
  }
}
