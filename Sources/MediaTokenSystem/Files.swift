internal import CLinux
internal import Glibc

extension SystemCall {
  /// read(2): the number of bytes that came, at least one; 0 at the end. Waits for them.
  package static func read(_ descriptor: Int32, into room: inout MutableSpan<UInt8>) throws(SystemError) -> Int {
    try unsafe room.withUnsafeMutableBytes { room throws(SystemError) in try unsafe read(descriptor, room) }
  }

  /// The same into the rest of an array.
  package static func read(_ descriptor: Int32, into bytes: inout [UInt8], from start: Int) throws(SystemError)
    -> Int
  {
    var all = bytes.mutableSpan
    return try unsafe all.withUnsafeMutableBytes { all throws(SystemError) in
      try unsafe read(descriptor, UnsafeMutableRawBufferPointer(rebasing: all[start...]))
    }
  }

  private static func read(_ descriptor: Int32, _ room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    // SAFETY: read(2) writes at most as many bytes as there is room for.
    try waiting(descriptor, for: POLLIN) { unsafe Glibc.read(descriptor, room.baseAddress, room.count) }
  }

  /// pread(2): the number of bytes that came; fewer than there is room for at the end, and possibly elsewhere.
  package static func read(
    _ descriptor: Int32, at offset: Int, into room: inout MutableSpan<UInt8>
  ) throws(SystemError) -> Int {
    // SAFETY: as above.
    try unsafe room.withUnsafeMutableBytes { room throws(SystemError) in
      try uninterrupted { unsafe pread(descriptor, room.baseAddress, room.count, offset) }
    }
  }

  /// write(2) until everything is written. Waits until there is room for it.
  package static func write(_ descriptor: Int32, _ bytes: Span<UInt8>) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      let rest = bytes.extracting(written...)
      written += try waiting(descriptor, for: POLLOUT) {
        // SAFETY: write(2) reads at most the span's length.
        unsafe rest.withUnsafeBytes { bytes in unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
      }
    }
  }

  /// write(2) once, without waiting where the descriptor was made not to wait: the number of bytes that were written.
  package static func writeOnce(_ descriptor: Int32, _ bytes: Span<UInt8>) throws(SystemError) -> Int {
    // SAFETY: as above.
    try uninterrupted {
      unsafe bytes.withUnsafeBytes { bytes in unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
    }
  }

  /// fsync(2): everything that was written is on the disk.
  package static func synchronise(_ descriptor: Int32) throws(SystemError) {
    _ = try uninterrupted { fsync(descriptor) }
  }

  /// posix_fallocate(3): reserves blocks for the file from `start` to `end`, and it is at least that long afterwards.
  ///
  /// Where the file system can't (ext3), the C library reads and writes a byte of each block in that range, and what others
  /// write there meanwhile may be lost: so the range must be new.
  ///
  /// EFBIG above RLIMIT_FSIZE, which is asked first: the system would send SIGXFSZ, which ends the program if it does not
  /// ignore it, and a library's host may not.
  package static func reserve(_ descriptor: Int32, from start: Int = 0, to end: Int) throws(SystemError) {
    var limit = rlimit()
    // SAFETY: the limits live in this scope.
    _ = try uninterrupted { unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) }
    guard end <= Int(clamping: limit.rlim_cur) else { throw SystemError(code: EFBIG) }
    try succeeding { posix_fallocate(descriptor, start, end - start) }
  }

  /// fallocate(2) with FALLOC_FL_UNSHARE_RANGE: no block of the file is another file's too, as after `cp` on XFS. That is a
  /// matter of microseconds where none was, and a copy of the data where some were. ENOSPC or EDQUOT if there is no room
  /// for that, EOPNOTSUPP if the file system does not share blocks, or cannot end it.
  package static func unshare(_ descriptor: Int32, from start: Int, to end: Int) throws(SystemError) {
    _ = try uninterrupted { fallocate(descriptor, FALLOC_FL_UNSHARE_RANGE, start, end - start) }
  }

  /// FS_NOCOW_FL of ioctl_iflags(2), for a new and empty file: btrfs will write its data where they are, and not elsewhere each
  /// time. Others have no such flag, or need none.
  package static func writeInPlace(_ descriptor: Int32) { mediatoken_write_in_place(descriptor) }

  /// ftruncate(2): the file is that long afterwards. A process that has mapped what is cut off gets SIGBUS there.
  package static func setSize(_ descriptor: Int32, _ bytes: Int) throws(SystemError) {
    _ = try uninterrupted { ftruncate(descriptor, bytes) }
  }

  /// fchmod(2), whatever the umask is.
  package static func setMode(_ descriptor: Int32, _ mode: UInt32) throws(SystemError) {
    _ = try uninterrupted { fchmod(descriptor, mode) }
  }
}

