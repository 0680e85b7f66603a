internal import MediaTokenSystem

package struct FleetOptions: Sendable, Hashable {
  package var address: FleetAddress
  /// The times that the fleet is made for: the same on all hosts.
  package var policy: Policy
  package var settings: FleetSettings
  /// The time in which the same caller is given its first answer again, on whatever host it asks; 0: never.
  package var retryWindowMilliseconds: Int64

  /// A table of this host, used in addition to a fleet.
  package struct LocalTable: Sendable, Hashable {
    package var path: String
    /// The live tokens for which it is made if it is missing; nil: it must be there. It is made to vouch for all tokens:
    /// the seats hold those that were used.
    package var capacity: Int?

    package init(path: String, capacity: Int? = nil) { (self.path, self.capacity) = (path, capacity) }
  }

  package init(
    address: FleetAddress, policy: Policy, settings: FleetSettings = .standard, retryWindowMilliseconds: Int64 = 0
  ) {
    (self.address, self.policy, self.settings) = (address, policy, settings)
    self.retryWindowMilliseconds = retryWindowMilliseconds
  }

  /// The wait of a claim for the seats.
  var deadlineMilliseconds: Int { settings.deadlineMilliseconds ?? address.usualDeadlineMilliseconds }

  func readCredentials() throws(FleetError) -> FleetCredentials {
    guard let file = settings.credentialsFile else { return .none }
    return try FleetCredentials(file: file, of: address)
  }

  /// An error for a grace out of its range, or of nodes that have none.
  func times() throws(FleetError) -> FleetPolicy {
    if let graceSeconds = settings.graceSeconds {
      guard address.hasGrace else { throw .graceOfNodes }
      guard Setting.grace.range.contains(Int64(graceSeconds)) else { throw .grace(found: graceSeconds) }
    }
    return FleetPolicy(policy, graceSeconds: settings.graceSeconds)
  }

  func digest() throws(FleetError) -> FleetDigest {
    let times = try times()
    return try rethrow(FleetDigest(of: address, times), as: FleetError.fault)
  }

  func makeEngine(
    _ clock: FleetClock, _ credentials: Monitor<FleetCredentials>
  ) throws(FleetError) -> any SeatEngine & SeatAdministration {
    let (times, digest) = (try times(), try digest())
    switch address {
    case .redis(let fleet):
      return RedisEngine(fleet: fleet, policy: times, digest: digest, clock: clock, credentials: credentials)
    case .postgres(let fleet):
      return try PostgresEngine(fleet: fleet, policy: times, digest: digest, clock: clock, credentials: credentials)
    }
  }

  func openLocalTable() throws(FleetError) -> SharedReplayTable? {
    guard let localTable = settings.localTable else { return nil }
    return try rethrow(
      SharedReplayTable(
        secondLockAt: localTable.path, capacity: localTable.capacity, policy: policy,
        retryWindowMilliseconds: retryWindowMilliseconds), as: FleetError.localTable)
  }
}
