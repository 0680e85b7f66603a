internal import MediaTokenSystem

/// The source of one thread's ballots.
///
/// A forked child would make the same random ballots. It must not claim with its parent's source, and it does not: the
/// connections are its parent's too.
struct BallotSource: ~Copyable {
  private var hasher: SHA256Hasher
  /// Random numbers from the kernel, for 64 ballots at once.
  private var chance = [UInt64](repeating: 0, count: 128)
  private var used = 128

  init() throws(Fault) { hasher = try SHA256Hasher() }

  /// The request's ballot if it may be repeated, the one that an earlier fault left, or a new one.
  mutating func ballot(for claim: UseClaim, in fleet: Fleet) throws(Fault) -> (Ballot, OpenClaim.BallotOrigin) {
    let second = UInt32(clamping: claim.now.millisecondsSinceEpoch / 1000)
    if fleet.retryWindowMilliseconds > 0, let request = claim.request {
      return (Ballot(try .of(request, for: claim.identity, &hasher), second: second), .request)
    }
    if let kept = fleet.undecided.take(claim.identity) { return (kept, .kept) }
    return (Ballot(nextID(), second: second), .chance)
  }

  /// No other claim has this id.
  private mutating func nextID() -> Ballot.ID {
    if used == chance.count {
      KernelRandom.fill(&chance)
      used = 0
    }
    defer { used += 2 }
    return Ballot.ID(chance[used], UInt32(truncatingIfNeeded: chance[used + 1]))
  }
}
