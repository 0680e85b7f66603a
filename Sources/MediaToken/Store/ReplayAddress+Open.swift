internal import MediaTokenSystem

/// What a fleet is opened with besides its address and the times of a policy.
package struct FleetSettings: Sendable, Hashable {
  /// The file with the users and passwords of the seats; nil: they ask for none.
  package var credentialsFile: String?
  /// For how long a claim waits for the seats, in the range of ``Setting/deadline``; nil: for as long as is usual for their kind.
  package var deadlineMilliseconds: Int?
  /// For how long no host may have attended a database, in the range of ``Setting/grace``. The same on all hosts.
  package var graceSeconds: Int?
  /// A table of this host that refuses what was used here already, without asking a seat, and is a second lock.
  package var localTable: FleetOptions.LocalTable?

  /// Settings with these values.
  package init(
    credentialsFile: String? = nil, deadlineMilliseconds: Int? = nil, graceSeconds: Int? = nil,
    localTable: FleetOptions.LocalTable? = nil
  ) {
    (self.credentialsFile, self.deadlineMilliseconds) = (credentialsFile, deadlineMilliseconds)
    (self.graceSeconds, self.localTable) = (graceSeconds, localTable)
  }

  /// No credentials, no local table, and the usual deadline.
  package static let standard = FleetSettings()
}

extension ReplayAddress {
  /// Opens what the address names.
  ///
  /// - Parameters:
  ///   - policy: what the memory must cover.
  ///     For a fleet, the times that it is made for: they must be the same on all hosts.
  ///   - retryWindowMilliseconds: for how long the same caller is given its first answer again; 0: never.
  ///   - settings: what else a fleet is opened with.
  /// - Throws: ``Problem``, which names the memory and the cure. A fleet's seats may be down, but none may be
  ///   wrong.
  package func open(
    policy: Policy, retryWindowMilliseconds: Int64 = 0, fleet settings: FleetSettings = .standard
  ) throws(Problem) -> any Store {
    switch self {
    case .none: return .none
    case .fleet(let address):
      let options = FleetOptions(
        address: address, policy: policy, settings: settings, retryWindowMilliseconds: retryWindowMilliseconds)
      return try FleetMemory(opening: options)
    case .shared(let path, let capacity):
      return try SharedReplayTable(
        openingOrCreating: path.text, capacity: capacity, policy: policy,
        retryWindowMilliseconds: retryWindowMilliseconds)
    }
  }

  /// Finds out what ``open(policy:retryWindowMilliseconds:fleet:)`` would throw, and leaves everything as it is: no table is
  /// made, and no seat is given a vote.
  ///
  /// - Returns: what the seats of a fleet say.
  package func tryOut(
    policy: Policy, fleet settings: FleetSettings = .standard
  ) throws(Problem) -> [SeatDescription] {
    switch self {
    case .none: return []
    case .shared(let path, let capacity):
      try SharedReplayTable.tryOut(at: path.text, capacity: capacity, policy: policy)
      return []
    case .fleet(let address):
      var options = FleetOptions(address: address, policy: policy, settings: settings)
      // It is tried, and may not be there yet.
      options.settings.localTable = nil
      var administration = try FleetAdministration(options)
      if let table = settings.localTable {
        try SharedReplayTable.tryOut(at: table.path, capacity: table.capacity, policy: policy)
      }
      administration.timeoutMilliseconds = 2000
      return administration.describe()
    }
  }
}
