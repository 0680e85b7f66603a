/// The content of a table's file at this moment.
///
/// Reading it changes nothing and delays no process: the file is opened for reading, not mapped and not locked, so that
/// no mark is cleared, no floor is raised, and the last opener of a table still finds itself alone when it leaves.
/// Owner, mode and file system do not matter, because nothing is trusted: a copy of a table can be read too.
package struct ReplayTableInfo: Sendable, Hashable {
  package let path: String
  /// The live tokens that the table is rated for.
  package let capacity: Int
  /// The groups of entries.
  package let buckets: Int
  /// 1, and one more for each time that the table grew.
  package let parts: Int
  package let bytes: Int
  /// Entries whose end is after the table's highest clock; none in a retired table.
  package let liveEntries: Int
  package let tolerances: ReplayTolerances
  /// Tokens that were issued before are refused; 1970 if the operator vouched for all.
  package let vouchesFrom: Instant
  /// The highest clock of all users of the table; nil if it is retired.
  package let highestClock: Instant?
  /// The time by which that is ahead of the kernel's clock; below zero if the table was not used since. Nil if it is
  /// retired.
  package let clockLeadSeconds: Int64?
  /// The clock that the table may not reach before a new one is on the disk.
  package let lease: Instant
  /// The time when the last opener closed it and left everything on the disk; nil if that never happened.
  package let lastCleanClose: Instant?
  /// True if it was not used since that close. If not it is in use, or its last user was killed.
  package let isClean: Bool
  /// True if the table was opened last, or made, under the boot id that this process sees. If not the machine was restarted
  /// since, or the opener sees another id, as in some containers.
  package let isOfThisBoot: Bool
  /// True if it may have replaced a lost table so recently that a clock that is set forward, and a restart of the machine,
  /// raise ``vouchesFrom`` once more.
  package let isWarming: Bool
  /// True if the process that opens it next raises ``vouchesFrom``.
  package let willRaiseFloor: Bool

  /// True if every spend is refused, for good.
  package var isRetired: Bool { highestClock == nil }

  /// Rounded down; more than 100 if the table is overloaded.
  package var percentFull: Int { liveEntries * 100 / capacity }

  /// Reads the header, and every entry once, which takes a moment where there are many. An error if there is no file, it
  /// can't be read, or it is not a sound table.
  package init(reading path: String) throws(Problem) {
    guard let file = try TableFile.open(path, forReadingOnly: true) else {
      throw TableProblem.missing.of(table: path)
    }
    let (header, numbers, size) = try file.readTable { file throws(Problem) in try file.sizeIfRegular() }
    let highest = numbers[.highest]
    let parts = numbers.parts ?? [header.first]
    self.path = path
    capacity = (parts.last ?? header.first).capacity
    self.parts = parts.count
    buckets = parts.reduce(0) { $0 + $1.buckets }
    bytes = size
    liveEntries = try file.liveEntries(of: parts, at: highest, since: header.epoch)
    tolerances = header.tolerances
    vouchesFrom = Instant(millisecondsSinceEpoch: Int64(bitPattern: numbers[.vouchesFrom]))
    highestClock = highest == TableFormat.retired ? nil : Self.instant(seconds: highest)
    clockLeadSeconds = try highestClock.map { highest throws(Problem) in
      (highest.millisecondsSinceEpoch / 1000) - (try SharedReplayTable.now(path)) / 1000
    }
    lease = Self.instant(seconds: numbers[.lease])
    let closed = numbers[.lastCleanClose]
    lastCleanClose = closed == 0 ? nil : Instant(millisecondsSinceEpoch: Int64(clamping: closed))
    isClean = numbers[.clean] == 1
    let boot = try TableOpening.boot(path)
    isOfThisBoot = numbers[.bootFirst] == boot.0 && numbers[.bootSecond] == boot.1
    isWarming = numbers[.warmingUntil] != 0
    willRaiseFloor =
      header.floorAtOpening(
        isOfThisBoot: isOfThisBoot, isRemounted: file.isRemounted(since: numbers[.mounting]), isClean: isClean,
        isWarming: isWarming, lease: 0, now: 0) != nil
  }

  /// A damaged number of seconds must not be a crash.
  private static func instant(seconds: UInt64) -> Instant {
    Instant(millisecondsSinceEpoch: Int64(clamping: min(seconds, UInt64(Int64.max / 1000))) * 1000)
  }
}
