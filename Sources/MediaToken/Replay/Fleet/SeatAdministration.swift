internal import MediaTokenSystem

/// A kind of store whose processes can be looked at and founded by an operator. All of it waits, until a timeout, and throws why
/// nothing is learnt from a seat.
protocol SeatAdministration: Sendable {
  /// The state of a seat. Nothing is changed.
  func describe(_ seat: SeatPlace, within timeout: Timeout) throws(SeatError) -> SeatDescription

  /// Gives a seat an epoch, if it has none, and describes it then.
  ///
  /// - Parameter freshOwner: the owner of the data that were described when the operator vouched that no token was ever used: the seat
  ///   then vouches for all, if the data are the same. Nil: no one does.
  func found(_ seat: SeatPlace, freshOwner: String?, within timeout: Timeout) throws(SeatError) -> SeatDescription

  /// What a seat would say to a first claim of a token; nil if it has no epoch yet. Nothing is changed.
  func peek(at claim: ClaimBatch.Claim, on seat: SeatPlace, within timeout: Timeout) throws(SeatError)
    -> SeatAnswer?
}

/// How long one call waits for seats.
struct Timeout: Sendable {
  let milliseconds: Int
  /// When it ends, in ``MonotonicTime``.
  let end: UInt64

  /// Begins now.
  init(milliseconds: Int) {
    self.milliseconds = milliseconds
    end = MonotonicTime.now + UInt64(milliseconds) * 1_000_000
  }

  /// How much is left of it, in milliseconds, begun ones too.
  var left: UInt64 {
    let now = MonotonicTime.now
    return now < end ? (end - now) / 1_000_000 + 1 : 0
  }
}

/// Where a seat is, and which one it is.
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
  /// Why it is down or refused, or why it was not founded, and what to do.
  package var reason: String?
  /// From which second since the epoch on it vouches for tokens.
  package var from: Int64?
  /// The latest second in which it may have votes.
  package var high: Int64?
  /// The latest second of its own clock in which a host attended it; only a database's.
  package var seen: Int64?
  /// The last second of its own clock in which it has its epoch, if no host attends it until then; only a database's.
  package var lastsUntil: Int64?
  /// How many standbys a database's commits wait for; nil if the role may not see that.
  package var syncStandbys: Int64?
  /// How far its clock is ahead of this host's.
  package var clockOffsetMilliseconds: Int64?
  /// How long it took to ask it for the time.
  package var roundTripMicroseconds: Int64?
  package var usedMemoryBytes: Int64?
  /// Its `maxmemory-policy`: what it does when its memory is full.
  package var policy: String?
  package var version: String?
  /// Which database it is; nil for other seats.
  package var database: DatabaseIdentity?
  /// What should be corrected, and costs nothing but refused tokens.
  package var warnings: [String] = []
  /// What distinguishes its process from every other.
  var process: String?
  /// What distinguishes its data from those that it had or will have after a loss.
  var owner: String?
  /// Whether it is refused for its clock alone.
  var isOnlyOff = false
  /// Whether there is an epoch, be it for these data or for others.
  var hasEpoch = false

  /// Why a seat with an epoch is not made to vouch for all tokens, and what to do.
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

/// What a seat knows of one token, without a claim.
package struct SeatPeek: Sendable, Hashable {
  /// From 1, as in the fleet's address.
  package let number: Int
  /// As it is written.
  package let address: String
  /// What it would say to a first claim; nil if it says nothing.
  package let answer: SeatAnswer?
  /// Why it says nothing.
  package let reason: String?
}
