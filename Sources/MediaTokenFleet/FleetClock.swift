package import MediaToken
internal import MediaTokenSystem
internal import Synchronization

/// The time of day on a host of a fleet: its own clock, and the latest second that it has seen on any clock.
///
/// A seat that has lost its memory votes for no token issued before a floor, and the floor is above every clock that a host
/// ever saw: one that was set back since then does not lower it.
package final class FleetClock: Sendable {
  /// What a seat's clock can show, in seconds since the epoch: until the year 36812. No such second is too large for milliseconds, or
  /// for the numbers of a script, which count exactly to 2⁵³.
  static let seconds: ClosedRange<Int64> = 0...1 << 40
  /// What a seat's tenure can begin or end with: one that never had a token ends before the epoch, and a birth adds minutes to what
  /// clocks show.
  static let tenureSeconds: ClosedRange<Int64> = -1...1 << 41

  private let read: @Sendable () -> Instant
  private let highest = Atomic<Int64>(.min)

  /// - Parameter read: the host's clock.
  package init(_ read: @escaping @Sendable () -> Instant = { .now }) { self.read = read }

  /// The host's clock now, which is remembered.
  package func now() -> Instant {
    let now = read()
    note(seatSecond: Self.secondRoundedUp(now))
    return now
  }

  /// The latest second that was ever seen here, on this host's clock or on another's.
  package var highestSecond: Int64 { highest.load(ordering: .sequentiallyConsistent) }

  /// A seat's clock, or another source of the time, has shown this second since the epoch.
  package func note(seatSecond second: Int64) {
    var current = highest.load(ordering: .sequentiallyConsistent)
    while current < second {
      let attempt = highest.compareExchange(expected: current, desired: second, ordering: .sequentiallyConsistent)
      if attempt.exchanged { return }
      current = attempt.original
    }
  }

  /// ⌈time / 1 s⌉: what a birth is given, so that no fraction is lost.
  package static func secondRoundedUp(_ time: Instant) -> Int64 {
    (time.millisecondsSinceEpoch + 999).flooredDivision(by: 1000).quotient
  }
}
