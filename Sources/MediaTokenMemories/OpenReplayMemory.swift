public import MediaToken
internal import MediaTokenFleet
internal import MediaTokenReplay

/// What a ``ReplayAddress`` names, open.
public enum OpenReplayMemory: Sendable {
  /// One use is **not** enforced.
  case notEnforced
  /// One use is enforced, by a memory that must be maintained.
  case enforced(any MaintainedReplayMemory)

  /// What a verifier asks.
  public var memory: any ReplayMemory {
    switch self {
    case .notEnforced: .none
    case .enforced(let memory): memory
    }
  }

  /// The memory that must be maintained; nil if one use is not enforced.
  public var maintained: (any MaintainedReplayMemory)? {
    switch self {
    case .notEnforced: nil
    case .enforced(let memory): memory
    }
  }

  /// A table in memory that only this process and its children share.
  ///
  /// - Throws: ``ReplayMemoryError``, as ``ReplayAddress/open(policy:retryWindowMilliseconds:fleet:)`` does.
  package static func anonymousTable(
    capacity: Int, policy: Policy, retryWindowMilliseconds: Int64
  ) throws(ReplayMemoryError) -> OpenReplayMemory {
    .enforced(
      try orMemoryError { () throws(ReplayTableError) in
        try SharedReplayTable(
          anonymousWithCapacity: capacity, policy: policy, retryWindowMilliseconds: retryWindowMilliseconds)
      })
  }
}

extension ReplayAddress {
  /// Opens what the address names.
  ///
  /// - Parameters:
  ///   - policy: what the memory must cover.
  ///     Of a fleet, the times that it is made for: they must be the same on all hosts.
  ///   - retryWindowMilliseconds: for how long the same caller is given its first answer again; 0: never.
  ///   - settings: what else a fleet is opened with.
  /// - Throws: ``ReplayMemoryError``, which names the memory and the cure. A fleet's seats may be down, but none may be
  ///   wrong.
  public func open(
    policy: Policy, retryWindowMilliseconds: Int64 = 0, fleet settings: FleetSettings = .standard
  ) throws(ReplayMemoryError) -> OpenReplayMemory {
    switch self {
    case .none: .notEnforced
    case .fleet(let address):
      .enforced(
        try Self.fleet(
          FleetOptions(
            address: address, policy: policy, credentialsFile: settings.credentialsFile,
            deadlineMilliseconds: settings.deadlineMilliseconds,
            retryWindowMilliseconds: retryWindowMilliseconds, localTable: settings.localTable)))
    case .shared(let path, let capacity):
      .enforced(
        try orMemoryError { () throws(ReplayTableError) in
          guard let capacity else {
            return try SharedReplayTable(
              opening: path.text, policy: policy, retryWindowMilliseconds: retryWindowMilliseconds)
          }
          return try SharedReplayTable(
            openingOrCreating: path.text, capacity: capacity, policy: policy,
            retryWindowMilliseconds: retryWindowMilliseconds)
        })
    }
  }

  private static func fleet(_ options: FleetOptions) throws(ReplayMemoryError) -> FleetMemory {
    do throws(FleetError) {
      return try FleetMemory(opening: options)
    } catch {
      throw .fleet(error)
    }
  }
}
