internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenSystem

/// Where used tokens are remembered.
struct ReplayPlace: Sendable, Hashable {
  var address: ReplayAddress
  /// Nil unless the host moves to that address.
  var move: MoveSettings?
}

/// The fleet that a host leaves, and the one that it moves to. Settings beside the two are those of the old fleet; the new one has those
/// of the replay memory and of tenants, so that at the end this object gives way to the new fleet's address.
struct MoveSettings: SettingSection {
  var from: FleetAddress?
  var to: FleetAddress?
  var until: Int64 = 0
  var fleet = FleetSettings.standard
  var maxTTLMilliseconds: Int64?
  var futureToleranceMilliseconds: Int64?
  var expiryToleranceMilliseconds: Int64?

  var rows: [SettingRow<Self>] {
    required("from", \.from, Form.fleetAddress.optional, "the fleet that the host leaves")
    required("to", \.to, Form.fleetAddress.optional, "the fleet that it moves to, of another name")
    required(
      "until", \.until, .number(1...Int64(UInt32.max)),
      "the latest from of the new fleet's initialisation, in seconds since 1970; the same on all hosts")
    optional(
      "fleet", \.fleet, .section(.standard),
      "the old fleet's replay.fleet")
    optional(
      Setting.maxTTL.name, \.maxTTLMilliseconds, .number(.maxTTL), without: "that of the tenants",
      "the old fleet's; the shorter one of both counts")
    optional(
      Setting.futureTolerance.name, \.futureToleranceMilliseconds, .number(.futureTolerance),
      without: "that of the tenants", "the old fleet's; the shorter one of both counts")
    optional(
      Setting.expiryTolerance.name, \.expiryToleranceMilliseconds, .number(.expiryTolerance),
      without: "that of the tenants", "the old fleet's; the shorter one of both counts")
  }

  mutating func check(_ section: Given) throws(Problem) {
    if let from, !from.hasGrace, fleet.graceSeconds != nil {
      throw section.error(at: "fleet.graceSeconds", "only a database has a grace", cure: "leave this out")
    }
  }

  /// How long a request waits for the old fleet.
  var deadlineMilliseconds: Int { fleet.deadlineMilliseconds ?? from?.usualDeadlineMilliseconds ?? 0 }

  /// What the old fleet covers, as far as it is written here.
  var tolerances: ReplayTolerances {
    ReplayTolerances(
      maxTTLMilliseconds: maxTTLMilliseconds ?? .max,
      futureToleranceMilliseconds: futureToleranceMilliseconds ?? .max,
      expiryToleranceMilliseconds: expiryToleranceMilliseconds ?? .max)
  }
}

extension Configuration {
  /// The fleets with their settings; nil if the replay memory is no fleet.
  func fleetPlan() throws(Problem) -> FleetPlan? {
    guard case .fleet(let address) = replay.address else { return nil }
    let policy = try loosestPolicy()
    let window = replay.retryWindowMilliseconds
    let to = FleetOptions(
      address: address, policy: policy, settings: replay.fleet, retryWindowMilliseconds: window)
    guard let move = replay.place.move, let from = move.from else { return .one(to) }
    let before = policy.with(
      maxTTL: move.maxTTLMilliseconds, futureTolerance: move.futureToleranceMilliseconds,
      expiryTolerance: move.expiryToleranceMilliseconds)
    return .joint(
      from: FleetOptions(
        address: from, policy: before, settings: move.fleet, retryWindowMilliseconds: window), to: to,
      until: move.until)
  }
}

extension Form<ReplayPlace> {
  /// An address, or two fleets.
  static var replayPlace: Form {
    let address = Form<ReplayAddress>.replayAddress
    let move = Form<MoveSettings>.section(MoveSettings())
    return Form(address.kind) { (given) throws(Problem) in ReplayPlace(address: try address.read(given)) }
      .or(
        Form(move.kind) { (given) throws(Problem) in
          let move = try move.read(given)
          // Both are required.
          guard let to = move.to else { throw given.isNone(of: address.kind) }
          return ReplayPlace(address: .fleet(to), move: move)
        })
  }
}

extension Form<FleetAddress> {
  fileprivate static var fleetAddress: Form {
    let address = Form<ReplayAddress>.replayAddress
    return Form(address.kind) { (given) throws(Problem) in
      guard case .fleet(let fleet) = try address.read(given) else {
        throw given.isNot("the address of a fleet", cure: "write \(FleetAddress.forms)")
      }
      return fleet
    }
  }
}
