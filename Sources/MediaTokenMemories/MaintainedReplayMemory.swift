public import MediaToken
public import MediaTokenReplay

/// A replay memory that enforces one use, and that a long-running program must look after: it is maintained once a second,
/// it can fail, and a forked child must open it for itself.
public protocol MaintainedReplayMemory: ReplayMemory {
  /// What the memory was made for: a policy that is looser in any of these accepts tokens that the memory has forgotten.
  var tolerances: ReplayTolerances { get }

  /// Does what is due, so that no claim has to wait for it. Call it about once a second, at the kernel's time.
  ///
  /// - Throws: ``Fault/replayMemoryUnavailable`` while the memory can't be maintained, which ``condition`` explains.
  func maintain(at now: Instant) throws(Fault)

  /// Whether the memory answers claims, as far as is known without asking it: a look at memory, for health checks.
  var condition: ReplayMemoryCondition { get }

  /// What is to be measured of the memory, for metrics; it may take a millisecond.
  func readings(at now: Instant) -> [ReplayMemoryReading]

  /// The same memory for this process, which was forked from the one that opened it.
  ///
  /// - Parameter policy: what the memory must still cover.
  /// - Throws: ``ReplayMemoryError`` if it can't be opened again.
  func reopenedAfterFork(policy: Policy) throws(ReplayMemoryError) -> Self
}

/// Whether a replay memory answers claims.
public enum ReplayMemoryCondition: Sendable, Hashable {
  /// It answers.
  case usable
  /// It was retired: deleted or replaced while it was in use, or its disk failed. Every claim is a fault, for good.
  case retired
}

/// One measurement of a replay memory. A memory gives those that it has.
public enum ReplayMemoryReading: Sendable, Hashable {
  /// How many live tokens it remembers; estimated if it is large.
  case entries(Int)
  /// How many live tokens it is rated for.
  case capacity(Int)
  /// How many seconds the highest clock of all its users is ahead of ours; nil if it is retired and has no clock any more.
  case clockLeadSeconds(Int64?)
}
