public import MediaToken
internal import MediaTokenSystem
internal import Synchronization

/// The replay memory of one host: a file that any number of processes map, or anonymous memory for tests.
///
/// For one identity at most one claim is ever answered ``UseOutcome/firstUse``, across threads, processes, kills at any
/// instruction, restarts and power loss. A crash may lose a token, never grant it twice. What is in the file and why it
/// holds is in <doc:ReplayTableFormat>.
///
/// - Warning: The instants of claims must be the kernel's clock: whoever claims from the future ages the whole table.
public final class SharedReplayTable: ReplayMemory, Sendable {
  /// The greatest capacity: bucket numbers have 32 bits.
  public static let largestCapacity = 1 << 32

  /// One value for all spends, so that a spend retains nothing.
  let memory: SharedMemory
  let header: TableHeader
  private let retryWindowSeconds: UInt64

  /// Opens the table at `path`.
  ///
  /// - Parameters:
  ///   - policy: whose tolerances the table must cover.
  ///   - retryWindowMilliseconds: for how long the same caller is given its first answer again; 0: never.
  /// - Throws: ``ReplayTableError``, which names the file and the cure.
  public convenience init(
    opening path: String, policy: Policy, retryWindowMilliseconds: Int64 = 0
  ) throws(ReplayTableError) {
    guard let file = try TableFile.open(path) else { throw ReplayTableError(path, .missing) }
    try self.init(file, policy, retryWindowMilliseconds)
  }

  /// Opens the table at `path`, or creates one for this capacity and policy if there is none. Of two that create at once
  /// the loser opens the winner's.
  ///
  /// - Throws: ``ReplayTableError``, also if there is a table of less capacity: ``grow(at:toCapacity:)`` makes room.
  public convenience init(
    openingOrCreating path: String, capacity: Int, policy: Policy, retryWindowMilliseconds: Int64 = 0
  ) throws(ReplayTableError) {
    var file = try TableFile.open(path)
    if file == nil {
      _ = try Self.create(at: path, capacity: capacity, policy: policy, mode: 0o600, vouchesFor: .tokensFromNowOn)
      file = try TableFile.open(path)
    }
    guard let file else { throw ReplayTableError(path, .missing) }
    try self.init(file, policy, retryWindowMilliseconds)
    guard self.capacity >= capacity else {
      throw ReplayTableError(path, .capacity(expected: capacity, found: self.capacity))
    }
  }

  /// A table in memory that only this process and its children share. It forgets everything with the last of them.
  public init(
    anonymousWithCapacity capacity: Int, policy: Policy, retryWindowMilliseconds: Int64 = 0
  ) throws(ReplayTableError) {
    let name = "anonymous table"
    let header = try TableHeader(capacity: capacity, policy: policy, now: try Self.now(name), path: name)
    let table = try ReplayTableError.blaming(name, "mmap") { () throws(SystemError) in
      try MappedTable(descriptor: nil, first: header.first)
    }
    header.write(to: table, vouchesFrom: 0)
    self.header = header
    memory = SharedMemory(table: table, header: header, file: nil)
    retryWindowSeconds = UInt64(max(0, retryWindowMilliseconds)) / 1000
  }

  /// The table for this process, if it is a child of the one that opened it: its file once more, at the place where it was
  /// from the root. An anonymous table is one for parent and children.
  ///
  /// - Throws: ``ReplayTableError``, also if the table that is there now does not cover the policy.
  package func reopened(for policy: Policy) throws(ReplayTableError) -> SharedReplayTable {
    guard let path = memory.file?.file.path else { return self }
    return try SharedReplayTable(
      opening: path, policy: policy, retryWindowMilliseconds: Int64(retryWindowSeconds) * 1000)
  }

  private init(
    _ file: consuming TableFile, _ policy: Policy, _ retryWindowMilliseconds: Int64
  ) throws(ReplayTableError) {
    let opening = try TableOpening(file)
    try opening.header.check(covers: policy, file.path)
    try opening.begin(file, try Self.clocks(file.path))
    header = opening.header
    memory = SharedMemory(table: opening.table, header: header, file: try TableFileBox(file))
    retryWindowSeconds = UInt64(max(0, retryWindowMilliseconds)) / 1000
  }

  var table: MappedTable { memory.table }

  /// What the table was made for: no policy that uses it is looser.
  public var tolerances: ReplayTolerances { header.tolerances }

  /// Nobody spends any more. The last one out leaves the mark that everything is on the disk.
  deinit {
    if let file = memory.file, !file.forkMark.isForked { file.file.leave(memory.table) }
  }

