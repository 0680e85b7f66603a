/// Where doors bring their claims: the desk of a fleet, or those of two while hosts move from one to the other.
protocol ClaimDesk: Sendable {
  /// Nothing of it may be used in a forked child.
  var isForked: Bool { get }

  /// The fleet that claims are made for; in a retry window two do not differ.
  var fleet: Fleet { get }

  /// This host's own answer to a claim; nil if nodes must be asked.
  func outcomeWithoutNodes(of claim: UseClaim) throws(Fault) -> UseOutcome?

  /// Takes claims, which get consecutive numbers; the first one's is returned. Ends may come before it returns. The time is in
  /// ``MonotonicTime``.
  @discardableResult
  func ask(_ claims: [NewClaim], of door: any ClaimDoor, at time: UInt64) -> UInt64

  /// Gives up a claim that no node was asked about. False if one was, or if it has ended: then its token may be used.
  @discardableResult
  func withdraw(_ number: UInt64, at time: UInt64) -> Bool
}
