/// A kind of store whose processes can be looked at and founded by an operator. All of it waits, until a deadline in
/// ``MonotonicTime``.
protocol SeatAdministration: Sendable {
  /// How a seat stands. Nothing is changed.
  func describe(_ seat: SeatPlace, until deadline: UInt64) -> SeatDescription

  /// Gives a seat a tenure, if it has none, and says how it stands then.
  ///
  /// - Parameter isFresh: the operator's word that no token was ever used: the seat is to vouch for all.
  func found(_ seat: SeatPlace, isFresh: Bool, until deadline: UInt64) -> SeatDescription

  /// What a seat knows of a token. Nothing is changed.
  func look(at claim: ClaimBatch.Claim, on seat: SeatPlace, until deadline: UInt64) -> SeatLook
}

/// Where a seat is, and which one it is.
struct SeatPlace: Sendable {
  /// From 1, as in the fleet's address.
  let number: Int
  let address: SeatAddress
}
