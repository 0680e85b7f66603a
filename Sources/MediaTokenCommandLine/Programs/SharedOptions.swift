package import MediaToken
internal import MediaTokenSystem

/// Options of several commands.
package enum SharedOptions {
  package static let keys = Option("keys", each: .text(.path), Setting.keys)

  /// In milliseconds.
  package static let retryWindow = Option(.retryWindow)
}

package enum PolicyTimes {
  private static let maxTTL = Option(.maxTTL)
  private static let futureTolerance = Option(.futureTolerance)
  private static let expiryTolerance = Option(.expiryTolerance)

  package static let all: [any CommandOption] = [maxTTL, futureTolerance, expiryTolerance]

  package static func policy(
    _ arguments: Arguments, unknownFields: Policy.UnknownFields = Policy.standard.unknownFields,
    mvpds: MVPDList = Policy.standard.mvpds
  ) throws(Problem) -> Policy {
    let (life, future, expiry) = try (
      arguments[maxTTL], arguments[futureTolerance], arguments[expiryTolerance]
    )
    return try rethrow(
      Policy(
        maxTTLMilliseconds: life, futureToleranceMilliseconds: future, expiryToleranceMilliseconds: expiry,
        unknownFields: unknownFields, mvpds: mvpds)
    ) { (error: Problem) in arguments.usage(error.description) }
  }
}

/// The options of a fleet, besides its address and the times that it is made for.
package enum FleetOption {
  package static let credentials = Option(
    "fleet-credentials", .text(.file),
    "\(Setting.credentials); one NUMBER USER PASSWORD per line, or * USER PASSWORD for all; with postgres: one KEYWORD VALUE per line"
  )
  private static let deadline: Option<Int?> = chosen(.deadline, "50 unless chosen, and 250 with postgres:")
  private static let localTable = Option(
    "local-table", .text(.path), "\(Setting.localTable); it must exist")

  /// Where there are no claims, only this and the credentials matter.
  package static let grace: Option<Int?> = chosen(
    .grace, "\(FleetPolicy.usualGraceSeconds) unless chosen; only with postgres:")

  private static func chosen(_ setting: Setting, _ note: String) -> Option<Int?> {
    let range = "\(setting.range.lowerBound) to \(setting.range.upperBound)"
    return Option(setting.option, .number(setting), setting.sentence("\(range), \(note)"))
  }

  package static let all: [any CommandOption] = [credentials, deadline, grace, localTable]

  /// An option that only a fleet has is an error with any other address.
  package static func settings(
    _ arguments: Arguments, for address: ReplayAddress
  ) throws(Problem) -> FleetSettings {
    guard case .fleet(let fleet) = address else {
      if let option = all.first(where: { arguments.has($0) }) {
        throw arguments.usage("\(option.usage) needs --replay \(FleetAddress.forms)")
      }
      return .standard
    }
    return FleetSettings(
      credentialsFile: try arguments[credentials], deadlineMilliseconds: try arguments[deadline],
      graceSeconds: try chosenGrace(arguments, of: fleet),
      localTable: try arguments[localTable].map { FleetOptions.LocalTable(path: $0) })
  }

  /// Nil if none was chosen. A choice is an error for nodes that have no grace.
  package static func chosenGrace(_ arguments: Arguments, of fleet: FleetAddress) throws(Problem) -> Int? {
    let seconds = try arguments[grace]
    guard seconds == nil || fleet.hasGrace else {
      throw arguments.usage("\(grace.usage) needs --replay \(FleetAddress.databaseForm)")
    }
    return seconds
  }
}
