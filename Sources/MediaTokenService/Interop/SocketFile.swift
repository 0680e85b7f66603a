internal import CLinux
internal import Glibc
internal import SystemCalls

/// The name of a socket that we made, and the lock that says so.
@safe final class SocketFile: Sendable {
  private let path: String
  private let lock: SocketLock
  private let device: UInt
  private let inode: UInt

  /// Notes what stands at `path` now, which is ours.
  init(path: String, lock: SocketLock) {
    var facts = stat()
    // SAFETY: lstat fills in the structure. Should it fail, nothing is ours, and nothing will be removed.
    let known = unsafe lstat(path, &facts) == 0
    self.path = path
    self.lock = lock
    device = known ? UInt(facts.st_dev) : .max
    inode = known ? UInt(facts.st_ino) : .max
  }

  /// Removes the name if what it stands for is still ours.
  func remove() {
    var facts = stat()
    // SAFETY: as above. No other daemon changes the place while we have the lock.
    guard unsafe lstat(path, &facts) == 0, UInt(facts.st_dev) == device, UInt(facts.st_ino) == inode else { return }
    _ = unsafe unlink(path)
  }
}

/// The right to make a socket at a path: a lock on `PATH.lock`, which stays there for ever.
///
/// The lock and not the socket decides who serves: a socket's file survives its daemon, a lock does not.
@safe final class SocketLock: Sendable {
  private let descriptor: Int32
  private let path: String

  /// - Throws: if the folder is not safe, or another daemon serves the path.
  init(_ place: SocketPath) throws(ListenerError) {
    path = place.path
    try Self.checkFolder(of: place)
    // SAFETY: Swift passes NUL-terminated copies of the paths.
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    descriptor = unsafe open(place.path + ".lock", flags, 0o600)
    guard descriptor >= 0 else {
      let code = errno
      let reason: ListenerError.Reason = code == ELOOP ? .foreignLock : .system("open", SystemFailure(code: code))
      throw ListenerError(place.path + ".lock", reason)
    }
    do {
      try Self.takeLock(descriptor, place.path)
    } catch {
      _ = close(descriptor)
      throw error
    }
  }

  deinit { _ = close(descriptor) }

  private static func checkFolder(of place: SocketPath) throws(ListenerError) {
    var facts = stat()
    // SAFETY: stat fills in the structure.
    guard unsafe stat(place.folder, &facts) == 0 else {
      throw ListenerError(place.folder, .system("stat", SystemFailure(code: errno)))
    }
    let mode = facts.st_mode
    if mode & S_IWOTH != 0, mode & S_ISVTX == 0 { throw ListenerError(place.folder, .openFolder) }
  }

  private static func takeLock(_ descriptor: Int32, _ path: String) throws(ListenerError) {
    var facts = stat()
    // SAFETY: as above.
    guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      facts.st_uid == geteuid() || facts.st_uid == 0
    else { throw ListenerError(path + ".lock", .foreignLock) }
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK: throw ListenerError(path, .locked)
      case let code: throw ListenerError(path + ".lock", .system("flock", SystemFailure(code: code)))
      }
    }
  }

  /// Removes a socket that nobody serves any more, and nothing else.
  func clearPlace() throws(ListenerError) {
    var facts = stat()
    // SAFETY: as above.
    guard unsafe lstat(path, &facts) == 0 else {
      if errno == ENOENT { return }
      throw ListenerError(path, .system("lstat", SystemFailure(code: errno)))
    }
    switch facts.st_mode & S_IFMT {
    case S_IFSOCK: break
    case S_IFLNK: throw ListenerError(path, .link)
    default: throw ListenerError(path, .notASocket)
    }
    // A program that knows nothing of locks may serve it.
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw ListenerError(path, .system("socket", SystemFailure(code: errno))) }
    defer { _ = close(descriptor) }
    guard unsafe withLocalAddress(path, { unsafe connect(descriptor, $0, $1) }) != 0, errno == ECONNREFUSED else {
      throw ListenerError(path, .answered)
    }
    guard unsafe unlink(path) == 0 || errno == ENOENT else {
      throw ListenerError(path, .system("unlink", SystemFailure(code: errno)))
    }
  }
}
