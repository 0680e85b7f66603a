/// How long to wait before a connection that was lost is dialled anew: 50 ms, doubling to 1 s, half as much more or less by
/// chance, so that hosts which lost a seat together do not come back together. At most 1.5 s: tokens are to play within 2 s of
/// the seats' return.
struct Backoff {
  private var milliseconds: UInt64 = 50

  /// How long to wait this time, in nanoseconds.
  ///
  /// - Parameter chance: from 0 to 1.
  mutating func next(_ chance: Double) -> UInt64 {
    defer { milliseconds = min(milliseconds * 2, 1000) }
    return UInt64(Double(milliseconds * 1_000_000) * (0.5 + chance))
  }

  /// The next one is the first again.
  mutating func reset() { milliseconds = 50 }
}
