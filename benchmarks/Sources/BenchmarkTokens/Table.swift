import MediaToken

/// An anonymous table of 1,000,000 in which 500,000 random identities are live, so that it is as large in the caches as
/// one at work. Spend with clocks that are read after it was made: it takes none that is slower than its own.
package func halfFullTable() throws -> SharedReplayTable {
  let table = try SharedReplayTable(anonymousWithCapacity: 1_000_000, policy: .standard)
  let now = Instant(millisecondsSinceEpoch: milliseconds())
  for _ in 0..<500_000 {
    guard try table.spend(randomClaim(at: now)) == .firstUse else { fail("a random identity was used before") }
  }
  return table
}

/// The use of a token that was not seen before; it lives an hour.
package func randomClaim(at now: Instant) -> UseClaim {
  var generator = SystemRandomNumberGenerator()
  let words: InlineArray<4, UInt64> = [generator.next(), generator.next(), generator.next(), generator.next()]
  return claim(words, at: now)
}

/// The use of the token with this identity; it lives an hour.
package func claim(_ identity: InlineArray<4, UInt64>, at now: Instant) -> UseClaim {
  let digest = identity.span.withUnsafeBytes { SHA256Digest(bytes: $0.bindMemory(to: UInt8.self).span) }
  guard let digest else { fail("expected 32 bytes") }
  return UseClaim(
    identity: TokenIdentity(digest: digest), issueTime: now, ttlMilliseconds: 3_600_000, now: now, request: nil)
}
