internal import MediaTokenSystem

/// SipHash-2-4 with 128 bits of output (J.-P. Aumasson and D. J. Bernstein, "SipHash: a fast short-input PRF"; the
/// 128-bit variant is that of the authors' reference code). OpenSSL has it too, but not for the price of a hot path.
///
/// A table's seed is secret, so that tokens can't be aimed at one bucket.
struct SipHash128: Sendable, Redacted {
  private var (v0, v1, v2, v3): (UInt64, UInt64, UInt64, UInt64)
  private var words: UInt64 = 0

  init(key: (UInt64, UInt64)) {
    v0 = 0x736F_6D65_7073_6575 ^ key.0
    v1 = 0x646F_7261_6E64_6F6D ^ key.1 ^ 0xEE
    v2 = 0x6C79_6765_6E65_7261 ^ key.0
    v3 = 0x7465_6462_7974_6573 ^ key.1
  }

  /// The first byte is lowest.
  @inline(__always)
  mutating func combine(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
    words &+= 1
  }

  @inline(__always)
  mutating func combine(_ identity: TokenIdentity) {
    let words = identity.digest.littleEndianWords
    combine(words.0)
    combine(words.1)
    combine(words.2)
    combine(words.3)
  }

  /// The bytes that are left must be fewer than eight.
  @inline(__always)
  consuming func finish(lastBytes: UInt64 = 0, count: UInt64 = 0) -> (UInt64, UInt64) {
    // The input's length modulo 256 is the highest byte of the last block.
    combine((words &* 8 &+ count) << 56 | lastBytes)
    v2 ^= 0xEE
    round()
    round()
    round()
    round()
    let first = v0 ^ v1 ^ v2 ^ v3
    v1 ^= 0xDD
    round()
    round()
    round()
    round()
    return (first, v0 ^ v1 ^ v2 ^ v3)
  }

  @inline(__always)
  private mutating func round() {
    v0 &+= v1
    v1 = rotated(v1, 13) ^ v0
    v0 = rotated(v0, 32)
    v2 &+= v3
    v3 = rotated(v3, 16) ^ v2
    v0 &+= v3
    v3 = rotated(v3, 21) ^ v0
    v2 &+= v1
    v1 = rotated(v1, 17) ^ v2
    v2 = rotated(v2, 32)
  }

  @inline(__always)
  private func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 {
    word << bits | word >> (64 &- bits)
  }
}
