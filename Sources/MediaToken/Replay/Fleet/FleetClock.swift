internal import MediaTokenSystem
internal import Synchronization

/// The time of day on a host of a fleet: its own clock, and the latest second that it has seen on it and on each seat's.
///
/// A seat that has lost its memory votes for no token issued before a floor, and the floor is above the clocks by which its
/// address's processes may have voted: the host's and the seat's own, also if they were set back since then. What other seats show
/// does not count: one that lies would keep all others from voting.
package final class FleetClock: Sendable {
  /// What a seat's clock can show, in seconds since the epoch: until the year 36812. No such second is too large for milliseconds, or
  /// for the numbers of a script, which count exactly to 2⁵³.
  static let seconds: ClosedRange<Int64> = 0...1 << 40
  /// What a seat's epoch can begin or end with: one that never had a token ends before 1970, and a birth adds minutes to what
  /// clocks show.
  static let epochSeconds: ClosedRange<Int64> = -1...1 << 41

  private let read: @Sendable () -> Instant
  private let highest = Atomic<Int64>(.min)
  private let heard = InlineArray<7, Atomic<Int64>> { _ in Atomic(.min) }  // FleetAddress.seatCounts

  /// How far apart the clocks of a seat and a host may be, in seconds: by more no seat is born, and none is asked.
  static let tolerance: Int64 = 5

  /// - Parameter read: the host's clock.
  package init(_ read: @escaping @Sendable () -> Instant = { .now }) { self.read = read }

  /// The host's clock now, which is remembered.
  package func now() -> Instant {
    let now = read()
    note(second: Self.secondRoundedUp(now))
    return now
  }

  /// The latest second that was ever seen here, on this host's clock or on this seat's.
  func highestSecond(ofSeat number: Int) -> Int64 {
    max(highest.load(ordering: .relaxed), heard[number - 1].load(ordering: .relaxed))
  }

  /// This host has known that it is this second since the epoch.
  func note(second: Int64) { highest.max(second, ordering: .relaxed) }

  /// A seat's clock has shown this second since the epoch.
  func note(second: Int64, ofSeat number: Int) { heard[number - 1].max(second, ordering: .relaxed) }

  /// How far a seat's clock is ahead of ours, in whole seconds.
  ///
  /// - Parameters:
  ///   - second: what it showed.
  ///   - elapsed: how long ago it was asked, in nanoseconds: it may have shown that at any time since then.
  func offset(of second: Int64, askedAgo elapsed: UInt64) -> Int64 {
    let now = now().millisecondsSinceEpoch
    let latest = now.flooredDivision(by: 1000).quotient
    let earliest = (now - Int64(elapsed / 1_000_000)).flooredDivision(by: 1000).quotient
    return second > latest ? second - latest : min(0, second - earliest)
  }

  /// ⌈time / 1 s⌉: what a birth is given, so that no fraction is lost.
  static func secondRoundedUp(_ time: Instant) -> Int64 {
    (time.millisecondsSinceEpoch + 999).flooredDivision(by: 1000).quotient
  }
}