  /// Which tokens a new table can vouch for.
  public enum Vouching: Sendable {
    /// Tokens issued from now on, with a margin for clocks: others may have been used before the table was made. Until all
    /// those have ended, a clock that is set forward counts as a new beginning.
    case tokensFromNowOn
    /// All tokens.
    ///
    /// - Warning: It is the operator's word for two things: that no token that may still be alive was used before, here or
    ///   elsewhere; and that nobody has an older table of this path open, of whose spends this one would know nothing.
    case allTokens
  }

  /// Creates a table, never over an existing file.
  ///
  /// - Parameter mode: 0600, or 0660 to share it with a group.
  /// - Returns: whether it was created; false if there was one already.
  /// - Throws: ``ReplayTableError``, also if the folder shows that the clock is behind, or that the word for all tokens is
  ///   wrong: an older table with a name like this one's that is open or remembers living tokens. No half table is left.
  public static func create(
    at path: String, capacity: Int, policy: Policy, mode: UInt32, vouchesFor vouching: Vouching
  ) throws(ReplayTableError) -> Bool {
    guard TableFile.allows(mode: mode) else { throw ReplayTableError(path, .mode(mode)) }
    let clocks = try Self.clocks(path)
    let header = try TableHeader(capacity: capacity, policy: policy, now: clocks.wall, path: path)
    let former = FormerTables(path: path)
    try former.checkClock(now: clocks.wall)
    if vouching == .allTokens { try former.checkNoneIsAlive(now: clocks.wall) }
    let file = try TableFile.createUnnamed(beside: path, mode: mode)
    do throws(ReplayTableError) {
      try file.checkFileSystem()
      try file.reserve(header.first.end)
      let table = try ReplayTableError.blaming(path, "mmap") { () throws(SystemError) in
        try MappedTable(descriptor: file.descriptor, first: header.first)
      }
      switch vouching {
      case .allTokens: header.write(to: table, vouchesFrom: 0)
      case .tokensFromNowOn:
        header.write(to: table, vouchesFrom: header.floor(above: clocks.wall))
        table.beginYouth(header, clocks)
      }
      let boot = try TableOpening.boot(path)
      table.store(boot.0, .bootFirst)
      table.store(boot.1, .bootSecond)
      return try file.publish(as: path)
    } catch {
      file.discard()
      // Nobody knows the name that the file had on the way.
      throw ReplayTableError(path, error.reason)
    }
  }

  // MARK: spending

  /// Fetches both buckets of an identity into the processor's caches.
  public func prepare(for identity: TokenIdentity) {
    // A part that is not mapped yet will be when the token is spent.
    let part = Int(truncatingIfNeeded: memory.table.load(.parts)) - 1
    guard part == 0 || (1..<TableFormat.mostParts).contains(part) && memory.table.isMapped(part: part) else {
      return
    }
    let hash = EntryPlace.hash(of: identity, seed: header.seed)
    let place = EntryPlace(hash: hash, buckets: memory.buckets(ofPart: part), part: part)
    memory.table.prefetch(entry: place.first)
    memory.table.prefetch(entry: place.second)
  }

  /// Spends a token: see ``ReplayMemory/spend(_:)``.
  ///
  /// - Throws: ``Fault/replayMemoryFull``; ``Fault/replayMemoryUnavailable`` if the table was retired, if the claimer's
  ///   clock is more than two seconds behind the table's, if the token's end does not fit, or if the disk fails.
  public func spend(_ claim: UseClaim) throws(Fault) -> UseOutcome {
    if memory.isForked { throw .replayMemoryUnavailable }
    guard let spend = Spend(claim, in: header, retryWindowSeconds: retryWindowSeconds) else {
      throw .replayMemoryUnavailable
    }
    guard header.covers(claim) else {
      // Not to be spent, but what has ended has ended, whatever the claimer's clock says.
      let highest = memory.loadHighest()
      guard highest >= spend.until, highest != TableFormat.retired else { throw .replayMemoryUnavailable }
      return .expired
    }
    switch try spend.run(in: memory) {
    case .firstUse: return .firstUse
    case .retry: return .retry
    case .used: return .alreadyUsed
    case .expired: return .expired
    case .predates: return .predatesMemory
    case .full: throw .replayMemoryFull
    case .clockBehind, .retired: throw .replayMemoryUnavailable
    }
  }

  /// Refuses every spend from now on, for everybody who has the table open.
  public func retire() { table.raise(.highest, to: TableFormat.retired) }

