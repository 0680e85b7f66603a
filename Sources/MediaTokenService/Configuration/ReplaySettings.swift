package import MediaToken
internal import MediaTokenFormats
internal import MediaTokenSystem

/// The replay memory.
struct ReplaySettings: SettingSection {
  /// Until it is read one that cannot be opened.
  var place = ReplayPlace(address: .shared(path: "", capacity: nil))
  /// For how long a repeated request gets its first answer; 0: never.
  var retryWindowMilliseconds: Int64 = 0
  /// How a fleet is asked; other memories ignore it.
  var fleet = FleetSettings.standard

  /// While the host moves that of the new fleet.
  var address: ReplayAddress {
    get { place.address }
    set { place = ReplayPlace(address: newValue) }
  }

  /// Whether nodes that hosts share are asked.
  var isFleet: Bool { if case .fleet = address { true } else { false } }

  /// For how long a request waits for a fleet.
  var deadlineMilliseconds: Int {
    guard case .fleet(let fleet) = address else { return 0 }
    return (self.fleet.deadlineMilliseconds ?? fleet.usualDeadlineMilliseconds)
      + (place.move?.deadlineMilliseconds ?? 0)
  }

  var rows: [SettingRow<Self>] {
    required(
      "address", \.place, .replayPlace,
      "shared:PATH, a table of this host; shared:PATH?capacity=N, made if it is missing; redis:FLEET@NODE,NODE,…, nodes that hosts share; postgres:FLEET@HOST/DATABASE, a database that they share; none:, which enforces nothing; or two fleets, while the host moves from one to the other"
    )
    optional(.retryWindow, \.retryWindowMilliseconds, "needs requestIDHeader, and not none:")
    optional(
      "fleet", \.fleet, .section(.standard),
      "how the nodes of a fleet are asked; only with redis: and postgres:")
  }

  mutating func check(_ section: Given) throws(Problem) {
    guard address != .none || retryWindowMilliseconds == 0 else {
      throw section.error(
        at: "retryWindowMilliseconds", "none: remembers nothing, so it has no retry window", cure: "leave it out")
    }
    guard isFleet || section.member("fleet") == nil else {
      throw section.error(
        at: "fleet",
        "replay.address is not a fleet's", cure: "write \(FleetAddress.forms) there, or leave this out")
    }
    if case .fleet(let address) = address, !address.hasGrace, fleet.graceSeconds != nil {
      throw section.error(
        at: "fleet.graceSeconds",
        "only a database has a grace",
        cure: "write \(FleetAddress.databaseForm) in replay.address, or leave this out")
    }
  }
}

extension FleetSettings: SettingSection {
  var rows: [SettingRow<Self>] {
    optional(
      "credentials", \.credentialsFile, .path, without: "they ask for none",
      "the file with users and passwords of a fleet's nodes, mode 0600 or 0640; a reload reads what is in it again")
    optional(
      Setting.deadline.name, \.deadlineMilliseconds, .number(.deadline), without: "50, and 250 with postgres:",
      Setting.deadline.sentence("less than a request may take"))
    optional(
      Setting.grace.name, \.graceSeconds, .number(.grace),
      without: "\(FleetPolicy.usualGraceSeconds) with postgres:",
      Setting.grace.sentence("the same on all hosts; only with postgres:"))
    optional("localTable", \.localTable, .localTable, "a table of this host as a second lock under a fleet")
  }
}

extension Form<FleetOptions.LocalTable> {
  /// A table of this host, as a second lock under a fleet.
  fileprivate static var localTable: Self {
    .text(TextKind("shared:PATH or shared:PATH?capacity=N")) { (text) throws(Problem) in
      guard case .shared(let path, let capacity) = try ReplayAddress(text) else {
        throw Problem("not a table's address", cure: "write shared:PATH or shared:PATH?capacity=N")
      }
      return FleetOptions.LocalTable(path: path.text, capacity: capacity)
    }
  }
}
