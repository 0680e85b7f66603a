internal import CLinux
internal import Glibc
package import MediaToken

/// Owner of the descriptor of a table's file, and of every system call on it.
@safe struct TableFile: ~Copyable {
  let descriptor: Int32
  /// What it is called, for messages and to see whether it is still there.
  let path: String

  private init(_ descriptor: Int32, _ path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  // Closing also gives up the lock.
  deinit { _ = close(descriptor) }

  // MARK: opening and creating

  /// Opens an existing file for reading and writing, or for reading alone; nil if there is none. A link is not followed.
  static func open(_ path: String, forReadingOnly: Bool = false) throws(ReplayTableError) -> TableFile? {
    // SAFETY: Swift passes a NUL-terminated copy that outlives the call. So it does everywhere in this file.
    let flags = (forReadingOnly ? O_RDONLY : O_RDWR) | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    let descriptor = repeated { unsafe Glibc.open(path, flags) }
    if descriptor >= 0 { return TableFile(descriptor, absolute(path)) }
    switch errno {
    case ENOENT: return nil
    case ELOOP: throw ReplayTableError(path, .link)
    case EISDIR: throw ReplayTableError(path, .notRegular)
    case EROFS: throw ReplayTableError(path, .readOnly)
    default: throw ReplayTableError(path, .system("open", SystemError(code: errno)))
    }
  }

  /// A host that changes its folder later must not look for the table elsewhere, and find it gone.
  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = unsafe getcwd(nil, 0) else { return path }
    // SAFETY: getcwd allocated it for us, and ended it with NUL.
    defer { unsafe free(folder) }
    return unsafe String(cString: folder) + "/" + path
  }

  /// Creates a file beside `path` that nobody knows yet.
  static func createUnnamed(beside path: String, mode: mode_t) throws(ReplayTableError) -> TableFile {
    let name = "\(path).\(getpid()).\(UInt32.random(in: 0...UInt32.max)).new"
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let descriptor = repeated { unsafe Glibc.open(name, flags, mode) }
    guard descriptor >= 0 else {
      throw ReplayTableError(path, errno == EROFS ? .readOnly : .system("open", SystemError(code: errno)))
    }
    // umask must not make it narrower than was asked for.
    guard fchmod(descriptor, mode) == 0 else {
      let error = SystemError(code: errno)
      _ = unsafe unlink(name)
      _ = close(descriptor)
      throw ReplayTableError(path, .system("fchmod", error))
    }
    return TableFile(descriptor, name)
  }

  /// Publishes the file under the name that it was made for, never over an existing one.
  ///
  /// - Returns: whether it is there now; false if somebody else was first.
  func publish(as final: String) throws(ReplayTableError) -> Bool {
    try check(fsync(descriptor), "fsync")
    let linked = unsafe link(path, final)
    let linkError = errno
    _ = unsafe unlink(path)
    if linked != 0 {
      if linkError == EEXIST { return false }
      throw ReplayTableError(final, .system("link", SystemError(code: linkError)))
    }
    try Self.synchroniseFolder(of: final)
    return true
  }

  /// Takes the file away again that nobody knows.
  func discard() { _ = unsafe unlink(path) }

