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
    /// the nodes hold those that were used.
    package var capacity: Int?

    package init(path: String, capacity: Int? = nil) { (self.path, self.capacity) = (path, capacity) }
  }

  package init(
    address: FleetAddress, policy: Policy, settings: FleetSettings = .standard, retryWindowMilliseconds: Int64 = 0
  ) {
    (self.address, self.policy, self.settings) = (address, policy, settings)
    self.retryWindowMilliseconds = retryWindowMilliseconds
  }

  /// The wait of a claim for the nodes.
  package var deadlineMilliseconds: Int { settings.deadlineMilliseconds ?? address.usualDeadlineMilliseconds }

  func readCredentials() throws(Problem) -> FleetCredentials {
    guard let file = settings.credentialsFile else { return .none }
    do throws(Problem) {
      return try FleetCredentials(file: file, of: address)
    } catch {
      throw Problem(error.subject, error.fact, cure: error.cure, code: FleetCredentials.code)
    }
  }

  /// An error for a grace out of its range, or of nodes that have none.
  package func times() throws(Problem) -> FleetPolicy {
    if let graceSeconds = settings.graceSeconds {
      guard address.hasGrace else {
        throw Problem("a grace is given, and only a database has one", cure: "leave it out with redis:")
      }
      let allowed = Setting.grace.range
      guard allowed.contains(Int64(graceSeconds)) else {
        throw Problem("expected a grace of \(allowed.lowerBound) to \(allowed.upperBound) s, found \(graceSeconds)")
      }
    }
    return FleetPolicy(policy, graceSeconds: settings.graceSeconds)
  }

  /// Finds out what opening it would throw, and gives no node a vote.
  func tryOut(mayBeRetired: Bool = false) throws(Problem) -> [NodeDescription] {
    var options = self
    // It is tried, and may not be there yet.
    options.settings.localTable = nil
    var administration = try FleetAdministration(options)
    if let table = settings.localTable {
      try SharedReplayTable.tryOut(at: table.path, capacity: table.capacity, policy: policy)
    }
    administration.timeoutMilliseconds = 2000
    let nodes = administration.describe()
    if !mayBeRetired, nodes.count(where: { $0.state == .retired }) >= address.votesNeeded {
      throw .retired(address)
    }
    return nodes
  }

  package func digest() throws(Problem) -> FleetDigest {
    let times = try times()
    return try rethrow(FleetDigest(of: address, times), as: Problem.digest)
  }

  func makeEngine(
    _ clock: FleetClock, _ credentials: Monitor<FleetCredentials>
  ) throws(Problem) -> any NodeEngine & NodeAdministration {
    let (times, digest) = (try times(), try digest())
    switch address {
    case .redis(let fleet):
      return RedisEngine(fleet: fleet, policy: times, digest: digest, clock: clock, credentials: credentials)
    case .postgres(let fleet):
      return try PostgresEngine(fleet: fleet, policy: times, digest: digest, clock: clock, credentials: credentials)
    }
  }

  func openLocalTable() throws(Problem) -> SharedReplayTable? {
    guard let localTable = settings.localTable else { return nil }
    return try SharedReplayTable(
      secondLockAt: localTable.path, capacity: localTable.capacity, policy: policy,
      retryWindowMilliseconds: retryWindowMilliseconds)
  }
}

extension Problem {
  /// The threads that ask a fleet's nodes could not be started.
  static func noThread(_ error: SystemError) -> Problem {
    Problem("no thread or descriptor is left for a fleet: \(error)")
  }

  /// OpenSSL failed.
  package static func digest(_ fault: Fault) -> Problem {
    let name = fault.answer.wireName
    return Problem("the fleet's digest could not be computed: \(name)", code: name)
  }
}
