internal import MediaTokenSystem

/// Owner of a listening socket, and of its place in the file system if we made it.
package final class ListeningSocket: Sendable {
  /// True if peers are processes of this host, whom the kernel names.
  package let isLocal: Bool
  private let socket: FileDescriptor
  private let file: SocketFile?

  init(owning socket: consuming FileDescriptor, isLocal: Bool, file: SocketFile? = nil) {
    self.socket = socket
    self.isLocal = isLocal
    self.file = file
  }

  /// A name that leads to no listener is not left, also where a start failed.
  deinit { removeName() }

  package var descriptor: Int32 { socket.number }

  /// True if another process has the listener too and serves what we leave in its backlog.
  var isShared: Bool { isLocal && file == nil }

  /// Takes away the name, if it is ours, so that no client connects any more.
  func removeName() { file?.remove() }

  // MARK: making one

  /// A UNIX socket under a name that no process serves.
  ///
  /// Its permissions are set before it listens, and until it does connecting to it fails: so at no time is there one with
  /// permissions that were not asked for, whatever the umask.
  package static func open(_ place: SocketPath) throws(ListenerError) -> ListeningSocket {
    try place.check()
    let lock = try SocketLock(place)
    try lock.clearPlace()
    let address = SocketAddress.local(place.path)
    var call: StaticString = "socket"
    var file: SocketFile?
    do throws(SystemError) {
      let socket = try Sockets.stream(for: address)
      call = "bind"
      try Sockets.bind(socket.number, to: address)
      // From here on the socket has a name, which is taken away again if anything fails.
      file = SocketFile(path: place.path, lock: lock)
      call = "chown"
      // A service's sandbox permits no chown(2), and where owner and group are right by themselves none is needed.
      let made = try FileStatus(ofLinkAt: place.path)
      if (place.owner ?? made.owner, place.group ?? made.group) != (made.owner, made.group) {
        try SystemCall.setOwner(ofLinkAt: place.path, user: place.owner, group: place.group)
      }
      call = "chmod"
      try SystemCall.setMode(ofFileAt: place.path, place.mode)
      call = "listen"
      try Sockets.listen(socket.number, backlog: place.backlog)
      return ListeningSocket(owning: socket, isLocal: true, file: file)
    } catch {
      file?.remove()
      let reason: ListenerError.Reason =
        if file == nil && error == .addressInUse {
          .answered(by: nil)
        } else if error == .notPermitted, file != nil {
          .foreignOwner(user: place.owner, group: place.group)
        } else {
          .system(call, error)
        }
      throw ListenerError(place.path, reason)
    }
  }
}
