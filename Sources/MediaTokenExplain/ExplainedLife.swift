internal import MediaToken

/// The life of a token: the times in its verified fields, and what the policy makes of them.
struct ExplainedLife: Hashable, Sendable {
  /// When the issuer says that it made the token.
  let issued: Instant
  /// When the life that is granted ends.
  let ends: Instant
  /// The first instant at which the token is accepted: before its issue time, by the tolerance for clocks.
  let acceptedFrom: Instant
  /// The first instant at which it is no longer accepted.
  let acceptedUntil: Instant
  /// How far the issue time is ahead of this host's clock; 0 if it is not.
  let skewMilliseconds: Int64

  init(_ lifetime: Lifetime, _ policy: Policy, at now: Instant) {
    let issued = lifetime.issueTime.millisecondsSinceEpoch
    self.issued = lifetime.issueTime
    ends = Instant(millisecondsSinceEpoch: issued + lifetime.ttlMilliseconds)
    acceptedFrom = Instant(millisecondsSinceEpoch: issued - policy.futureToleranceMilliseconds)
    acceptedUntil = lifetime.expiresAt
    let (ahead, overflow) = issued.subtractingReportingOverflow(now.millisecondsSinceEpoch)
    skewMilliseconds = overflow ? .max : max(0, ahead)
  }
}
