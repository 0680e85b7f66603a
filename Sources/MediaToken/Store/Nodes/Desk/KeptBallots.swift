/// The ballots of claims that ended with a fault: the next claim of the same token in this process uses the same ballot, so that
/// votes that were cast already count for it and not against it.
///
/// A ballot is taken out by the claim that uses it, and put back only after another fault: two claims with one ballot would both
/// win. Ballots of requests are not kept, as they can be made again.
struct KeptBallots: Sendable {
  /// The most that are kept.
  static let most = 4096

  private var ballots: [TokenIdentity: (ballot: Ballot, endSecond: Int64)] = [:]
  /// Before this there is nothing to remove, so that the search runs once a second at most.
  private var nextRemoval: Int64 = 0

  var count: Int { ballots.count }

  /// No other claim can then use the ballot.
  mutating func take(_ identity: TokenIdentity) -> Ballot? {
    ballots.isEmpty ? nil : ballots.removeValue(forKey: identity)?.ballot
  }

  /// Keeps a ballot until the token's end, unless there is another one, or no room. `endSecond` is since the epoch, as `now` is.
  mutating func keep(_ ballot: Ballot, of identity: TokenIdentity, until endSecond: Int64, now: Int64) {
    guard endSecond > now else { return }
    if ballots.count >= Self.most { removeEnded(at: now) }
    if ballots.count < Self.most, ballots[identity] == nil { ballots[identity] = (ballot, endSecond) }
  }

  mutating func removeEnded(at second: Int64) {
    guard second >= nextRemoval else { return }
    nextRemoval = second + 1
    ballots = ballots.filter { $0.value.endSecond > second }
  }
}
