/// Some of a fleet's seats.
struct SeatSet: Sendable, Hashable, Sequence, IteratorProtocol {
  private var bits: UInt8 = 0

  var count: Int { bits.nonzeroBitCount }

  func contains(_ seat: Int) -> Bool { bits & 1 << UInt8(seat - 1) != 0 }

  mutating func insert(_ seat: Int) { bits |= 1 << UInt8(seat - 1) }

  mutating func remove(_ seat: Int) { bits &= ~(1 << UInt8(seat - 1)) }

  /// Takes out the lowest one.
  mutating func next() -> Int? {
    if bits == 0 { return nil }
    defer { bits &= bits - 1 }
    return bits.trailingZeroBitCount + 1
  }
}
