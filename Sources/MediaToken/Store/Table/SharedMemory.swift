internal import MediaTokenSystem

/// A table's file where a class must own it, and the mark of the process that opened it.
final class TableFileBox: Sendable {
  let file: TableFile
  let forkMark: ForkMark

  init(_ file: consuming TableFile) throws(Problem) {
    forkMark = try TableProblem.blaming(file.path, "madvise", ForkMark())
    self.file = file
  }
}

/// Shared memory as a spend sees it.
struct SharedMemory: SpendMemory, ~Copyable {
  typealias Failure = Fault

  let table: MappedTable
  let epoch: UInt64
  let floorMargin: Int64
  let file: TableFileBox?
  private let firstBuckets: UInt64

  init(table: MappedTable, header: TableHeader, file: TableFileBox?) {
    self.table = table
    self.file = file
    firstBuckets = UInt64(header.first.buckets)
    (epoch, floorMargin) = (header.epoch, header.floor(above: 0))
  }

  var isForked: Bool { file?.forkMark.isForked ?? false }

  func loadHighest() -> UInt64 { table.load(.highest) }

  func raiseHighest(to now: UInt64) -> Bool { table.raise(.highest, to: now) }

  func loadDurableLease() -> UInt64 { table.load(.durableLease) }
  func raiseDurableLease(to lease: UInt64) { table.raise(.durableLease, to: lease) }
  func raiseLease(to lease: UInt64) { table.raise(.lease, to: lease) }

  func synchroniseHeader() throws(Fault) {
    guard let file else { return }
    try rethrow(file.file.unshare()) { (_: Problem) in Fault.replayMemoryUnavailable }
    try rethrow(table.synchroniseHeader()) { (_: SystemError) in
      // What is broken here may be sound for others, and for this process when it opens it again.
      table.isBroken ? Fault.replayMemoryUnavailable : retire()
    }
  }

  func checkPlace() throws(Fault) {
    guard let file else { return }
    try rethrow(file.file.checkPlace()) { (error: Problem) in
      error.code == TableProblem.retired.code ? retire() : Fault.replayMemoryUnavailable
    }
    let start = MonotonicTime.now
    file.file.waitUntilThawed()
    if MonotonicTime.now &- start > Self.freezeLimit { throw .replayMemoryUnavailable }
  }

  /// The time that a claim waits for a file system that is frozen, in nanoseconds: later its caller may have left, and it
  /// is to spend nothing.
  private static let freezeLimit: UInt64 = 1_000_000_000

  private func retire() -> Fault {
    table.raise(.highest, to: TableFormat.retired)
    return .replayMemoryUnavailable
  }

  func loadVouchesFrom() -> Int64 { Int64(bitPattern: table.load(.vouchesFrom)) }
  func raiseVouchesFrom(to instant: Int64) { table.raise(.vouchesFrom, to: UInt64(max(0, instant))) }

  func loadWarmingUntil() -> UInt64 { table.load(.warmingUntil) }
  func endWarming(_ warmingUntil: UInt64) { table.exchange(.warmingUntil, warmingUntil, 0) }
  func loadMachineStart() -> UInt64 { table.load(.machineStart) }
  func raiseMachineStart(to instant: UInt64) { table.raise(.machineStart, to: instant) }

  func readClocks() throws(Fault) -> Clocks {
    try rethrow(Clocks.now()) { (_: SystemError) in Fault.replayMemoryUnavailable }
  }

  func loadParts() throws(Fault) -> Int {
    let count = table.load(.parts)
    return count == 1 ? 1 : try mapParts(count)
  }

  /// All parts are mapped before the first entry of them is looked at. If that is not possible, no spend is granted.
  @inline(never)
  private func mapParts(_ count: UInt64) throws(Fault) -> Int {
    guard count <= UInt64(TableFormat.mostParts), count > 0 else { throw .replayMemoryUnavailable }
    let last = Int(count) - 1
    if table.isMapped(part: last) { return last + 1 }
    guard let file, let parts = TableFormat.parts(count: count, { table.load(headerAt: $0) }) else {
      throw .replayMemoryUnavailable
    }
    for number in 1...last {
      try rethrow(table.map(parts[number], number: number, of: file.file.descriptor)) { (_: SystemError) in
        Fault.replayMemoryUnavailable
      }
    }
    return last + 1
  }

  func buckets(ofPart part: Int) -> UInt64 {
    if part == 0 { return firstBuckets }
    let capacity = table.load(headerAt: TableFormat.capacityOffset(ofPart: part))
    return UInt64(TableFormat.buckets(forCapacity: Int(clamping: capacity)))
  }

  func loadEnd(ofPart part: Int) -> UInt64 { table.load(headerAt: TableFormat.endOffset(ofPart: part)) }

  func load(_ entry: Int) -> UInt64 { table.load(entry: entry) }

  func exchange(_ entry: Int, _ expected: UInt64, _ desired: UInt64) -> Bool {
    table.exchange(entry: entry, expected, desired)
  }

  func loadRetry(_ entry: Int) -> UInt64 { table.loadRetry(entry: entry) }

  func storeRetry(_ entry: Int, _ word: UInt64) { table.storeRetry(entry: entry, word) }
}
