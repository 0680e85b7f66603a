internal import MediaTokenSystem

/// A fleet's settings besides its address and the times of a policy.
package struct FleetSettings: Sendable, Hashable {
  /// The users and passwords of the nodes; nil: they ask for none.
  package var credentialsFile: String?
  /// A claim's wait for the nodes, in the range of ``Setting/deadline``; nil: the usual one of their kind.
  package var deadlineMilliseconds: Int?
  /// The time without a host's maintenance after which a database's data count as a copy, in the range of
  /// ``Setting/grace``. The same on all hosts.
  package var graceSeconds: Int?
  /// A table of this host that refuses what was used here already, without asking a node, and is a second lock.
  package var localTable: FleetOptions.LocalTable?

  package init(
    credentialsFile: String? = nil, deadlineMilliseconds: Int? = nil, graceSeconds: Int? = nil,
    localTable: FleetOptions.LocalTable? = nil
  ) {
    (self.credentialsFile, self.deadlineMilliseconds) = (credentialsFile, deadlineMilliseconds)
    (self.graceSeconds, self.localTable) = (graceSeconds, localTable)
  }

  package static let standard = FleetSettings()
}

extension ReplayAddress {
  /// Opens the memory for a policy that it must cover; a fleet is made for the policy's times, which must be the same
  /// on all hosts. In the retry window the same caller is given its first answer again; 0: never.
  ///
  /// - Throws: ``Problem``, which names the memory and the cure. A fleet's nodes may be down, but none may be
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

  /// Finds out what ``open(policy:retryWindowMilliseconds:fleet:)`` would throw, and leaves everything as it is: no
  /// table is made, and no node is given a vote. The descriptions are those of a fleet's nodes.
  package func tryOut(
    policy: Policy, fleet settings: FleetSettings = .standard
  ) throws(Problem) -> [NodeDescription] {
    switch self {
    case .none: return []
    case .shared(let path, let capacity):
      try SharedReplayTable.tryOut(at: path.text, capacity: capacity, policy: policy)
      return []
    case .fleet(let address):
      return try FleetOptions(address: address, policy: policy, settings: settings).tryOut()
    }
  }
}