  private static func synchroniseFolder(of path: String) throws(ReplayTableError) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = unsafe Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ReplayTableError(path, .system("open", SystemError(code: errno))) }
    defer { _ = close(descriptor) }
    guard fsync(descriptor) == 0 else { throw ReplayTableError(path, .system("fsync", SystemError(code: errno))) }
  }

  /// Reserves every block, so that a full disk is an error now and not a SIGBUS later.
  func reserve(_ bytes: Int) throws(ReplayTableError) {
    var code = posix_fallocate(descriptor, 0, bytes)
    while code == EINTR { code = posix_fallocate(descriptor, 0, bytes) }
    guard code == 0 else {
      throw ReplayTableError(
        path, code == ENOSPC ? .diskFull(bytes: bytes) : .system("posix_fallocate", SystemError(code: code)))
    }
  }

  // MARK: locks

  /// Waits for the lock: alone to open and to close, shared for as long as the table is open.
  func lock(alone: Bool) throws(ReplayTableError) {
    try check(repeated { flock(descriptor, alone ? LOCK_EX : LOCK_SH) }, "flock")
  }

  /// Whether nobody else has the table open.
  func tryLockAlone() -> Bool { repeated { flock(descriptor, LOCK_EX | LOCK_NB) } == 0 }

  /// Gives up the lock, also for forked children, who share it.
  func unlock() { _ = repeated { flock(descriptor, LOCK_UN) } }

  /// Everything that was written is on the disk.
  func synchronise() throws(ReplayTableError) { try check(repeated { fsync(descriptor) }, "fsync") }

  // MARK: what kind of file it is

  /// - Throws: what makes the file unfit to be a table, whatever is in it.
  func checkKind(allowedOwner: UInt32?) throws(ReplayTableError) -> Int {
    var facts = stat()
    // SAFETY: fstat fills in the structure that it is given.
    try check(unsafe fstat(descriptor, &facts), "fstat")
    guard facts.st_mode & S_IFMT == S_IFREG else { throw ReplayTableError(path, .notRegular) }
    let mode = facts.st_mode & 0o7777
    guard Self.allows(mode: mode) else { throw ReplayTableError(path, .mode(UInt32(mode))) }
    guard facts.st_uid == geteuid() || facts.st_uid == 0 || facts.st_uid == allowedOwner else {
      throw ReplayTableError(path, .owner(facts.st_uid))
    }
    try checkFileSystem()
    return facts.st_size
  }

  /// Nobody but the owner, or the owner's group, reads or writes a table.
  static func allows(mode: UInt32) -> Bool { mode == 0o600 || mode == 0o660 }

  /// - Throws: if mapped memory is not shared there as on a local disk.
  func checkFileSystem() throws(ReplayTableError) {
    var facts = statfs()
    // SAFETY: fstatfs fills in the structure that it is given.
    try check(unsafe fstatfs(descriptor, &facts), "fstatfs")
    let type = UInt64(truncatingIfNeeded: facts.f_type) & 0xFFFF_FFFF
    guard Self.knownFileSystems.contains(type) else { throw ReplayTableError(path, .fileSystem(type)) }
  }

  /// ext2 to ext4, XFS, btrfs, F2FS, ZFS and tmpfs (statfs(2)). Of network file systems, overlays and FUSE nobody knows
  /// whether two mappings are one memory.
  private static let knownFileSystems: Set<UInt64> = [
    0xEF53, 0x5846_5342, 0x9123_683E, 0xF2F5_2010, 0x2FC1_2FC1, 0x0102_1994,
  ]

  /// Whether the file still stands where it was opened: neither deleted nor replaced.
  func isInPlace() -> Bool {
    var (ours, theirs) = (stat(), stat())
    // SAFETY: both calls fill in the structure that they are given.
    guard unsafe fstat(descriptor, &ours) == 0, unsafe lstat(path, &theirs) == 0 else { return false }
    return ours.st_nlink > 0 && ours.st_ino == theirs.st_ino && ours.st_dev == theirs.st_dev
  }

  private func check(_ result: Int32, _ call: StaticString) throws(ReplayTableError) {
    guard result == 0 else {
      throw ReplayTableError(path, .system("\(call)", SystemError(code: errno)))
    }
  }
}

/// Repeats a call that a signal interrupted.
private func repeated(_ call: () -> Int32) -> Int32 {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

/// What the kernel knows that no table does.
package enum Kernel {
  /// Whole seconds since 1970, and milliseconds.
  package static func now() throws(Fault) -> Int64 {
    var time = timespec()
    // SAFETY: clock_gettime fills in the structure that it is given.
    guard unsafe clock_gettime(CLOCK_REALTIME, &time) == 0 else { throw .replayMemoryUnavailable }
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Which boot of the machine this is: another one after every start of the kernel (random(4)).
  static func bootIdentity() throws(SystemError) -> (UInt64, UInt64) {
    let descriptor = unsafe Glibc.open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(code: errno) }
    defer { _ = close(descriptor) }
    var text = InlineArray<36, UInt8>(repeating: 0)
    var output = text.mutableSpan
    // SAFETY: read writes at most as many bytes as it is told.
    let count = unsafe output.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    var (words, digits): ((UInt64, UInt64), Int) = ((0, 0), 0)
    for index in text.indices where text[index] != UInt8(ascii: "-") {
      guard let digit = Hexadecimal.value(ofDigit: text[index]) else { throw SystemError(code: EINVAL) }
      if digits < 16 { words.0 = words.0 << 4 | UInt64(digit) } else { words.1 = words.1 << 4 | UInt64(digit) }
      digits += 1
    }
    guard count == 36, digits == 32 else { throw SystemError(code: EINVAL) }
    return words
  }
}

extension TableFile {
  /// The header's numbers as they are in the file.
  func readHeader() throws(ReplayTableError) -> HeaderBytes {
    var header = HeaderBytes()
    var output = header.bytes.mutableSpan
    // SAFETY: pread writes at most as many bytes as it is told.
    let count = unsafe output.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count == header.bytes.count else { throw ReplayTableError(path, .notATable) }
    return header
  }
}

/// One sector of header.
struct HeaderBytes {
  fileprivate var bytes = InlineArray<512, UInt8>(repeating: 0)

  subscript(_ field: TableFormat.Field) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(bytes[field.rawValue + $1]) << UInt64(8 * $1) }
  }
}
