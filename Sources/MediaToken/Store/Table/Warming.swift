internal import MediaTokenSystem

/// A warming table: it may have replaced a lost one while the wall clock was behind, and then its floor is too
/// low. Until all that the lost one knew has ended by the boot clock, a wall clock that is set forward raises the floor as
/// at creation (<doc:ReplayTableFormat>, "Warming tables").
enum Warming {
  /// The time that the wall clock may advance further than the boot clock without being taken for set, in milliseconds: two
  /// readings and a clock that is slewed differ by less in an hour, well inside the floor's margin.
  static let tolerance: UInt64 = 2000

  /// The length of warming: the longest life that a token may have that was used just before.
  static func length(_ header: TableHeader) -> UInt64 {
    UInt64(header.maxTTL + header.expiryTolerance + header.futureTolerance + TableFormat.floorMarginMilliseconds)
  }
}

extension MappedTable {
  /// No other process uses the table yet.
  func beginWarming(_ header: TableHeader, _ clocks: Clocks) {
    store(clocks.earliestStart(ifNowIs: clocks.wall), .machineStart)
    store(clocks.bootAfter + Warming.length(header), .warmingUntil)
  }
}

extension SpendMemory where Self: ~Copyable {
  /// Raises the floor of a warming table if the wall clock was set forward: before H says so to others, who would spend above
  /// the old floor; and before the mark that it was raised, by which others leave it alone.
  func watchClocks(claimedNow now: UInt64) throws(Failure) {
    let warmingUntil = try loadWarmingUntil()
    guard warmingUntil != 0 else { return }
    let clocks = try readClocks()
    // A claimer that was stopped has an older clock than the kernel, and one from before the clock was set back a newer one.
    let wall = max(clocks.wall, Int64(clamping: now) * 1000)
    if clocks.latestStart(ifNowIs: wall) > (try loadMachineStart()) + Warming.tolerance {
      try raiseVouchesFrom(to: wall + floorMargin)
      try raiseMachineStart(to: clocks.earliestStart(ifNowIs: wall))
    }
    // Warming ends only here: a claimer that was stopped until its end may be the first to see that the clock was set before.
    if clocks.bootBefore >= warmingUntil { try endWarming(warmingUntil) }
  }
}
