internal import MediaTokenSystem
internal import Synchronization

/// The ballots of claims that ended with a fault: the next claim of the same token in this process uses the same ballot, so that
/// votes that were cast already count for it and not against it.
///
/// A ballot is taken out by the claim that uses it, and put back only after another fault: two claims with one ballot would both
/// win. Ballots of requests are not kept, as they can be made again.
final class UndecidedClaims: Sendable {
  /// The most that are kept.
  static let most = 4096

  private let kept = Monitor(Kept())
  /// The number of ballots, so that the lock is taken only while there are some. One that is overlooked costs a token, and
  /// never grants one twice.
  private let count = Atomic<Int>(0)

  private struct Kept: Sendable {
    var ballots: [TokenIdentity: (ballot: Ballot, endSecond: Int64)] = [:]
    /// Before this there is nothing to remove, so that the search runs once a second at most.
    var nextRemoval: Int64 = 0

    mutating func removeEnded(at second: Int64) {
      guard second >= nextRemoval else { return }
      nextRemoval = second + 1
      ballots = ballots.filter { $0.value.endSecond > second }
    }
  }

  /// The ballots that are kept now.
  var number: Int { count.load(ordering: .relaxed) }

  /// No other claim can then use the ballot.
  func take(_ identity: TokenIdentity) -> Ballot? {
    if count.load(ordering: .relaxed) == 0 { return nil }
    return kept.change { kept in
      let ballot = kept.ballots.removeValue(forKey: identity)?.ballot
      count.store(kept.ballots.count, ordering: .relaxed)
      return ballot
    }
  }

  /// Keeps a ballot until the token's end, unless there is another one, or no room. `endSecond` is since the epoch, as
  /// `now` is.
  func keep(_ ballot: Ballot, of identity: TokenIdentity, until endSecond: Int64, now: Int64) {
    guard endSecond > now else { return }
    kept.change { kept in
      if kept.ballots.count >= Self.most { kept.removeEnded(at: now) }
      if kept.ballots.count < Self.most, kept.ballots[identity] == nil {
        kept.ballots[identity] = (ballot, endSecond)
      }
      count.store(kept.ballots.count, ordering: .relaxed)
    }
  }

  func removeEnded(at second: Int64) {
    if count.load(ordering: .relaxed) == 0 { return }
    kept.change { kept in
      kept.removeEnded(at: second)
      count.store(kept.ballots.count, ordering: .relaxed)
    }
  }
}
