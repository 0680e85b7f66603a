internal import MediaTokenSystem

/// The opening of a table's file.
///
/// The first opener is alone with the file: it sees whether the machine went down with spends that may be lost, and raises
/// the floor above them. Every process keeps a shared lock for as long as it has the table open.
struct TableOpening {
  let table: MappedTable
  let header: TableHeader

  init(_ file: borrowing TableFile) throws(Problem) {
    header = try file.readTable { file throws(Problem) in try file.checkKind(allowedOwner: nil) }.header
    let (descriptor, first) = (file.descriptor, header.first)
    table = try TableProblem.blaming(file.path, "mmap", MappedTable(descriptor: descriptor, first: first))
  }

  /// Takes the shared lock of an open table, and does the first opener's work before anyone spends.
  func begin(_ file: borrowing TableFile, _ clocks: Clocks) throws(Problem) {
    let boot = try Self.boot(file.path)
    try file.unshare()
    var attempts = 0
    while true {
      if file.tryLockAlone() { try prepare(file, boot, clocks) }
      try file.lock(alone: false)
      let isPrepared = table.load(.clean) == 0
      try table.checkIsWhole(file.path)
      if isPrepared, isOf(boot) { break }
      // Not prepared: between two locks another process opened and closed the table, and marked it clean. Of another boot: a
      // process that sees that one has the table open, and will for long; or a process is just opening it as we are, or died
      // while it did, which is over in a moment.
      if isPrepared { attempts += 1 }
      if attempts == Self.retryLimit { throw TableProblem.otherBoot.of(table: file.path) }
      // Without the lock, and for a time of its own: of processes that all kept it while they tried, none would ever be alone.
      file.unlock()
      WorkerThread.sleep(milliseconds: .random(in: 1...10))
    }
    try file.checkPlace()
    guard table.load(.highest) != TableFormat.retired else { throw TableProblem.retired.of(table: file.path) }
    try table.checkIsWhole(file.path)
  }

  /// The times that a table may be found in use by another boot, with a few milliseconds between: for a second, as a
  /// process that is just opening it may have to wait for a processor.
  private static let retryLimit = 200

  private func prepare(
    _ file: borrowing TableFile, _ boot: (UInt64, UInt64), _ clocks: Clocks
  ) throws(Problem) {
    let isWarming = table.load(.warmingUntil) != 0
    let floor = header.floorAtOpening(
      isOfThisBoot: isOf(boot), isRemounted: file.isRemounted(since: table.load(.mounting)),
      isClean: table.load(.clean) != 0, isWarming: isWarming, lease: table.load(.lease), now: clocks.wall)
    if let floor { table.raise(.vouchesFrom, to: UInt64(max(0, floor))) }
    // Another boot's clocks can't be compared with this one's: warming begins again.
    if isWarming, !isOf(boot) { table.beginWarming(header, clocks) }
    table.store(boot.0, .bootFirst)
    table.store(boot.1, .bootSecond)
    // Not known, as in some containers: the next one that knows must not take the disk for the same.
    let mounting = file.mounting
    if mounting != 0 { table.store(mounting, .mounting) }
    table.store(0, .clean)
    try TableProblem.blaming(file.path, "msync", table.synchroniseHeader())
  }

  static func boot(_ path: String) throws(Problem) -> (UInt64, UInt64) {
    try TableProblem.blaming(path, "boot_id", BootIdentity.current())
  }

  private func isOf(_ boot: (UInt64, UInt64)) -> Bool {
    table.load(.bootFirst) == boot.0 && table.load(.bootSecond) == boot.1
  }
}

extension MappedTable {
  /// Refuses if the mapping is not the file's any more.
  func checkIsWhole(_ path: String) throws(Problem) {
    if isBroken { throw TableProblem.diskFailed.of(table: path) }
  }
}

extension TableFile {
  /// The last user leaves the mark that everything is on the disk. Without it the table is as after a kill.
  func leave(_ table: MappedTable) {
    // Closing would not do: a forked child may share the lock, and would keep it.
    defer { unlock() }
    guard tryLockAlone(), !table.isBroken, table.load(.highest) != TableFormat.retired,
      (try? synchronise()) != nil
    else { return }
    if let now = try? RealTime.now() { table.store(UInt64(now), .lastCleanClose) }
    table.store(1, .clean)
    // If this fails the mark may be missing on the disk, which costs a floor and no more.
    try? table.synchroniseHeader()
  }
}
