internal import MediaTokenSystem

/// The source of one thread's ballots.
///
/// A forked child would make the same random ballots. It must not claim with its parent's source, and it does not: the desk is its
/// parent's, too.
struct BallotSource: ~Copyable {
  private var hasher: SHA256Hasher?
  /// Random numbers from the kernel, two for each ballot.
  private var chance: [UInt64]
  private var used: Int

  /// `atOnce`: the ballots that are drawn from the kernel together, 64 at most.
  init(atOnce: Int = 64) {
    chance = [UInt64](repeating: 0, count: 2 * max(1, min(64, atOnce)))
    used = chance.count
  }

  /// The claim with the request's ballot if it may be repeated, or else with a new one. A fault if OpenSSL fails.
  mutating func newClaim(
    _ claim: UseClaim, named name: UInt64, of caller: ClaimCaller, in fleet: Fleet
  ) throws(Fault) -> NewClaim {
    let second = UInt32(clamping: claim.now.millisecondsSinceEpoch / 1000)
    guard fleet.isRepeatable(claim), let request = claim.request else {
      return NewClaim(claim: claim, name: name, caller: caller, ballot: Ballot(nextID(), second: second))
    }
    if hasher == nil { hasher = try SHA256Hasher() }
    let id = try Ballot.ID.of(request, for: claim.identity, &hasher!)
    return NewClaim(claim: claim, name: name, caller: caller, ballot: Ballot(id, second: second))
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
