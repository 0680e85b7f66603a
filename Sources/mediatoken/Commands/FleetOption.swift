internal import CommandLineOptions
internal import MediaTokenFleet
internal import MediaTokenMemories

extension FleetOption {
  /// For commands that need a fleet, and nothing else that remembers tokens.
  static let replay = Option.value("replay", "ADDRESS", "the fleet: redis:FLEET@SEAT,...")

  /// The fleet of a command that needs one.
  ///
  /// - Throws: a usage error for everything else.
  static func address(_ arguments: Arguments) throws(ToolError) -> FleetAddress {
    _ = try arguments.required(replay)
    guard case .fleet(let fleet) = try ReplayOption.parsed(arguments) else {
      throw arguments.usage("expected redis:FLEET@SEAT,... in \(replay.usage), found another address")
    }
    return fleet
  }

  /// The seats of such a command, to be looked after.
  static func administration(_ arguments: Arguments) throws(ToolError) -> FleetAdministration {
    let fleet = try address(arguments)
    let policy = try PolicyOptions.policy(arguments)
    do throws(FleetError) {
      return try FleetAdministration(
        FleetOptions(address: fleet, policy: policy, credentialsFile: arguments.text(credentials)))
    } catch {
      throw ReplayTableOptions.unusable(.fleet(error))
    }
  }
}
