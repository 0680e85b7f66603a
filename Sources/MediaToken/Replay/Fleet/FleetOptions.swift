internal import MediaTokenSystem

/// Everything that a ``FleetMemory`` is opened with.
package struct FleetOptions: Sendable, Hashable {
  /// Where the seats are.
  package var address: FleetAddress
  /// The times that the fleet is made for: the same on all hosts.
  package var policy: Policy
  /// The file with the users and passwords of the seats; nil: they ask for none.
  package var credentialsFile: String?
  /// For how long a claim waits for the seats, in ``deadlines``.
  package var deadlineMilliseconds: Int
  /// For how long no host may have attended a database, in ``graces``; nil: ``FleetPolicy/usualGraceSeconds``. The same on all hosts.
  package var graceSeconds: Int?
  /// For how long the same caller is given its first answer again, on whatever host it asks; 0: never.
  package var retryWindowMilliseconds: Int64
  /// A table of this host that refuses what was used here already, without asking a seat, and is a second lock.
  package var localTable: LocalTable?

  /// A table of this host, used in addition to a fleet.
  package struct LocalTable: Sendable, Hashable {
    /// Where it is.
    package var path: String
    /// The live tokens for which it is made if it is missing; nil: it must be there.
    ///
    /// It is made to vouch for all tokens: the seats hold those that were used.
    package var capacity: Int?

    /// The table at this path.
    package init(path: String, capacity: Int? = nil) { (self.path, self.capacity) = (path, capacity) }
  }

  /// What ``deadlineMilliseconds`` may be.
  package static let deadlines = 5...1000
  /// What ``graceSeconds`` may be. Hosts attend a database every 2 s; a copy of its data that is younger goes unnoticed.
  package static let graces = 5...3600

  /// A fleet without credentials and local table, with the usual deadline.
  package init(
    address: FleetAddress, policy: Policy, credentialsFile: String? = nil,
    deadlineMilliseconds: Int? = nil, graceSeconds: Int? = nil, retryWindowMilliseconds: Int64 = 0,
    localTable: LocalTable? = nil
  ) {
    (self.address, self.policy, self.credentialsFile) = (address, policy, credentialsFile)
    self.deadlineMilliseconds = deadlineMilliseconds ?? address.usualDeadlineMilliseconds
    (self.graceSeconds, self.retryWindowMilliseconds) = (graceSeconds, retryWindowMilliseconds)
    self.localTable = localTable
  }

  /// What is in the credentials file.
  func readCredentials() throws(FleetError) -> FleetCredentials {
    guard let credentialsFile else { return .none }
    return try FleetCredentials(file: credentialsFile, of: address)
  }

  /// The times that the fleet is made for.
  ///
  /// - Throws: ``FleetError/grace(found:)``, ``FleetError/graceOfNodes``.
  func times() throws(FleetError) -> FleetPolicy {
    if let graceSeconds {
      guard address.hasGrace else { throw .graceOfNodes }
      guard Self.graces.contains(graceSeconds) else { throw .grace(found: graceSeconds) }
    }
    return FleetPolicy(policy, graceSeconds: graceSeconds)
  }

  /// What all hosts of the fleet have in common.
  func digest() throws(FleetError) -> FleetDigest {
    let times = try times()
    return try rethrow(FleetDigest(of: address, times), as: FleetError.fault)
  }

  /// What asks the seats of this kind.
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
    guard let localTable else { return nil }
    return try rethrow(
      SharedReplayTable(
        secondLockAt: localTable.path, capacity: localTable.capacity, policy: policy,
        retryWindowMilliseconds: retryWindowMilliseconds), as: FleetError.localTable)
  }
}
