/// Some of a fleet's nodes.
struct NodeSet: Sendable, Hashable, Sequence, IteratorProtocol {
  private var bits: UInt8 = 0

  var count: Int { bits.nonzeroBitCount }

  func contains(_ node: Int) -> Bool { bits & 1 << UInt8(node - 1) != 0 }

  mutating func insert(_ node: Int) { bits |= 1 << UInt8(node - 1) }

  mutating func remove(_ node: Int) { bits &= ~(1 << UInt8(node - 1)) }

  /// Takes out the lowest one.
  mutating func next() -> Int? {
    if bits == 0 { return nil }
    defer { bits &= bits - 1 }
    return bits.trailingZeroBitCount + 1
  }
}