extension SystemCall {
  /// chmod(2).
  package static func setMode(ofFileAt path: String, _ mode: UInt32) throws(SystemError) {
    let path = try terminated(path.utf8)
    // SAFETY: it ends with the only NUL byte in it and outlives the call. So it does below.
    _ = try uninterrupted { unsafe chmod(path, mode) }
  }

  /// lchown(2); nil leaves the owner or the group as it is.
  package static func setOwner(ofLinkAt path: String, user: UInt32?, group: UInt32?) throws(SystemError) {
    let path = try terminated(path.utf8)
    _ = try uninterrupted { unsafe lchown(path, user ?? .max, group ?? .max) }
  }
}

/// flock(2): a lock belongs to the open file, which forked children share.
extension SystemCall {
  /// Waits for the lock, alone or with others who share it.
  package static func lock(_ descriptor: Int32, alone: Bool) throws(SystemError) {
    _ = try uninterrupted { flock(descriptor, alone ? LOCK_EX : LOCK_SH) }
  }

  /// False if another process has the lock.
  package static func tryLockAlone(_ descriptor: Int32) throws(SystemError) -> Bool {
    try unlessBlocked { flock(descriptor, LOCK_EX | LOCK_NB) } != nil
  }

  /// fcntl_locking(2): waits for a second, exclusive lock of the file, independent of the first.
  package static func lockSecondly(_ descriptor: Int32) throws(SystemError) {
    _ = try uninterrupted { mediatoken_lock_open_file(descriptor, Int16(F_WRLCK)) }
  }

  /// For every process that shares the open file.
  package static func unlockSecondly(_ descriptor: Int32) throws(SystemError) {
    _ = try uninterrupted { mediatoken_lock_open_file(descriptor, Int16(F_UNLCK)) }
  }

  /// For every process that shares the open file.
  package static func unlock(_ descriptor: Int32) throws(SystemError) {
    _ = try uninterrupted { flock(descriptor, LOCK_UN) }
  }
}

extension SystemCall {
  /// link(2): gives the file a second name. EEXIST if that name is taken.
  package static func link(_ path: String, to name: String) throws(SystemError) {
    let (path, name) = (try terminated(path.utf8), try terminated(name.utf8))
    // SAFETY: each ends with the only NUL byte in it and outlives the call. So it is in this whole extension.
    _ = try uninterrupted { unsafe Glibc.link(path, name) }
  }

  package static func unlink(_ path: String) throws(SystemError) {
    let path = try terminated(path.utf8)
    _ = try uninterrupted { unsafe Glibc.unlink(path) }
  }

  /// readlinkat(2) of a link that was opened as a place.
  static func destination(ofLink descriptor: Int32) throws(SystemError) -> [UInt8] {
    // PATH_MAX (limits.h): the kernel makes no longer link, and follows none.
    var room = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    // SAFETY: the empty name is the descriptor's own file; at most `count` bytes are written.
    let length = try uninterrupted { unsafe readlinkat(descriptor, "", &room, room.count) }
    guard length < room.count else { throw SystemError(code: ENAMETOOLONG) }
    return room.prefix(length).map { UInt8(bitPattern: $0) }
  }

  /// mkdir(2) with mode 0755; false if the folder is already there.
  @discardableResult
  package static func makeFolder(_ path: String) throws(SystemError) -> Bool {
    let path = try terminated(path.utf8)
    do throws(SystemError) {
      _ = try uninterrupted { unsafe mkdir(path, 0o755) }
      return true
    } catch {
      if error != .exists { throw error }
      return false
    }
  }

  package static func removeFolder(_ path: String) throws(SystemError) {
    let path = try terminated(path.utf8)
    _ = try uninterrupted { unsafe rmdir(path) }
  }

  /// The path from the root, by the working directory of now.
  package static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = workingDirectory else { return path }
    return folder + "/" + path
  }

  /// getcwd(3): the working directory, or nil if it has no name.
  package static var workingDirectory: String? {
    guard let folder = unsafe getcwd(nil, 0) else { return nil }
    // SAFETY: getcwd allocated it for us, and ended it with NUL.
    defer { unsafe free(folder) }
    return unsafe String(cString: folder)
  }
}
