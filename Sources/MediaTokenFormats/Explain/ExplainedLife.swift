package import MediaToken
internal import MediaTokenSystem

/// The times in the verified fields, and what the policy makes of them, in milliseconds since 1970.
package struct ExplainedLife {
  let issued: Int64
  let ends: Int64
  /// When it begins to be accepted, by the policy.
  let from: Int64
  /// When it ceases to be.
  let until: Int64
  let now: Int64

  /// For how long, or since when; and what the policy allows where that matters.
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

  /// For how long it is not accepted yet; negative once it is.
  var wait: Int64 { from.subtracting(now) }
  /// By how much the issue time is ahead of the clock here.
  var skew: Int64 { max(0, issued.subtracting(now)) }

  /// The times with their names, in the order of printing.
  package var times: [(name: String, time: Instant)] {
    [("issued", issued), ("now", now), ("ends", ends)].map { ($0, Instant(millisecondsSinceEpoch: $1)) }
  }
}

extension Explanation {
  /// Nil unless a trusted key signed times that can be read.
  package var life: ExplainedLife? {
    guard let lifetime else { return nil }
    let issued = lifetime.issueTime.millisecondsSinceEpoch
    return ExplainedLife(
      issued: issued, ends: issued + lifetime.ttlMilliseconds, from: issued - policy.futureToleranceMilliseconds,
      until: lifetime.expiresAt.millisecondsSinceEpoch, now: now.millisecondsSinceEpoch)
  }
}

extension Int64 {
  /// The difference, or the most that fits.
  fileprivate func subtracting(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return !overflow ? difference : self < 0 ? .min : .max
  }
}
