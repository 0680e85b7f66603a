/// Step 5: is the token alive?
///
/// Both times are parsed before any clock is compared, so a malformed token is malformed at every hour
/// (<doc:TokenFormat>, "Lifetime").
package struct Lifetime: Sendable {
  package let issueTime: Instant
  /// The life that the token claims, in milliseconds: at most twelve digits.
  package let statedTTLMilliseconds: Int64
  /// The life that is granted: the claimed one, or the policy's maximum.
  package let ttlMilliseconds: Int64
  /// The first instant at which the token is refused.
  package let expiresAt: Instant

  /// Borrowed: an `init` owns what it is given, and each text of the token would be retained for it. `INVALID_TOKEN_FORMAT`
  /// if `ttl` or `issueTime` is not exactly in an accepted form.
  package init(_ fields: borrowing TokenFields, policy: borrowing Policy) throws(Refusal) {
    guard let ttl = Self.parseTTL(fields.ttl.bytes) else { throw .because(.ttlForm) }
    guard let issueTime = IssueTime.parse(fields.issueTime.bytes) else { throw .because(.issueTimeForm) }
    self.issueTime = issueTime
    statedTTLMilliseconds = ttl
    ttlMilliseconds = min(ttl, policy.maxTTLMilliseconds)
    // No overflow: the year has four digits, the life at most a day, the tolerance too.
    expiresAt = Instant(
      millisecondsSinceEpoch: issueTime.millisecondsSinceEpoch + ttlMilliseconds
        + policy.expiryToleranceMilliseconds)
  }

  /// `TOKEN_NOT_YET_VALID` or `TOKEN_EXPIRED`, with the time by which the limit was missed.
  package func check(at now: Instant, policy: Policy) throws(Refusal) {
    let now = now.millisecondsSinceEpoch
    let earliest = issueTime.millisecondsSinceEpoch - policy.futureToleranceMilliseconds
    guard now >= earliest else { throw .because(.issuedInFuture, .milliseconds(Self.distance(now, earliest))) }
    let end = expiresAt.millisecondsSinceEpoch
    guard now < end else { throw .because(.expired, .milliseconds(Self.distance(end, now))) }
  }

  /// `0`, or up to twelve digits without a leading zero: milliseconds.
  private static func parseTTL(_ text: Span<UInt8>) -> Int64? {
    guard (1...12).contains(text.count), text.count == 1 || text[0] != UInt8(ascii: "0") else { return nil }
    return IssueTime.number(text, 0, digits: text.count)
  }

  /// Callers may pass any clock, so the distance may not fit.
  private static func distance(_ earlier: Int64, _ later: Int64) -> Int64 {
    let (difference, overflow) = later.subtractingReportingOverflow(earlier)
    return overflow ? .max : difference
  }
}
