internal import MediaTokenSystem
internal import Synchronization

/// The name of a socket that we made, and the lock that says so.
final class SocketFile: Sendable {
  private let path: String
  private let lock: SocketLock
  private let status: FileStatus?
  /// True if the name was not taken away yet. Relaxed is enough, because nothing else is concluded from it.
  private let isThere = Atomic<Bool>(true)

  /// The file at `path` is ours now. Should looking at it fail, nothing is ours, and nothing will be removed.
  init(path: String, lock: SocketLock) {
    self.path = path
    self.lock = lock
    status = try? FileStatus(ofLinkAt: path)
  }

  /// Removes the name if what it leads to is still ours, once. No other daemon changes the place while we have the lock.
  func remove() {
    guard isThere.exchange(false, ordering: .relaxed) else { return }
    guard let status, let found = try? FileStatus(ofLinkAt: path), found.isSameFile(as: status) else { return }
    try? SystemCall.unlink(path)
  }
}

/// The right to make a socket at a path: a lock on `PATH.lock`, a file that is never removed.
///
/// The lock decides who serves, and not the socket: a socket's file outlives its daemon, a lock does not.
final class SocketLock: Sendable {
  private let file: FileDescriptor
  private let path: String
  private let isRemoved: Bool

  init(_ place: SocketPath) throws(ListenerError) {
    path = place.path
    try Self.checkFolder(of: place)
    isRemoved = place.leavesNothing && (try? FileStatus(ofLinkAt: place.path + ".lock")) == nil
    file = try Self.openLock(place.path + ".lock")
    try Self.takeLock(file.number, place.path)
  }

  /// Gives the lock up. To close the file is not enough: a child that was forked meanwhile has it open, too, and would keep
  /// the lock.
  deinit {
    if isRemoved { try? SystemCall.unlink(path + ".lock") }
    try? SystemCall.unlock(file.number)
  }

  var descriptor: Int32 { file.number }

  private static func openLock(_ path: String) throws(ListenerError) -> FileDescriptor {
    try rethrow(
      FileDescriptor(
        opening: path, for: .both, [.created, .noLink, .noWaiting, .noTerminal], mode: 0o600)
    ) { (error: SystemError) in ListenerError(path, error == .link ? .foreignLock : .system("open", error)) }
  }

  private static func checkFolder(of place: SocketPath) throws(ListenerError) {
    _ = try rethrow(TrustedFolder.at(Array(place.folder.utf8)).number) { (error: WalkError) in
      // The socket's own path: its folder is looked at by the error.
      ListenerError(place.path, opening: error)
    }
  }

  private static func takeLock(_ descriptor: Int32, _ path: String) throws(ListenerError) {
    guard let status = try? FileStatus(of: descriptor), status.kind == .regular,
      status.owner == CurrentProcess.effectiveUserID || status.owner == 0
    else { throw ListenerError(path + ".lock", .foreignLock) }
    let isTaken = try ListenerError.at(path + ".lock", "flock") { () throws(SystemError) in
      try SystemCall.tryLockAlone(descriptor)
    }
    if !isTaken { throw ListenerError(path, .locked(by: Holder(lockOn: descriptor))) }
  }

  /// Removes a socket that no process serves any more, and nothing else.
  func clearPlace() throws(ListenerError) {
    switch try kindOfPlace() {
    case nil: return
    case .socket: break
    case .link: throw ListenerError(path, .link)
    default: throw ListenerError(path, .notASocket)
    }
    // A program that takes no lock may serve it.
    let address = SocketAddress.local(path)
    let probe = try ListenerError.at(path, "socket") { () throws(SystemError) in try Sockets.stream(for: address) }
    guard Self.isRefused(probe.number, address) else {
      throw ListenerError(path, .answered(by: Holder(listeningAt: probe.number)))
    }
    _ = try ListenerError.at(path, "unlink") { () throws(SystemError) in
      try unlessMissing { () throws(SystemError) in try SystemCall.unlink(path) }
    }
  }

  private func kindOfPlace() throws(ListenerError) -> FileStatus.FileType? {
    try ListenerError.at(path, "lstat") { () throws(SystemError) in
      try unlessMissing { () throws(SystemError) in try FileStatus(ofLinkAt: path).kind }
    }
  }

  /// Nil if there is no such file.
  private func unlessMissing<Value>(_ body: () throws(SystemError) -> Value) throws(SystemError) -> Value? {
    do throws(SystemError) {
      return try body()
    } catch {
      if error == .missing { return nil }
      throw error
    }
  }

  private static func isRefused(_ descriptor: Int32, _ address: SocketAddress) -> Bool {
    do throws(SystemError) {
      try Sockets.connect(descriptor, to: address)
      return false
    } catch {
      return error == .refused
    }
  }
}
