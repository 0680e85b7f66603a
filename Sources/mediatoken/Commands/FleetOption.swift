internal import CommandLineOptions
internal import MediaToken
internal import MediaTokenFleet
internal import MediaTokenMemories
internal import MediaTokenSystem

/// The options of a fleet, beside its address and the policy that it is made for.
enum FleetOption {
  static let credentials = Option.value(
    "fleet-credentials", "FILE",
    "users and passwords of a fleet's seats: NUMBER USER PASSWORD a line, or * USER PASSWORD for all; mode 0600 or"
      + " 0640")
  static let deadline = Option.value(
    "fleet-deadline", "MS", "how long to wait for a fleet's votes, 5 to 1000 (default 50)")
  static let localTable = Option.value(
    "local-table", "PATH", "a table of this host as a second lock under a fleet; it must exist")

  static let all = [credentials, deadline, localTable]

  /// For commands that need a fleet, and nothing else that remembers tokens.
  static let replay = Option.value("replay", "ADDRESS", "the fleet: redis:FLEET@SEAT,...")

  /// The times that are part of what a fleet is.
  static let times = [PolicyOptions.maxTTL, PolicyOptions.futureTolerance, PolicyOptions.expiryTolerance]

  /// What was chosen.
  ///
  /// - Throws: a usage error for a choice that only a fleet has, and for what is no number.
  static func settings(_ arguments: Arguments, for address: ReplayAddress) throws(ToolError) -> FleetSettings {
    guard case .fleet = address else {
      if let option = all.first(where: { arguments.has($0) }) {
        throw arguments.usage("expected --replay redis:FLEET@SEAT,... with \(option.usage)")
      }
      return .standard
    }
    let standard = FleetSettings.standard
    let range = Int64(FleetOptions.deadlines.lowerBound)...Int64(FleetOptions.deadlines.upperBound)
    return FleetSettings(
      credentialsFile: arguments.text(credentials),
      deadlineMilliseconds: Int(try arguments.number(deadline, in: range) ?? Int64(standard.deadlineMilliseconds)),
      localTable: arguments.text(localTable).map { FleetOptions.LocalTable(path: $0) })
  }

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
