internal import MediaTokenSystem

// The rest of a store is the table's own.
extension SharedReplayTable: Store {
  /// From this share of new tokens that find no room on the table counts as full: one in a hundred.
  private static let fullShare = 0.01

  package func condition(at now: Instant) -> ReplayMemoryCondition {
    guard let lead = clockLeadSeconds(at: now) else { return .retired }
    guard canHold(tokensIssuedAt: now) else { return .unavailable }
    if lead > Self.clockToleranceSeconds { return .clockBehind(seconds: lead) }
    let vouchesFrom = vouchesFrom
    // Issuers write whole seconds.
    if now.millisecondsSinceEpoch / 1000 * 1000 < vouchesFrom.millisecondsSinceEpoch {
      return .warming(until: vouchesFrom)
    }
    return shareWithoutRoom(at: now) < Self.fullShare ? .usable : .full
  }

  package func readings(at now: Instant) -> [ReplayMemoryReading] {
    [.entries(liveEntries(at: now)), .capacity(capacity), .clockLeadSeconds(clockLeadSeconds(at: now))]
  }

  /// The file is opened once more, by its place from the root. An anonymous table is one for parent and children.
  package func reopenedAfterFork(policy: Policy) throws(Problem) -> SharedReplayTable {
    guard let path = memory.file?.file.path else { return self }
    let window = Int64(retryWindowSeconds) * 1000
    return try SharedReplayTable(opening: path, policy: policy, retryWindowMilliseconds: window)
  }
}

extension ReplayTableInfo {
  /// The outcome that a claim at `now` would have, as far as the file tells.
  public func condition(at now: Instant) -> ReplayMemoryCondition {
    guard let highestClock else { return .retired }
    let lead = highestClock.millisecondsSinceEpoch / 1000 - now.millisecondsSinceEpoch / 1000
    if lead > SharedReplayTable.clockToleranceSeconds { return .clockBehind(seconds: lead) }
    if now < vouchesFrom { return .warming(until: vouchesFrom) }
    // Where one token of a hundred finds no room (measured, see `shareWithoutRoom`).
    return percentFull < 160 ? .usable : .full
  }
}