  static func now(_ path: String) throws(ReplayTableError) -> Int64 { try clocks(path).wall }

  static func clocks(_ path: String) throws(ReplayTableError) -> Clocks {
    try ReplayTableError.blaming(path, "clock_gettime") { () throws(SystemError) in try Clocks.now() }
  }
}

/// A table's file where a class must own it, and which process opened it.
final class TableFileBox: Sendable {
  let file: TableFile
  let forkMark: ForkMark

  init(_ file: consuming TableFile) throws(ReplayTableError) {
    forkMark = try ReplayTableError.blaming(file.path, "madvise") { () throws(SystemError) in try ForkMark() }
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

  /// Whether this process was forked from the one that opened the table.
  @inline(__always)
  var isForked: Bool { file?.forkMark.isForked ?? false }

  @inline(__always)
  func loadHighest() -> UInt64 { table.load(.highest) }

  func raiseHighest(to now: UInt64) -> Bool { table.raise(.highest, to: now) }

  func loadDurableLease() -> UInt64 { table.load(.durableLease) }
  func raiseDurableLease(to lease: UInt64) { table.raise(.durableLease, to: lease) }
  func raiseLease(to lease: UInt64) { table.raise(.lease, to: lease) }

  func synchroniseHeader() throws(Fault) {
    guard file != nil else { return }
    do throws(SystemError) {
      try table.synchroniseHeader()
    } catch {
      throw retire()
    }
  }

  func checkPlace() throws(Fault) {
    guard let file else { return }
    do throws(ReplayTableError) {
      try file.file.checkPlace()
    } catch {
      throw error.reason == .retired ? retire() : .replayMemoryUnavailable
    }
  }

  private func retire() -> Fault {
    table.raise(.highest, to: TableFormat.retired)
    return .replayMemoryUnavailable
  }

  @inline(__always)
  func loadVouchesFrom() -> Int64 { Int64(bitPattern: table.load(.vouchesFrom)) }
  func raiseVouchesFrom(to instant: Int64) { table.raise(.vouchesFrom, to: UInt64(max(0, instant))) }

  func loadYoungUntil() -> UInt64 { table.load(.youngUntil) }
  func endYouth(_ youngUntil: UInt64) { table.exchange(.youngUntil, youngUntil, 0) }
  func loadMachineStart() -> UInt64 { table.load(.machineStart) }
  func raiseMachineStart(to instant: UInt64) { table.raise(.machineStart, to: instant) }

  func readClocks() throws(Fault) -> Clocks {
    do throws(SystemError) {
      return try Clocks.now()
    } catch {
      throw .replayMemoryUnavailable
    }
  }

  @inline(__always)
  func loadParts() throws(Fault) -> Int {
    let count = table.load(.parts)
    return count == 1 ? 1 : try mapParts(count)
  }

  /// All parts are mapped before the first entry of them is looked at. If that is not possible nobody is let in.
  @inline(never)
  private func mapParts(_ count: UInt64) throws(Fault) -> Int {
    guard count <= UInt64(TableFormat.mostParts), count > 0 else { throw .replayMemoryUnavailable }
    let last = Int(count) - 1
    if table.isMapped(part: last) { return last + 1 }
    guard let file, let parts = TableFormat.parts(count: count, { table.load(headerAt: $0) }) else {
      throw .replayMemoryUnavailable
    }
    for number in 1...last {
      do throws(SystemError) {
        try table.map(parts[number], number: number, of: file.file.descriptor)
      } catch {
        throw .replayMemoryUnavailable
      }
    }
    return last + 1
  }

  @inline(__always)
  func buckets(ofPart part: Int) -> UInt64 {
    if part == 0 { return firstBuckets }
    let capacity = table.load(headerAt: TableFormat.capacityOffset(ofPart: part))
    return UInt64(TableFormat.buckets(forCapacity: Int(clamping: capacity)))
  }

  func loadEnd(ofPart part: Int) -> UInt64 { table.load(headerAt: TableFormat.endOffset(ofPart: part)) }

  @inline(__always)
  func load(_ entry: Int) -> UInt64 { table.load(entry: entry) }

  @inline(__always)
  func exchange(_ entry: Int, _ expected: UInt64, _ desired: UInt64) -> Bool {
    table.exchange(entry: entry, expected, desired)
  }

  @inline(__always)
  func loadRetry(_ entry: Int) -> UInt64 { table.loadRetry(entry: entry) }

  @inline(__always)
  func storeRetry(_ entry: Int, _ word: UInt64) { table.storeRetry(entry: entry, word) }
}
