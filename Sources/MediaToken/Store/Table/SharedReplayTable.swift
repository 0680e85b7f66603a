internal import MediaTokenSystem

/// The replay memory of one host: a file that any number of processes map, or anonymous memory for tests.
///
/// For one identity at most one claim is ever answered ``UseOutcome/firstUse``, across threads, processes, kills at any
/// instruction, restarts and power loss. A crash may lose a token, never grant it twice. <doc:ReplayTableFormat> has the
/// file's content, and the reasons why it holds.
///
/// - Warning: The instants of claims must be the kernel's clock: a claim from the future ages the whole table.
package final class SharedReplayTable: Sendable {
  package static let largestCapacity = TableFormat.largestCapacity

  /// One value for all spends, so that a spend retains nothing.
  let memory: SharedMemory
  let header: TableHeader
  let retryWindowSeconds: UInt64

  /// The table must cover the policy's tolerances. Within the retry window the same caller is given its first answer again;
  /// 0: never.
  package convenience init(
    opening path: String, policy: Policy, retryWindowMilliseconds: Int64 = 0
  ) throws(Problem) {
    guard let file = try TableFile.open(path) else { throw TableProblem.missing.of(table: path) }
    try self.init(file, policy, retryWindowMilliseconds)
  }

  /// Opens the table at `path`, or creates one for this capacity and policy if it is missing. Of two that create at once
  /// the loser opens the winner's. Without a capacity the table must be there. A table of less capacity is an error:
  /// ``grow(at:toCapacity:)`` makes room.
  package convenience init(
    openingOrCreating path: String, capacity: Int?, policy: Policy, retryWindowMilliseconds: Int64 = 0
  ) throws(Problem) {
    var file = try TableFile.open(path)
    if file == nil, let capacity {
      _ = try Self.create(at: path, capacity: capacity, policy: policy, mode: 0o600, vouchesFor: .tokensFromNowOn)
      file = try TableFile.open(path)
    }
    guard let file else { throw TableProblem.missing.of(table: path) }
    try self.init(file, policy, retryWindowMilliseconds)
    if let capacity, self.capacity < capacity {
      throw TableProblem.capacity(expected: capacity, found: self.capacity).of(table: path)
    }
  }

  /// A table in memory that only this process and its children share. It forgets everything with the last of them.
  package init(
    anonymousWithCapacity capacity: Int, policy: Policy, retryWindowMilliseconds: Int64 = 0
  ) throws(Problem) {
    let name = "anonymous table"
    let header = try TableHeader(capacity: capacity, policy: policy, now: try Self.now(name), path: name)
    let table = try TableProblem.blaming(name, "mmap", MappedTable(descriptor: nil, first: header.first))
    header.write(to: table, vouchesFrom: 0)
    self.header = header
    memory = SharedMemory(table: table, header: header, file: nil)
    retryWindowSeconds = UInt64(max(0, retryWindowMilliseconds)) / 1000
  }

  private init(
    _ file: consuming TableFile, _ policy: Policy, _ retryWindowMilliseconds: Int64
  ) throws(Problem) {
    let opening = try TableOpening(file)
    try opening.header.check(covers: policy, file.path)
    try opening.begin(file, try Self.clocks(file.path))
    header = opening.header
    memory = SharedMemory(table: opening.table, header: header, file: try TableFileBox(file))
    retryWindowSeconds = UInt64(max(0, retryWindowMilliseconds)) / 1000
  }

  var table: MappedTable { memory.table }

  /// No policy that uses the table is looser.
  package var tolerances: ReplayTolerances { header.tolerances }

  /// No spend is left. The last user leaves the mark that everything is on the disk.
  deinit {
    if let file = memory.file, !file.forkMark.isForked { file.file.leave(memory.table) }
  }

  /// The tokens that a new table can vouch for.
  package enum Vouching: Sendable {
    /// Tokens issued from now on, with a margin for clocks: others may have been used before the table was made. Until all
    /// those have ended, a clock that is set forward counts as a new beginning.
    case tokensFromNowOn
    /// All tokens.
    ///
    /// - Warning: The operator vouches for two things: that no token that may still be alive was used before, here or
    ///   elsewhere; and that no process has an older table of this path open, whose spends this one would not see.
    case allTokens
  }

  /// Creates a table, never over an existing file: false if there was one already. The capacity is the live tokens that it
  /// is to be rated for, the mode 0600, or 0660 to share it with a group.
  ///
  /// An error also if the folder shows that the clock is behind, or that the operator is wrong: an older table with a name
  /// like this one's that is open or remembers living tokens. No half table is left.
  package static func create(
    at path: String, capacity: Int, policy: Policy, mode: UInt32, vouchesFor vouching: Vouching
  ) throws(Problem) -> Bool {
    let clocks = try Self.clocks(path)
    if vouching == .allTokens { try FormerTables(path: path).checkNoneIsAlive(now: clocks.wall) }
    return try create(at: path, capacity, policy, mode, vouching, clocks)
  }

  /// Does all that ``init(openingOrCreating:capacity:policy:retryWindowMilliseconds:)`` does, and leaves everything as it was: a
  /// table that would be created is thrown away before it has a name.
  static func tryOut(at path: String, capacity: Int?, policy: Policy) throws(Problem) {
    if let capacity, try TableFile.open(path) == nil {
      _ = try create(at: path, capacity, policy, 0o600, .tokensFromNowOn, try clocks(path), publishing: false)
    } else {
      _ = try SharedReplayTable(openingOrCreating: path, capacity: capacity, policy: policy)
    }
  }

  /// The same whatever older tables remember. Without `publishing` the table is thrown away when it is complete.
  static func create(
    at path: String, _ capacity: Int, _ policy: Policy, _ mode: UInt32, _ vouching: Vouching, _ clocks: Clocks,
    publishing: Bool = true
  ) throws(Problem) -> Bool {
    guard TableFile.allows(mode: mode) else { throw TableProblem.mode(mode, path).of(table: path) }
    let header = try TableHeader(capacity: capacity, policy: policy, now: clocks.wall, path: path)
    try FormerTables(path: path).checkClock(now: clocks.wall)
    let file = try TableFile.createUnnamed(nextTo: path, mode: mode)
    do throws(Problem) {
      try file.checkFileSystem()
      file.writeInPlace()
      try file.reserve(to: header.first.end)
      let table = try TableProblem.blaming(
        path, "mmap", MappedTable(descriptor: file.descriptor, first: header.first))
      switch vouching {
      case .allTokens: header.write(to: table, vouchesFrom: 0)
      case .tokensFromNowOn:
        header.write(to: table, vouchesFrom: header.floor(above: clocks.wall))
        table.beginWarming(header, clocks)
      }
      let boot = try TableOpening.boot(path)
      table.store(boot.0, .bootFirst)
      table.store(boot.1, .bootSecond)
      try table.checkIsWhole(path)
      if publishing { return try file.publish(as: path) }
      file.discard()
      return false
    } catch {
      file.discard()
      // The file's temporary name would mean nothing to the caller.
      throw Problem(DisplayText.escaped(path), error.fact, cure: error.cure, code: error.code)
    }
  }

  // MARK: spending

  /// Fetches both buckets into the processor's caches.
  package func prepare(for identity: TokenIdentity) {
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

  /// ``Refusal/Fault/replayMemoryFull``; ``Refusal/Fault/replayMemoryUnavailable`` if the table was retired, if the
  /// claimer's clock is more than two seconds behind the table's, if the token's end does not fit, or if the disk fails or
  /// is full.
  package func spend(_ claim: UseClaim) throws(Fault) -> UseOutcome {
    if memory.isForked { throw .replayMemoryUnavailable }
    guard let spend = spend(for: claim), header.covers(claim) else { throw .replayMemoryUnavailable }
    let answer = try spend.run(in: memory)
    // The very last load: only now is it known that every access was one to the file.
    if table.isBroken { throw .replayMemoryUnavailable }
    return try answer.get()
  }

  /// Nil if the claim's times do not fit.
  @inline(__always)
  func spend(for claim: UseClaim) -> Spend? { Spend(claim, in: header, retryWindowSeconds: retryWindowSeconds) }

  /// Refuses every spend from now on, in every process that has the table open.
  package func retire() { table.raise(.highest, to: TableFormat.retired) }

  static func now(_ path: String) throws(Problem) -> Int64 { try clocks(path).wall }

  static func clocks(_ path: String) throws(Problem) -> Clocks {
    try TableProblem.blaming(path, "clock_gettime", Clocks.now())
  }
}
