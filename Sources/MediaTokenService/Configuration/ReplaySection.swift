internal import MediaToken
internal import MediaTokenFleet
internal import MediaTokenMemories

/// The section `replay`: what remembers used tokens.
enum ReplaySection {
  static func replay(_ file: ConfigurationObject) throws(ConfigurationError) -> Configuration.Replay {
    let object = try file.required(
      "replay", try file.object("replay", keys: ["address", "retryWindowMilliseconds", "fleet"]),
      "an object with the address of what remembers used tokens")
    let text = try object.required(
      "address", try object.string("address"),
      "shared:PATH, shared:PATH?capacity=N, redis:FLEET@SEAT,SEAT,… or none:")
    let address = try object.checked("address") { () throws(SettingProblem) in
      try SettingChecks.replayAddress(text)
    }
    let window = try object.integer("retryWindowMilliseconds", in: 0...Limits.policySpanMilliseconds) ?? 0
    guard address != .none || window == 0 else {
      throw object.error("retryWindowMilliseconds", "expected no retry window with none:, which remembers nothing")
    }
    var replay = Configuration.Replay(address: address, retryWindowMilliseconds: window)
    if let fleet = try object.object("fleet", keys: ["credentials", "deadlineMilliseconds", "localTable"]) {
      guard replay.isFleet else {
        throw object.error(
          "fleet", "expected redis:FLEET@SEAT,SEAT,… in replay.address with a fleet, found another")
      }
      replay.fleet = try settings(fleet)
    }
    return replay
  }

  private static func settings(_ object: ConfigurationObject) throws(ConfigurationError) -> FleetSettings {
    var settings = FleetSettings.standard
    if let path = try object.string("credentials") {
      settings.credentialsFile = try object.checked("credentials") { () throws(SettingProblem) in
        try SettingChecks.filePath(path)
      }
    }
    let deadlines = Int64(FleetOptions.deadlines.lowerBound)...Int64(FleetOptions.deadlines.upperBound)
    if let deadline = try object.integer("deadlineMilliseconds", in: deadlines) {
      settings.deadlineMilliseconds = Int(deadline)
    }
    if let table = try object.string("localTable") {
      settings.localTable = try object.checked("localTable") { () throws(SettingProblem) in
        try SettingChecks.localTable(table)
      }
    }
    return settings
  }
}
