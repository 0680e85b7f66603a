internal import MediaTokenSystem

/// Both clocks of a machine: the one that people and other machines set, between two readings of the one that cannot be
/// set. All in milliseconds.
struct Clocks: Hashable, Sendable {
  /// CLOCK_REALTIME, since 1970.
  let wall: Int64
  /// CLOCK_BOOTTIME, since the machine was started: just before and just after.
  let bootBefore: UInt64
  let bootAfter: UInt64

  static func now() throws(SystemError) -> Clocks {
    let before = try boot()
    let wall = try RealTime.now()
    return Clocks(wall: wall, bootBefore: before, bootAfter: try boot())
  }

  private static func boot() throws(SystemError) -> UInt64 {
    guard let nanoseconds = MonotonicTime.sinceBoot else { throw .invalidArgument }
    return nanoseconds / 1_000_000
  }

  /// The start of the machine, if it is `wall` now: at the earliest and at the latest. Between them is the time that passed
  /// between the readings. A start before 1970 is 1970.
  func earliestStart(ifNowIs wall: Int64) -> UInt64 { Self.start(wall, bootAfter) }
  func latestStart(ifNowIs wall: Int64) -> UInt64 { Self.start(wall, bootBefore) }

  private static func start(_ wall: Int64, _ boot: UInt64) -> UInt64 {
    UInt64(max(0, max(0, wall) - Int64(clamping: boot)))
  }
}
