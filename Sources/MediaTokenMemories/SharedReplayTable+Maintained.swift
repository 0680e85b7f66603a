public import MediaToken
public import MediaTokenReplay

// Maintaining it and its tolerances are the table's own.
extension SharedReplayTable: MaintainedReplayMemory {
  public var condition: ReplayMemoryCondition { isRetired ? .retired : .usable }

  public func readings(at now: Instant) -> [ReplayMemoryReading] {
    [.entries(liveEntries()), .capacity(capacity), .clockLeadSeconds(clockLeadSeconds(at: now))]
  }

  public func reopenedAfterFork(policy: Policy) throws(ReplayMemoryError) -> SharedReplayTable {
    try orMemoryError { () throws(ReplayTableError) in try reopened(for: policy) }
  }
}
