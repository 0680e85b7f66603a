internal import MediaTokenSystem

/// The time of day on a host of a fleet, and the highest that each node has shown it.
///
/// A node that has lost its memory votes for no token issued before a floor, and the floor is above the clocks by which its
/// address's processes may have voted. For a node only its own answers count: the time that they show, and the host's clock where it
/// agrees with that. A host's clock that was ahead by itself, and what other nodes show, would keep nodes from voting until that time.
package final class FleetClock: Sendable {
  /// The seconds since the epoch that a node's clock can show: until the year 36812. No such second is too large for
  /// milliseconds, or for the numbers of a script, which count exactly to 2⁵³.
  static let seconds: ClosedRange<Int64> = 0...1 << 40
  /// The seconds that a node's epoch can begin or end with: one that never had a token ends before 1970, and a start adds
  /// minutes to what clocks show.
  static let epochSeconds: ClosedRange<Int64> = -1...1 << 41

  private let read: @Sendable () -> Instant
  private let heard = Monitor([HeardTime](repeating: HeardTime(), count: 7))  // FleetAddress.nodeCounts

  /// The most seconds between the clocks of a node and a host: with more a node is given no epoch, and is not asked.
  static let tolerance: Int64 = 5

  package init(_ read: @escaping @Sendable () -> Instant = { .now }) { self.read = read }

  package func now() -> Instant { read() }

  /// The clock that a start of this node is given: the highest second that it has shown here, and at least the host's clock
  /// now.
  func highestSecond(ofNode number: Int) -> Int64 {
    max(Self.secondRoundedUp(now()), heard.current[number - 1].highest)
  }

  // MARK: what nodes show

  /// A node has answered claims, or a look. Returns the time by which its clock is ahead of ours, in whole seconds. The
  /// epoch is that under which it answered; nil if that is not known. It was asked `elapsed` nanoseconds ago.
  @discardableResult
  func note(second: Int64, ofNode number: Int, in epoch: EpochMark?, askedAgo elapsed: UInt64 = 0) -> Int64 {
    let (offset, latest) = compare(second, askedAgo: elapsed)
    heard.change { $0[number - 1].note(latest, in: epoch) }
    return offset
  }

  /// A node has shown that this is its epoch, by a start or as it was maintained. Returns the time by which its clock is
  /// ahead of ours, and by which it was ahead of itself before, if that is forgotten now.
  func note(
    second: Int64, ofNode number: Int, showing epoch: EpochMark, askedAgo elapsed: UInt64
  ) -> (offset: Int64, setBack: Int64?) {
    let (offset, latest) = compare(second, askedAgo: elapsed)
    let setBack = heard.change { nodes in
      let setBack = nodes[number - 1].enter(epoch, at: second)
      nodes[number - 1].note(latest, in: epoch)
      return setBack
    }
    return (offset, setBack)
  }

  /// The reason why a node with this time began no epoch for us; nil if the question was on its way for too long, which is
  /// no sign of wrong clocks.
  func startRefusal(at second: Int64, ofNode number: Int, askedAgo elapsed: UInt64) -> NodeRefusal? {
    let (offset, latest) = compare(second, askedAgo: elapsed)
    if offset.magnitude > Self.tolerance { return .clock(offsetSeconds: offset) }
    let highest = heard.current[number - 1].highest
    return highest > latest + HeardTime.mostAhead ? .clockWasAhead(seconds: highest - latest) : nil
  }

  /// The time by which the node's clock is ahead, and the later one of both, if they agree; else the node's.
  private func compare(_ second: Int64, askedAgo elapsed: UInt64) -> (offset: Int64, latest: Int64) {
    let now = now()
    let offset = Self.offset(of: second, at: now, askedAgo: elapsed)
    let agrees = offset.magnitude <= Self.tolerance
    return (offset, agrees ? max(second, Self.secondRoundedUp(now)) : second)
  }

  /// The time by which a node's clock is ahead of ours, in whole seconds. It was asked `elapsed` nanoseconds ago, and may
  /// have shown that second at any time since then.
  func offset(of second: Int64, askedAgo elapsed: UInt64) -> Int64 {
    Self.offset(of: second, at: now(), askedAgo: elapsed)
  }

  private static func offset(of second: Int64, at now: Instant, askedAgo elapsed: UInt64) -> Int64 {
    let now = now.millisecondsSinceEpoch
    let latest = now.flooredDivision(by: 1000).quotient
    let earliest = (now - Int64(elapsed / 1_000_000)).flooredDivision(by: 1000).quotient
    return second > latest ? second - latest : min(0, second - earliest)
  }

  /// ⌈time / 1 s⌉: a start is given this, so that no fraction is lost.
  static func secondRoundedUp(_ time: Instant) -> Int64 {
    (time.millisecondsSinceEpoch + 999).flooredDivision(by: 1000).quotient
  }
}
