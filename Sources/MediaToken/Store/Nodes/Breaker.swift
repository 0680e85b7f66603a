/// Keeps claims from waiting for seats that do not answer: an unreachable fleet must not hold up its callers.
///
/// A seat that was silent for three batches in a row is *suspect*. If fewer seats than must agree are free of suspicion, a
/// claim waits 5 ms instead of its deadline; one batch in 100 ms waits its whole deadline, to see whether they answer again.
struct Breaker {
  /// The batches in a row for which each seat was silent, at most ``silencesOfSuspect``.
  private var silences = InlineArray<7, UInt8>(repeating: 0)
  private var nextProbe: UInt64 = 0

  static let silencesOfSuspect: UInt8 = 3
  /// 5 ms and 100 ms, in nanoseconds.
  static let shortWait: UInt64 = 5_000_000
  static let probeInterval: UInt64 = 100_000_000

  /// A batch is over. A bit for each seat that was asked, and that answered.
  mutating func note(asked: SeatSet, answered: SeatSet) {
    for seat in asked {
      silences[seat - 1] = answered.contains(seat) ? 0 : min(silences[seat - 1] + 1, Self.silencesOfSuspect)
    }
  }

  /// The wait of a batch that is sent to these seats now, in nanoseconds.
  mutating func wait(asking seats: SeatSet, needed: Int, deadline: UInt64, at time: UInt64) -> UInt64 {
    var trusted = 0
    for seat in seats where silences[seat - 1] < Self.silencesOfSuspect { trusted += 1 }
    if trusted >= needed { return deadline }
    guard time >= nextProbe else { return min(Self.shortWait, deadline) }
    nextProbe = time &+ Self.probeInterval
    return deadline
  }
}

/// Some of a fleet's seats.
struct SeatSet: Sendable, Hashable, Sequence, IteratorProtocol {
  private var bits: UInt8 = 0

  var count: Int { bits.nonzeroBitCount }

  func contains(_ seat: Int) -> Bool { bits & 1 << UInt8(seat - 1) != 0 }

  mutating func insert(_ seat: Int) { bits |= 1 << UInt8(seat - 1) }

  mutating func formUnion(_ other: SeatSet) { bits |= other.bits }

  func subtracting(_ other: SeatSet) -> SeatSet {
    var rest = self
    rest.bits &= ~other.bits
    return rest
  }

  /// Takes out the lowest one.
  mutating func next() -> Int? {
    if bits == 0 { return nil }
    defer { bits &= bits - 1 }
    return bits.trailingZeroBitCount + 1
  }
}
