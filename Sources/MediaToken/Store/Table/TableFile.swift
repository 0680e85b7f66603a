internal import MediaTokenSystem

struct TableFile: ~Copyable, Sendable {
  private let file: FileDescriptor
  /// For messages, and to see whether the file is still there.
  let path: String

  private init(_ file: consuming FileDescriptor, _ path: String) {
    self.file = file
    self.path = path
  }

  /// For as long as this value lives, whose end also gives up the lock.
  var descriptor: Int32 { file.number }

  // MARK: opening and creating

  /// Nil if the file does not exist. Links are not followed.
  ///
  /// A process that writes to a table must trust the path to it. One that only reads it decides nothing by what is there,
  /// be it shown or taken for a reason to refuse; and root must be able to look at a table in the folder of the user who
  /// serves, which a walk would refuse.
  static func open(_ path: String, forReadingOnly: Bool = false) throws(Problem) -> TableFile? {
    do throws(WalkError) {
      let file =
        try forReadingOnly ? readable(path) : TrustedFolder.holding(Array(path.utf8)).open(name(path), for: .both)
      return TableFile(file, SystemCall.absolute(path))
    } catch {
      switch error {
      case .system(.missing): return nil
      case .system(.link): throw TableProblem.link.of(table: path)
      case .system(.isFolder): throw TableProblem.notRegular.of(table: path)
      default: throw TableProblem.opening(path, error).of(table: path)
      }
    }
  }

  private static func readable(_ path: String) throws(WalkError) -> FileDescriptor {
    try WalkError.at(
      FileDescriptor(opening: path, for: .reading, [.noLink, .noWaiting, .noTerminal]))
  }

  private static func name(_ path: String) -> [UInt8] {
    path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last.map(Array.init) ?? []
  }

  /// Creates a file in the folder of `path` that no other process knows yet.
  static func createUnnamed(nextTo path: String, mode: UInt32) throws(Problem) -> TableFile {
    let draft = "\(path).\(CurrentProcess.id).\(UInt32.random(in: 0...UInt32.max)).new"
    let created = try rethrow(new(draft, mode)) { (error: WalkError) in
      TableProblem.opening(path, error).of(table: path)
    }
    do throws(SystemError) {
      // umask must not make it narrower than was asked for.
      try SystemCall.setMode(created.descriptor, mode)
    } catch {
      created.discard()
      throw TableProblem.system("fchmod", error, path).of(table: path)
    }
    return created
  }

  private static func new(_ path: String, _ mode: UInt32) throws(WalkError) -> TableFile {
    let folder = try TrustedFolder.holding(Array(path.utf8))
    return TableFile(try folder.open(name(path), for: .both, .new, mode: mode), path)
  }

  /// Publishes the file under the name that it was made for, never over an existing one. False if another was first.
  func publish(as final: String) throws(Problem) -> Bool {
    try synchronise()
    do throws(SystemError) {
      try SystemCall.link(path, to: final)
    } catch {
      discard()
      if error == .exists { return false }
      throw TableProblem.system("link", error, final).of(table: final)
    }
    discard()
    try Self.synchroniseFolder(of: final)
    return true
  }

  /// Removes the file under its present name.
  func discard() { try? SystemCall.unlink(path) }

  private static func synchroniseFolder(of path: String) throws(Problem) {
    let name = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let folder = try TableProblem.blaming(path, "open", FileDescriptor(opening: name, for: .reading, .folder))
    try TableProblem.blaming(path, "fsync", SystemCall.synchronise(folder.number))
  }

  /// Reserves every block from `start` to `end`, so that a full disk is an error now and not a SIGBUS later. What is there
  /// must not be in use yet.
  func reserve(from start: Int = 0, to end: Int) throws(Problem) {
    try rethrow(SystemCall.reserve(descriptor, from: start, to: end)) { (error: SystemError) in
      (error == .noSpace ? TableProblem.diskFull(bytes: end) : TableProblem.system("posix_fallocate", error, path))
        .of(table: path)
    }
  }

  /// For a new and empty file: its data are written where they are, so that they need no room for that later.
  func writeInPlace() { SystemCall.writeInPlace(descriptor) }

  /// Makes every block this file's own. After a copy, such as by `cp`, they may be both files', and then each page that is
  /// written to needs a new block, for which there may be no room. Piece by piece, because meanwhile no page can be written
  /// to.
  ///
  /// ``Problem`` if there is no room. Other failures are not decisive: most file systems share no
  /// blocks or can't part them, and `msync` reports a disk that fails.
  func unshare() throws(Problem) {
    let end = try status().size
    do throws(SystemError) {
      for start in stride(from: 0, to: end, by: 16 << 20) {
        try SystemCall.unshare(descriptor, from: start, to: min(end, start + 16 << 20))
      }
    } catch {
      if error == .noSpace || error == .quotaExceeded { throw TableProblem.shared.of(table: path) }
    }
  }

