public import MediaToken
internal import MediaTokenSystem

/// A clock that shows one time until a test moves it.
public final class ManualClock: Sendable {
  private let time: Monitor<UnixTime>

  /// A clock that shows this time.
  public init(_ time: UnixTime = .now) { self.time = Monitor(time) }

  /// The time that the clock shows.
  public var now: UnixTime { time.current }

  /// Moves the clock forward, or back with a negative duration.
  public func advance(by duration: Duration) { time.change { $0 = $0 + duration } }

  /// For ``/MediaToken/TokenVerifier``.
  public var verifierClock: VerifierClock { VerifierClock { [time] in time.current } }
}
