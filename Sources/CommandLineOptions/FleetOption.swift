internal import MediaToken
internal import MediaTokenFleet
package import MediaTokenMemories

/// The options of a fleet, beside its address and the policy that it is made for.
package enum FleetOption {
  package static let credentials = Option.value(
    "fleet-credentials", "FILE",
    "users and passwords of a fleet's seats: NUMBER USER PASSWORD a line, or * USER PASSWORD for all; mode 0600 or"
      + " 0640")
  package static let deadline = Option.value(
    "fleet-deadline", "MS", "how long to wait for a fleet's votes, 5 to 1000 (default 50)")
  package static let localTable = Option.value(
    "local-table", "PATH", "a table of this host as a second lock under a fleet; it must exist")

  package static let all = [credentials, deadline, localTable]

  /// What was chosen.
  ///
  /// - Throws: a usage error for a choice that only a fleet has, and for what is no number.
  package static func settings(_ arguments: Arguments, for address: ReplayAddress) throws(ToolError)
    -> FleetSettings
  {
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
}
