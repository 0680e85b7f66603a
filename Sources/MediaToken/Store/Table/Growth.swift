internal import MediaTokenSystem

/// Growth: a further part at the end of the file, into which new tokens go from one moment to the next
/// (<doc:ReplayTableFormat>, "Growing").
extension SharedReplayTable {
  /// Makes room in the table at `path`, in use or not: no spend waits, no token is lost and none is granted twice. Wherever
  /// it is cut off, the table is as it was or has grown. After an error it is as it was, unless the disk failed. The
  /// capacity is the live tokens that it is to be rated for; more than now.
  package static func grow(at path: String, toCapacity capacity: Int) throws(Problem) {
    guard (1...largestCapacity).contains(capacity) else { throw TableProblem.badCapacity(capacity).of(table: path) }
    guard let file = try TableFile.open(path) else { throw TableProblem.missing.of(table: path) }
    let opening = try TableOpening(file)
    try opening.begin(file, try clocks(path))
    defer { file.leave(opening.table) }
    try Growth(table: opening.table, header: opening.header, capacity: capacity).run(in: file)
  }
}

private struct Growth {
  let table: MappedTable
  let header: TableHeader
  let capacity: Int

  func run(in file: borrowing TableFile) throws(Problem) {
    // Of two that grow a table one comes after the other, and sees what the first one did.
    try file.aloneInGrowing { () throws(Problem) in try runAlone(in: file) }
  }

  private func runAlone(in file: borrowing TableFile) throws(Problem) {
    let count = table.load(.parts)
    guard let parts = TableFormat.parts(count: count, { table.load(headerAt: $0) }), let last = parts.last else {
      throw TableProblem.brokenHeader("capacity").of(table: file.path)
    }
    guard capacity > last.capacity else { throw TableProblem.notMore(found: last.capacity).of(table: file.path) }
    guard parts.count < TableFormat.mostParts else { throw TableProblem.grownTooOften.of(table: file.path) }
    try file.checkPlace()
    try makeRoom(TablePart(capacity: capacity, after: last), number: parts.count, after: last, file)
    let memory = GrowingMemory(table: table)
    memory.addPart(to: parts.count, longestLife: Warming.length(header) / 1000 + 2)
    try synchroniseHeader(file)
  }

  /// Room on the disk, which can be mapped, before anyone looks there. The header says first that the file may be longer than
  /// its parts, and how large the new one is: the number of parts is not on the disk without that.
  private func makeRoom(
    _ part: TablePart, number: Int, after last: TablePart, _ file: borrowing TableFile
  ) throws(Problem) {
    // What an interrupted growth left there belongs to no part.
    try file.setSize(last.end)
    table.store(UInt64(part.end), .reserved)
    table.store(UInt64(part.capacity), headerAt: TableFormat.capacityOffset(ofPart: number))
    try synchroniseHeader(file)
    do throws(Problem) {
      // Not from 0: what is before it is in use (``SystemCall/reserve(_:from:to:)``).
      try file.reserve(from: last.end, to: part.end)
      try file.synchronise()
      let descriptor = file.descriptor
      try TableProblem.blaming(file.path, "mmap", table.map(part, number: number, of: descriptor))
    } catch {
      try file.setSize(last.end)
      throw error
    }
  }

  private func synchroniseHeader(_ file: borrowing TableFile) throws(Problem) {
    try TableProblem.blaming(file.path, "msync", table.synchroniseHeader())
  }
}

/// The moment of growth as the model checker sees it.
protocol GrowthMemory: ~Copyable {
  associatedtype Failure: Error
  func loadHighest() throws(Failure) -> UInt64
  func storeParts(_ count: Int) throws(Failure)
  func loadEnd(ofPart part: Int) throws(Failure) -> UInt64
  func storeEnd(ofPart part: Int, _ end: UInt64) throws(Failure)
}

extension GrowthMemory where Self: ~Copyable {
  /// From one moment to the next, new tokens go into another part. Only then is it known for how long those before it are
  /// looked at: a claimer that won there has published its clock by now.
  ///
  /// `count` is the number of parts so far, `longestLife` the most seconds between a claimer's clock and the end of its
  /// token's entry.
  func addPart(to count: Int, longestLife: UInt64) throws(Failure) {
    // Power loss may have undone a growth, and left the end that it computed: tokens of today outlive that.
    try storeEnd(ofPart: count - 1, 0)
    try storeParts(count + 1)
    let highest = try loadHighest()
    guard highest < TableFormat.retired - longestLife else { return }
    // More than one if growth was cut off just here before.
    for part in 0..<count where try loadEnd(ofPart: part) == 0 {
      try storeEnd(ofPart: part, highest + longestLife)
    }
  }
}

private struct GrowingMemory: GrowthMemory {
  typealias Failure = Never
  let table: MappedTable

  func loadHighest() -> UInt64 { table.load(.highest) }
  func storeParts(_ count: Int) { table.store(UInt64(count), .parts) }
  func loadEnd(ofPart part: Int) -> UInt64 { table.load(headerAt: TableFormat.endOffset(ofPart: part)) }
  func storeEnd(ofPart part: Int, _ end: UInt64) { table.store(end, headerAt: TableFormat.endOffset(ofPart: part)) }
}
