/// The places where an identity's entry may be in a table, and its mark (<doc:ReplayTableFormat>, "Entries").
struct EntryPlace: Hashable, Sendable {
  /// The first entries of the two buckets; the buckets differ.
  let first: Int
  let second: Int
  /// 36 bits that are neither all zero nor all one.
  let tag: UInt64

  @inline(__always)
  init(of identity: TokenIdentity, seed: (UInt64, UInt64), buckets: UInt64) {
    self.init(hash: Self.hash(of: identity, seed: seed), buckets: buckets)
  }

  /// It decides on the place of an identity in every part of a table with this seed.
  @inline(__always)
  static func hash(of identity: TokenIdentity, seed: (UInt64, UInt64)) -> (UInt64, UInt64) {
    var hash = SipHash128(key: seed)
    hash.combine(identity)
    return hash.finish()
  }

  /// The place for a hash in a part: the tag from the first word, the buckets from the halves of the second.
  init(hash: (UInt64, UInt64), buckets: UInt64, part: Int = 0) {
    // Multiply and shift: any number of buckets below 2³², not only powers of two.
    let one = ((hash.1 >> 32) &* buckets) >> 32
    let other = ((hash.1 & 0xFFFF_FFFF) &* (buckets &- 1)) >> 32
    let start = EntryNumber.first(ofPart: part)
    first = start &+ Int(one) &* TableFormat.entriesPerBucket
    second = start &+ Int(other >= one ? other &+ 1 : other) &* TableFormat.entriesPerBucket
    tag = Self.tag(hash)
  }

  /// All ones marks a retired table, and zero an empty entry. A collision can only refuse.
  static func tag(_ hash: (UInt64, UInt64)) -> UInt64 {
    let tag = hash.0 >> TableFormat.endBits
    return tag == 0 ? 1 : tag == TableFormat.tagMask ? TableFormat.tagMask - 1 : tag
  }

  func word(end: UInt64) -> UInt64 { tag << TableFormat.endBits | end }

  func isOurs(_ word: UInt64) -> Bool { word >> TableFormat.endBits == tag }

  /// The time of a table that has passed when its highest clock is `highest`: the ends of entries are compared with it.
  static func elapsed(at highest: UInt64, since epoch: UInt64) -> UInt64 {
    highest > epoch ? highest &- epoch : 0
  }

  /// True if an entry may be overwritten: it is empty, or ended by the highest clock.
  static func isDead(_ word: UInt64, after elapsed: UInt64) -> Bool {
    // An empty entry's end is zero, so it needs no comparison of its own.
    word & TableFormat.endMask <= elapsed
  }
}
