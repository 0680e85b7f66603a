internal import MediaToken
internal import MediaTokenSystem

/// Where one thread's claims get their words.
///
/// A forked child would make the same random words. It must not claim with its parent's source, and it does not: the
/// lanes are its parent's too.
struct WordSource: ~Copyable {
  private var hasher: SHA256Hasher
  /// Random numbers from the kernel, for 64 words at once.
  private var chance = [UInt64](repeating: 0, count: 128)
  private var used = 128

  /// - Throws: a fault if OpenSSL has no memory.
  init() throws(Fault) { hasher = try SHA256Hasher() }

  /// The word for a claim: the request's if it may be repeated, the one that an earlier fault left, or a new one.
  ///
  /// - Throws: a fault if OpenSSL fails.
  mutating func word(for claim: UseClaim, in fleet: Fleet) throws(Fault) -> (ClaimWord, OpenClaim.WordOrigin) {
    let second = UInt32(clamping: claim.now.millisecondsSinceEpoch / 1000)
    if fleet.retryWindowMilliseconds > 0, let request = claim.request {
      return (ClaimWord(try .of(request, for: claim.identity, &hasher), second: second), .request)
    }
    if let kept = fleet.undecided.take(claim.identity) { return (kept, .kept) }
    return (ClaimWord(nextID(), second: second), .chance)
  }

  /// The id of a claim that no other has.
  private mutating func nextID() -> ClaimWord.ID {
    if used == chance.count {
      KernelRandom.fill(&chance)
      used = 0
    }
    defer { used += 2 }
    return ClaimWord.ID(chance[used], UInt32(truncatingIfNeeded: chance[used + 1]))
  }
}
