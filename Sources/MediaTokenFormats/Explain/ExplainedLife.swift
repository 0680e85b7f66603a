internal import MediaToken

/// The life of a token: the times in its verified fields, and what the policy makes of them, in ISO 8601.
package struct ExplainedLife: Hashable, Sendable {
  /// When the issuer says that it made the token.
  package let issued: String
  /// When the life that is granted ends.
  package let ends: String
  /// The first instant at which the token is accepted: before its issue time, by the tolerance for clocks.
  package let acceptedFrom: String
  /// The first instant at which it is no longer accepted.
  package let acceptedUntil: String
  /// How far the issue time is ahead of this host's clock; 0 if it is not.
  package let skewMilliseconds: Int64

  package init(issued: String, ends: String, acceptedFrom: String, acceptedUntil: String, skewMilliseconds: Int64) {
    (self.issued, self.ends) = (issued, ends)
    (self.acceptedFrom, self.acceptedUntil) = (acceptedFrom, acceptedUntil)
    self.skewMilliseconds = skewMilliseconds
  }

  init(_ lifetime: Lifetime, _ policy: Policy, at now: Instant) {
    let issued = lifetime.issueTime.millisecondsSinceEpoch
    let (ahead, overflow) = issued.subtractingReportingOverflow(now.millisecondsSinceEpoch)
    func text(_ milliseconds: Int64) -> String { Instant(millisecondsSinceEpoch: milliseconds).description }
    self.init(
      issued: lifetime.issueTime.description, ends: text(issued + lifetime.ttlMilliseconds),
      acceptedFrom: text(issued - policy.futureToleranceMilliseconds),
      acceptedUntil: lifetime.expiresAt.description, skewMilliseconds: overflow ? .max : max(0, ahead))
  }
}