  /// Cuts off what is after the first `bytes`, which no process has mapped, or extends the file.
  func setSize(_ bytes: Int) throws(Problem) {
    try TableProblem.blaming(path, "ftruncate", SystemCall.setSize(descriptor, bytes))
  }

  func synchronise() throws(Problem) {
    try TableProblem.blaming(path, "fsync", SystemCall.synchronise(descriptor))
  }

  // MARK: locks

  /// Waits for the lock: alone to open and to close, shared for as long as the table is open.
  func lock(alone: Bool) throws(Problem) {
    try TableProblem.blaming(path, "flock", SystemCall.lock(descriptor, alone: alone))
  }

  func aloneInGrowing(_ body: () throws(Problem) -> Void) throws(Problem) {
    try TableProblem.blaming(path, "fcntl", SystemCall.lockSecondly(descriptor))
    // Closing would not do: a child that was forked meanwhile shares the lock, and would keep it.
    defer { try? SystemCall.unlockSecondly(descriptor) }
    try body()
  }

  func tryLockAlone() -> Bool { (try? SystemCall.tryLockAlone(descriptor)) ?? false }

  /// Also for forked children, who share the lock.
  func unlock() { try? SystemCall.unlock(descriptor) }
}

// MARK: what kind of file it is

extension TableFile {
  /// Refuses a file that is unusable as a table, whatever is in it.
  func checkKind(allowedOwner: UInt32?) throws(Problem) -> Int {
    let facts = try status()
    guard facts.kind == .regular else { throw TableProblem.notRegular.of(table: path) }
    // The group may write it if the mode allows that, which is checked next.
    if facts.owner != allowedOwner, let place = DistrustedPlace(foreign: facts, at: Array(path.utf8)) {
      throw TableProblem.distrusted(place).of(table: path)
    }
    guard Self.allows(mode: facts.mode) else { throw TableProblem.mode(facts.mode, path).of(table: path) }
    try checkFileSystem()
    return facts.size
  }

  /// Refuses a file that is not regular. Nothing else is checked.
  func sizeIfRegular() throws(Problem) -> Int {
    let facts = try status()
    guard facts.kind == .regular else { throw TableProblem.notRegular.of(table: path) }
    return facts.size
  }

  private func status() throws(Problem) -> FileStatus {
    try TableProblem.blaming(path, "fstat", FileStatus(of: descriptor))
  }

  /// Only the owner, or the owner's group, reads or writes a table.
  static func allows(mode: UInt32) -> Bool { mode == 0o600 || mode == 0o660 }

  /// Refuses a file system where mapped memory is not shared as on a local disk.
  func checkFileSystem() throws(Problem) {
    let type = try TableProblem.blaming(path, "fstatfs", SystemCall.fileSystemType(of: descriptor))
    guard Self.knownFileSystems.contains(type) else { throw TableProblem.fileSystem(type).of(table: path) }
  }

  /// ext2 to ext4, XFS, btrfs, F2FS, ZFS and tmpfs (statfs(2)). Network file systems, overlays and FUSE do not promise
  /// that two mappings are one memory.
  private static let knownFileSystems: Set<UInt64> = [
    0xEF53, 0x5846_5342, 0x9123_683E, 0xF2F5_2010, 0x2FC1_2FC1, 0x0102_1994,
  ]

  /// The mounting of the disk that the file belongs to; 0: not known.
  var mounting: UInt64 { SystemCall.mounting(of: descriptor) ?? 0 }

  /// True if the file system was mounted again since the table was opened on `recorded`, as far as that is known.
  func isRemounted(since recorded: UInt64) -> Bool {
    let mounting = mounting
    return mounting != 0 && recorded != 0 && mounting != recorded
  }

  /// Waits for as long as the file system is frozen, as a claim would: to write(2) nothing does that, and no more.
  func waitUntilThawed() { _ = try? SystemCall.writeOnce(descriptor, Span()) }

  /// ``Problem`` if the file was deleted, moved or replaced since it was opened, and only then.
  /// Another error if the system does not tell, as while a folder above may not be entered: that is over when it is.
  func checkPlace() throws(Problem) {
    let ours = try status()
    let theirs = try rethrow(FileStatus(ofLinkAt: path)) { (error: SystemError) in
      ([.missing, .notFolder].contains(error) ? TableProblem.retired : TableProblem.system("lstat", error, path))
        .of(table: path)
    }
    guard ours.links > 0, ours.isSameFile(as: theirs) else { throw TableProblem.retired.of(table: path) }
  }
}
