public import MediaToken
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
  /// - Throws: ``ReplayMemoryError``, as ``ReplayAddress/open(policy:retryWindowMilliseconds:)`` does.
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
  ///   - retryWindowMilliseconds: for how long the same caller is given its first answer again; 0: never.
  /// - Throws: ``ReplayMemoryError``, which names the memory and the cure.
  public func open(
    policy: Policy, retryWindowMilliseconds: Int64 = 0
  ) throws(ReplayMemoryError) -> OpenReplayMemory {
    switch self {
    case .none: .notEnforced
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
}
