internal import MediaToken
internal import MediaTokenSystem
internal import Synchronization

/// The words of claims that ended with a fault: the next claim of the same token in this process uses the same word, so that
/// votes that were cast already count for it and not against it.
///
/// A word is taken out by the claim that uses it, and put back only after another fault: two claims with one word would both
/// win. Words of requests are not kept, as they can be made again.
final class UndecidedClaims: Sendable {
  /// How many are kept.
  static let most = 4096

  private let kept = Monitor(Kept())
  /// How many there are, so that the lock is taken only while there are some. One that is overlooked costs a token, and never
  /// grants one twice.
  private let count = Atomic<Int>(0)

  private struct Kept: Sendable {
    var words: [TokenIdentity: (word: ClaimWord, endSecond: Int64)] = [:]
    /// Before this there is nothing to remove, so that the search runs once a second at most.
    var nextRemoval: Int64 = 0

    mutating func removeEnded(at second: Int64) {
      guard second >= nextRemoval else { return }
      nextRemoval = second + 1
      words = words.filter { $0.value.endSecond > second }
    }
  }

  /// How many are kept now.
  var number: Int { count.load(ordering: .relaxed) }

  /// Takes out the word that is kept for a token, which no other claim can then use.
  func take(_ identity: TokenIdentity) -> ClaimWord? {
    if count.load(ordering: .relaxed) == 0 { return nil }
    return kept.change { kept in
      let word = kept.words.removeValue(forKey: identity)?.word
      count.store(kept.words.count, ordering: .relaxed)
      return word
    }
  }

  /// Keeps a word until the token's end, unless there is another one, or no room.
  ///
  /// - Parameter endSecond: since the epoch, as `now`.
  func keep(_ word: ClaimWord, of identity: TokenIdentity, until endSecond: Int64, now: Int64) {
    guard endSecond > now else { return }
    kept.change { kept in
      if kept.words.count >= Self.most { kept.removeEnded(at: now) }
      if kept.words.count < Self.most, kept.words[identity] == nil { kept.words[identity] = (word, endSecond) }
      count.store(kept.words.count, ordering: .relaxed)
    }
  }

  /// Forgets the words of tokens whose life is over.
  func removeEnded(at second: Int64) {
    if count.load(ordering: .relaxed) == 0 { return }
    kept.change { kept in
      kept.removeEnded(at: second)
      count.store(kept.words.count, ordering: .relaxed)
    }
  }
}
