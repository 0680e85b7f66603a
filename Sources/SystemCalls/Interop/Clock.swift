internal import Glibc
package import MediaToken

extension Instant {
  /// What the system's clock says.
  package static var now: Instant {
    var time = timespec()
    // SAFETY: clock_gettime fills in the structure; CLOCK_REALTIME always exists.
    guard unsafe clock_gettime(CLOCK_REALTIME, &time) == 0 else {
      preconditionFailure("the system has no real-time clock")
    }
    return Instant(millisecondsSinceEpoch: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
