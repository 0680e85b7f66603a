internal import MediaTokenSystem

/// A table that is a second lock: another replay memory vouches for the tokens and is asked first.
extension SharedReplayTable {
  /// Opens the table at `path`. If it is missing and a capacity is given, one is made that vouches for all tokens, whatever
  /// older tables in its folder remember: the other memory knows which were used.
  package convenience init(
    secondLockAt path: String, capacity: Int?, policy: Policy, retryWindowMilliseconds: Int64
  ) throws(Problem) {
    if let capacity, try TableFile.open(path) == nil {
      _ = try Self.create(at: path, capacity, policy, 0o600, .allTokens, try Self.clocks(path))
    }
    try self.init(
      openingOrCreating: path, capacity: capacity, policy: policy,
      retryWindowMilliseconds: retryWindowMilliseconds)
  }

  /// True if the table says by itself that the token was used, by a request other than this claim's. It only reads, and
  /// waits for nothing. False promises nothing: ``spend(_:)`` alone decides.
  package func isUsed(_ claim: UseClaim) -> Bool {
    guard !memory.isForked, let spend = spend(for: claim) else { return false }
    let highest = memory.loadHighest()
    guard highest != TableFormat.retired else { return false }
    return (try? spend.isUsed(in: memory, at: highest)) ?? false && !table.isBroken
  }
}
