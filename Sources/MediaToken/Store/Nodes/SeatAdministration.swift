internal import MediaTokenSystem

/// A kind of store whose processes can be looked at and founded by an operator. All of it waits, until a timeout, and
/// throws the reason why nothing is learnt from a seat.
protocol SeatAdministration: Sendable {
  /// Nothing is changed.
  func describe(_ seat: SeatPlace, within timeout: Timeout) throws(SeatError) -> SeatDescription

  /// Gives a seat an epoch, if it has none, and describes it then. `freshOwner` is the owner of the data that were
  /// described when the operator vouched that no token was ever used: the seat then vouches for all, if the data are the
  /// same. Nil: the operator vouches for none.
  func found(_ seat: SeatPlace, freshOwner: String?, within timeout: Timeout) throws(SeatError) -> SeatDescription

  /// The answer to a first claim of a token; nil if the seat has no epoch yet. Nothing is changed.
  func peek(at claim: ClaimBatch.Claim, on seat: SeatPlace, within timeout: Timeout) throws(SeatError)
    -> SeatAnswer?
}

/// The time that one call waits for seats.
struct Timeout: Sendable {
  let milliseconds: Int
  /// In ``MonotonicTime``.
  let end: UInt64

  init(milliseconds: Int) {
    self.milliseconds = milliseconds
    end = MonotonicTime.now + UInt64(milliseconds) * 1_000_000
  }

  /// In milliseconds, begun ones too.
  var left: UInt64 {
    let now = MonotonicTime.now
    return now < end ? (end - now) / 1_000_000 + 1 : 0
  }
}

/// The place and the number of a seat.
struct SeatPlace: Sendable {
  /// From 1, as in the fleet's address.
  let number: Int
  /// As it is written.
  let address: String
}

/// A seat as an operator looks at it.
package struct SeatDescription: Sendable, Hashable {
  /// From 1, as in the fleet's address.
  package let number: Int
  /// As it is written.
  package let address: String
  package var state: SeatState
  /// The reason why it is down or refused, or was not founded, and the cure.
  package var reason: String?
  /// The second since the epoch from which on it vouches for tokens.
  package var from: Int64?
  /// The latest second in which it may have votes.
  package var high: Int64?
  /// The latest second of its own clock in which a host attended it; only a database's.
  package var seen: Int64?
  /// The last second of its own clock in which it has its epoch, if no host attends it until then; only a database's.
  package var lastsUntil: Int64?
  /// The standbys that a database's commits wait for; nil if the role may not see that.
  package var syncStandbys: Int64?
  /// The time by which its clock is ahead of this host's.
  package var clockOffsetMilliseconds: Int64?
  /// The time that asking it for the time took.
  package var roundTripMicroseconds: Int64?
  package var usedMemoryBytes: Int64?
  /// Its `maxmemory-policy`: its conduct when its memory is full.
  package var policy: String?
  package var version: String?
  /// Nil for seats that are no database.
  package var database: DatabaseIdentity?
  /// Faults that should be corrected, and cost nothing but refused tokens.
  package var warnings: [String] = []
  /// It distinguishes its process from every other.
  var process: String?
  /// It distinguishes its data from those that it had or will have after a loss.
  var owner: String?
  /// True if it is refused for its clock alone.
  var isOnlyOff = false
  /// True if there is an epoch, be it for these data or for others.
  var hasEpoch = false

  /// The reason why a seat with an epoch is not made to vouch for all tokens, and the cure.
  static let hasEpochReason =
    "it has an epoch, and tokens used under it would be accepted again; leave out the option for a fresh fleet, or found a fleet with a new name"

  init(number: Int, address: String, state: SeatState, reason: String? = nil) {
    (self.number, self.address, self.state, self.reason) = (number, address, state, reason)
  }

  /// A seat of which nothing is learnt.
  init(_ seat: SeatPlace, _ error: SeatError) {
    if case .refused(let refusal) = error {
      self.init(number: seat.number, address: seat.address, refused: refusal)
    } else {
      self.init(
        number: seat.number, address: seat.address, state: error.isOfData ? .unborn : .down,
        reason: error.description)
    }
  }

  private init(number: Int, address: String, refused refusal: SeatRefusal) {
    // Clocks can be set: this is the right process, without an epoch so far.
    self.init(
      number: number, address: address, state: refusal.state(isKnown: false),
      reason: refusal.description)
  }
}

/// A seat's knowledge of one token, without a claim.
package struct SeatPeek: Sendable, Hashable {
  /// From 1, as in the fleet's address.
  package let number: Int
  /// As it is written.
  package let address: String
  /// The answer to a first claim; nil if it says nothing.
  package let answer: SeatAnswer?
  /// The reason why it says nothing.
  package let reason: String?
}
