package import MediaToken
internal import MediaTokenSystem

/// The times in the verified fields, and those that follow by the policy, in milliseconds since 1970.
package struct ExplainedLife: Sendable {
  let lifetime: Lifetime
  let issued: Int64
  let ends: Int64
  /// The first time at which the policy accepts it.
  let from: Int64
  /// The first time at which the policy no longer accepts it.
  let until: Int64
  let now: Int64

  init(_ lifetime: Lifetime, _ policy: Policy, _ now: Instant) {
    self.lifetime = lifetime
    issued = lifetime.issueTime.millisecondsSinceEpoch
    ends = issued + lifetime.ttlMilliseconds
    from = issued - policy.futureToleranceMilliseconds
    until = lifetime.expiresAt.millisecondsSinceEpoch
    self.now = now.millisecondsSinceEpoch
  }

  var expected: String {
    "a time from \(Instant(millisecondsSinceEpoch: from)) until before \(Instant(millisecondsSinceEpoch: until))"
  }

  var found: String {
    let (age, overflow) = now.subtractingReportingOverflow(issued)
    let time = "\(Instant(millisecondsSinceEpoch: now))"
    guard !overflow else { return time }
    let issue = "the issue time \(Instant(millisecondsSinceEpoch: issued))"
    return "\(time), \(SpelledTime.duration(age)) \(age < 0 ? "before" : "after") \(issue)"
  }

  /// Where less is granted than the token claims.
  var granted: String? {
    guard lifetime.statedTTLMilliseconds > lifetime.ttlMilliseconds else { return nil }
    return "counts as \(SpelledTime.duration(lifetime.ttlMilliseconds)), the longest that is granted"
  }

  /// The time that is left, or that has passed; and the policy's tolerance where that matters.
  package var summary: String {
    func spelled(_ later: Int64, _ earlier: Int64) -> String { SpelledTime.duration(later.subtracting(earlier)) }
    var said =
      now >= until
      ? "It ended \(spelled(now, ends)) ago."
      : now >= from ? "It goes on for \(spelled(until, now))." : "It begins in \(spelled(from, now))."
    if issued > now {
      said +=
        " The issue time is \(spelled(issued, now)) ahead of the clock here, which allows \(spelled(issued, from))."
    }
    if until > ends { said += " The policy allows \(spelled(until, ends)) after the end." }
    return said
  }

  /// The time until it is accepted; negative once it is.
  var wait: Int64 { from.subtracting(now) }
  /// The lead of the issue time over the clock here.
  var skew: Int64 { max(0, issued.subtracting(now)) }

  /// In the order of printing.
  package var times: [(name: String, time: Instant)] {
    [("issued", issued), ("now", now), ("ends", ends)].map { ($0, Instant(millisecondsSinceEpoch: $1)) }
  }
}

extension Int64 {
  /// The difference, or the nearest number that fits.
  fileprivate func subtracting(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return !overflow ? difference : self < 0 ? .min : .max
  }
}
