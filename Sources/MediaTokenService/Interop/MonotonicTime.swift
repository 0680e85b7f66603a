internal import Glibc

/// Nanoseconds on a clock that nobody sets.
enum MonotonicTime {
  static var now: UInt64 { read(CLOCK_MONOTONIC) }

  /// The same clock as it was at the kernel's last tick, at most 10 ms ago, for a fraction of the price. Enough for deadlines,
  /// which may come that much early where the other reading is exact.
  static var lastTick: UInt64 { read(CLOCK_MONOTONIC_COARSE) }

  private static func read(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    // SAFETY: clock_gettime fills in the structure; both clocks always exist.
    guard unsafe clock_gettime(clock, &time) == 0 else {
      preconditionFailure("the system has no monotonic clock")
    }
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}

extension Duration {
  /// Whole nanoseconds; the most that fit, and none for a negative duration.
  var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    if seconds < 0 || attoseconds < 0 { return 0 }
    let (product, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : product &+ UInt64(attoseconds) / 1_000_000_000
  }
}
