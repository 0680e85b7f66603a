package import MediaTokenCommandLine
internal import MediaTokenFleet
package import MediaTokenMemories

/// The options of a fleet, besides its address and the times that it is made for.
package enum FleetOption {
  package static let credentials = Option(
    "fleet-credentials", .text(.file),
    "users and passwords of a fleet's seats: NUMBER USER PASSWORD a line, or * USER PASSWORD for all; mode 0600 or"
      + " 0640")
  private static let deadline = Option(
    "fleet-deadline", .number(FleetOptions.deadlines, .milliseconds),
    default: FleetOptions.usualDeadlineMilliseconds,
    "how long to wait for a fleet's votes, \(FleetOptions.deadlines.lowerBound) to \(FleetOptions.deadlines.upperBound)"
  )
  private static let localTable = Option(
    "local-table", .text(.path), "a table of this host as a second lock under a fleet; it must exist")

  package static let all: [any CommandOption] = [credentials, deadline, localTable]

  /// What was chosen.
  ///
  /// - Throws: a usage error for a choice that only a fleet has, and for what is no number.
  package static func settings(
    _ arguments: Arguments, for address: ReplayAddress
  ) throws(ToolError) -> FleetSettings {
    guard case .fleet = address else {
      if let option = all.first(where: { arguments.has($0) }) {
        throw arguments.usage("expected --replay redis:FLEET@SEAT,... with \(option.usage)")
      }
      return .standard
    }
    return FleetSettings(
      credentialsFile: try arguments[credentials], deadlineMilliseconds: try arguments[deadline],
      localTable: try arguments[localTable].map { FleetOptions.LocalTable(path: $0) })
  }
}
