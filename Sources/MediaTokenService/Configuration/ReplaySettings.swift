package import MediaToken
internal import MediaTokenSystem

/// The replay memory.
struct ReplaySettings: SettingSection {
  /// Until it is read one that cannot be opened.
  var address = ReplayAddress.shared(path: "", capacity: nil)
  /// For how long a repeated request gets its first answer; 0: never.
  var retryWindowMilliseconds: Int64 = 0
  /// How a fleet is asked; other memories ignore it.
  var fleet = FleetSettings.standard

  /// Whether seats that hosts share are asked.
  var isFleet: Bool { if case .fleet = address { true } else { false } }

  /// For how long a request waits for a fleet.
  var deadlineMilliseconds: Int {
    guard case .fleet(let fleet) = address else { return 0 }
    return self.fleet.deadlineMilliseconds ?? fleet.usualDeadlineMilliseconds
  }

  mutating func settings(_ reader: inout SettingReader) throws(Problem) {
    try reader.required(
      "address", &address, .replayAddress,
      "shared:PATH, a table of this host; shared:PATH?capacity=N, made if it is missing; redis:FLEET@SEAT,SEAT,…, seats that hosts share; postgres:FLEET@HOST/DATABASE, a database that they share; or none:, which enforces nothing"
    )
    try reader.optional(.retryWindow, &retryWindowMilliseconds, "needs requestIDHeader, and not none:")
    try reader.optional(
      "fleet", &fleet, .section(.standard),
      "what the seats of a fleet are asked with; only with redis: and postgres:")
    guard let section = reader.section else { return }
    guard address != .none || retryWindowMilliseconds == 0 else {
      throw section.error(
        at: "retryWindowMilliseconds", "none: remembers nothing, so it has no retry window; leave it out")
    }
    guard isFleet || section.member("fleet") == nil else {
      throw section.error(
        at: "fleet",
        "replay.address is not a fleet's; write \(FleetAddress.forms) there, or leave this out")
    }
    if case .fleet(let address) = address, !address.hasGrace, fleet.graceSeconds != nil {
      throw section.error(
        at: "fleet.graceSeconds",
        "only a database has a grace; write \(FleetAddress.databaseForm) in replay.address, or leave this out")
    }
  }
}

extension FleetSettings: SettingSection {
  mutating func settings(_ reader: inout SettingReader) throws(Problem) {
    try reader.optional(
      "credentials", &credentialsFile, .filePath, without: "they ask for none",
      "the file with users and passwords of a fleet's seats, mode 0600 or 0640; a reload reads what is in it again"
    )
    try reader.optional(
      .deadline, &deadlineMilliseconds, without: "50, and 250 with postgres:", "less than a request may take")
    try reader.optional(
      .grace, &graceSeconds, without: "\(FleetPolicy.usualGraceSeconds) with postgres:",
      "the same on all hosts; only with postgres:")
    try reader.optional(
      "localTable", &localTable, .localTable, without: "none", "a table of this host as a second lock under a fleet"
    )
  }
}

extension SettingValues<ReplayAddress> {
  /// What remembers used tokens.
  fileprivate static var replayAddress: Self {
    .text("the address of a replay memory") { text throws(Problem) in try address(text) }
  }
}

extension SettingValues<FleetOptions.LocalTable> {
  /// A table of this host, as a second lock under a fleet.
  fileprivate static var localTable: Self {
    .text("shared:PATH or shared:PATH?capacity=N") { text throws(Problem) in
      guard case .shared(let path, let capacity) = try address(text) else {
        throw Problem("not a table's address; write shared:PATH or shared:PATH?capacity=N")
      }
      return FleetOptions.LocalTable(path: path.text, capacity: capacity)
    }
  }
}

private func address(_ text: String) throws(Problem) -> ReplayAddress {
  try ReplayAddress(text)
}
