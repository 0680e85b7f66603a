internal import CLinux
internal import Glibc
internal import SystemCalls

/// Owner of a listening socket, and of its place in the file system if we made it.
@safe final class ListeningSocket: Sendable {
  let descriptor: Int32
  /// Whether peers are processes of this host, whom the kernel names.
  let isLocal: Bool
  private let file: SocketFile?

  init(adopting descriptor: Int32, isLocal: Bool, file: SocketFile? = nil) {
    self.descriptor = descriptor
    self.isLocal = isLocal
    self.file = file
  }

  deinit { _ = close(descriptor) }

  /// Whether somebody else has the listener too and serves what we leave in its backlog.
  var isShared: Bool { isLocal && file == nil }

  /// Takes away the name, so that nobody new connects. Only our own is taken.
  func removeName() { file?.remove() }

  // MARK: making one

  /// Makes a UNIX socket under a name that nobody serves.
  ///
  /// Its permissions are set before it listens, and nobody connects to a socket that does not: so at no time is there one
  /// with permissions that were not asked for, whatever the umask.
  static func open(_ place: SocketPath) throws(ListenerError) -> ListeningSocket {
    try place.check()
    let lock = try SocketLock(place)
    try lock.clearPlace()
    let path = place.path
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw ListenerError(path, .system("socket", SystemFailure(code: errno))) }
    let socket = descriptor
    guard unsafe withLocalAddress(path, { unsafe bind(socket, $0, $1) }) == 0 else {
      let code = errno
      _ = close(descriptor)
      throw ListenerError(path, code == EADDRINUSE ? .answered : .system("bind", SystemFailure(code: code)))
    }
    // From here on the socket has a name, which `listener` takes away again if anything fails.
    let file = SocketFile(path: path, lock: lock)
    let listener = ListeningSocket(adopting: descriptor, isLocal: true, file: file)
    // SAFETY: Swift passes NUL-terminated copies of the path.
    if place.owner != nil || place.group != nil {
      guard unsafe lchown(path, place.owner ?? .max, place.group ?? .max) == 0 else {
        throw listener.failure(path, "chown")
      }
    }
    guard unsafe chmod(path, place.mode) == 0 else { throw listener.failure(path, "chmod") }
    guard listen(descriptor, place.backlog) == 0 else { throw listener.failure(path, "listen") }
    return listener
  }

  private func failure(_ path: String, _ call: StaticString) -> ListenerError {
    let code = errno
    removeName()
    return ListenerError(path, .system(call, SystemFailure(code: code)))
  }
}

/// Calls with the address of a path that fits into one.
func withLocalAddress<Result>(
  _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  // SAFETY: the path was checked to be shorter than the room for it, which is zero; copyBytes checks it again. The address
  // is used inside the closure, as what it begins with.
  unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
  return unsafe withUnsafePointer(to: &address) {
    unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}
