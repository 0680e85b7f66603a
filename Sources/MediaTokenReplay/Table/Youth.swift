internal import MediaToken
internal import MediaTokenSystem

/// What both clocks of a machine say: the one that people and other machines set, between two readings of the one
/// that cannot be set. All in milliseconds.
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

  /// When the machine was started, if it is `wall` now: at the earliest and at the latest. Between them is what passed
  /// between the readings. What is before 1970 is 1970.
  func earliestStart(ifNowIs wall: Int64) -> UInt64 { Self.start(wall, bootAfter) }
  func latestStart(ifNowIs wall: Int64) -> UInt64 { Self.start(wall, bootBefore) }

  private static func start(_ wall: Int64, _ boot: UInt64) -> UInt64 {
    UInt64(max(0, max(0, wall) - Int64(clamping: boot)))
  }
}

/// A young table: it may have replaced a lost one while the wall clock was behind, and then its floor is too
/// low. Until all that the lost one knew has ended by the boot clock, a wall clock that is set forward raises the floor as
/// at creation (<doc:ReplayTableFormat>, "Young tables").
enum Youth {
  /// What the wall clock may advance further than the boot clock without being taken for set, in milliseconds: what two
  /// readings and a clock that is slewed differ by in an hour, well inside the floor's margin.
  static let tolerance: UInt64 = 2000

  /// How long a table is young: for the longest life that a token may have that was used just before.
  static func length(_ header: TableHeader) -> UInt64 {
    UInt64(header.maxTTL + header.expiryTolerance + header.futureTolerance + TableFormat.floorMarginMilliseconds)
  }
}

extension MappedTable {
  /// The table is young from now on. No other process uses it yet.
  func beginYouth(_ header: TableHeader, _ clocks: Clocks) {
    store(clocks.earliestStart(ifNowIs: clocks.wall), .machineStart)
    store(clocks.bootAfter + Youth.length(header), .youngUntil)
  }
}

extension SpendMemory where Self: ~Copyable {
  /// Raises the floor of a young table if the wall clock was set forward: before H says so to others, who would spend above
  /// the old floor; and before the mark that it was raised, by which others leave it alone.
  func watchClocks(claimedNow now: UInt64) throws(Failure) {
    let youngUntil = try loadYoungUntil()
    guard youngUntil != 0 else { return }
    let clocks = try readClocks()
    // A claimer that was stopped has an older clock than the kernel, and one from before the clock was set back a newer one.
    let wall = max(clocks.wall, Int64(clamping: now) * 1000)
    if clocks.latestStart(ifNowIs: wall) > (try loadMachineStart()) + Youth.tolerance {
      try raiseVouchesFrom(to: wall + floorMargin)
      try raiseMachineStart(to: clocks.earliestStart(ifNowIs: wall))
    }
    // Youth ends only here: a claimer that was stopped until its end may be the first to see that the clock was set before.
    if clocks.bootBefore >= youngUntil { try endYouth(youngUntil) }
  }
}
