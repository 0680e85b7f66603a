internal import MediaTokenSystem

/// The word of an entry by which the caller of its first use is recognised: 48 bits of a hash of identity, request and
/// caller, and 16 bits of the life that was left then, in seconds.
///
/// It is written after the win and bound to the identity, so that one that is stale, missing or overwritten can only
/// refuse.
struct RetryWord: Hashable, Sendable, Redacted {
  /// The hash in its place: the lowest 16 bits are zero.
  private let mark: UInt64
  /// The seconds in which the first answer is given again.
  private let window: UInt64

  /// Nil if the window is closed.
  init?(_ request: UseRequest, for identity: TokenIdentity, seed: (UInt64, UInt64), window: UInt64) {
    guard window > 0 else { return nil }
    var hash = SipHash128(key: seed)
    hash.combine(identity)
    hash.combine(UInt64(request.callerUID))
    let bytes = request.id.text.utf8Span.span
    var (word, count) = (UInt64(0), UInt64(0))
    for index in bytes.indices {
      word |= UInt64(bytes[index]) << (8 * count)
      count += 1
      if count == 8 {
        hash.combine(word)
        (word, count) = (0, 0)
      }
    }
    mark = hash.finish(lastBytes: word, count: count).0 & ~0xFFFF
    self.window = window
  }

  /// The word to store at a first use; zero, which matches nothing, if the life that is left does not fit.
  func word(until: UInt64, firstUse: UInt64) -> UInt64 {
    let left = until &- firstUse
    return firstUse <= until && left <= 0xFFFF ? mark | left : 0
  }

  /// True if `word` says that this very request was answered inside the window.
  func isRepeated(in word: UInt64, until: UInt64, now: UInt64) -> Bool {
    guard word & ~0xFFFF == mark, word != 0 else { return false }
    let firstUse = until &- (word & 0xFFFF)
    // A clock that went back since is inside the window as well: the same request, and no later.
    return now < firstUse &+ window
  }
}
