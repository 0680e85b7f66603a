/// Decides about a claim while hosts move from one fleet to another: which fleet is asked, and what follows from the answers. It reads no
/// clock and sends nothing.
///
/// Hosts that have not begun to move ask the old fleet alone, and hosts that are done ask the new one alone. A joint host
/// shares a fleet with each of them: it asks both, and grants a token only if no claim can have it from either.
package struct JointTally: Sendable, Hashable {
  private let isBeforeUntil: Bool
  /// The use that the old fleet grants; nil: it has not answered.
  private var use: VerifiedToken.Use?

  /// The old fleet is not asked any more.
  private var isRetired = false

  /// A fleet of a move.
  package enum Side: String, Sendable, Hashable, CaseIterable {
    /// The fleet that hosts leave.
    case from
    /// The fleet that they move to.
    case to
  }

  /// `until` is the highest floor of the new fleet's initialisation, in seconds since the epoch: no host can have the new
  /// fleet alone before each token that was issued before it has ended.
  package init(issueTime: Instant, until: Int64) {
    isBeforeUntil = issueTime.millisecondsSinceEpoch.flooredDivision(by: 1000).quotient < until
  }

  /// The fleet that is to be asked now.
  package var asks: Side { use == nil && !isRetired ? .from : .to }

  /// So many of the old fleet's nodes as decide say, by the digest that this host has, that it is retired: every host has asked the new
  /// one for so long that it alone decides.
  package mutating func retire() { isRetired = use == nil }

  /// Counts the result of the fleet that was to be asked. The claim's outcome; nil: the new fleet is to be asked now.
  ///
  /// - The old fleet's grant, also of a retry, is no outcome yet: a host with the new fleet alone may have granted the token to another claim.
  ///   Its refusals and faults are the outcome.
  /// - The new fleet's grant is the outcome, and a retry if either fleet says so.
  /// - A token that the new fleet does not vouch for is granted if it was issued before `until`. A later one may have been
  ///   granted before the new fleet lost its data: it stays refused.
  package mutating func count(_ result: Result<UseOutcome, Fault>) -> Result<UseOutcome, Fault>? {
    if isRetired { return result }
    switch (use, result) {
    case (nil, .success(.granted(let first))):
      use = first
      return nil
    case (let first?, .success(.granted(let second))): return .success(.granted(first == .retry ? .retry : second))
    case (let first?, .success(.predatesMemory)) where isBeforeUntil: return .success(.granted(first))
    default: return result
    }
  }
}
