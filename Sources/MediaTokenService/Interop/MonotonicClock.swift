internal import Glibc

/// The clock that measures durations.
enum MonotonicClock {
  /// Nanoseconds since some moment; never smaller than before.
  static var nanoseconds: UInt64 {
    var time = timespec()
    // SAFETY: clock_gettime fills in the structure that it is given.
    guard unsafe clock_gettime(CLOCK_MONOTONIC, &time) == 0 else { return 0 }
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
