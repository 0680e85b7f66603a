internal import CLinux
internal import Glibc

/// System calls on connected and listening sockets.
enum Sockets {
  /// What accept4(2) brought.
  enum Accepted {
    case connection(Int32)
    /// Nobody waits.
    case nobody
    /// Somebody waited and is gone.
    case gone
    /// The process or the system has no descriptor or memory left.
    case exhausted
  }

  /// Takes one connection out of a listener's backlog, if there is one.
  static func accept(_ listener: Int32) -> Accepted {
    let descriptor = accept4(listener, nil, nil, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
    if descriptor >= 0 { return .connection(descriptor) }
    switch errno {
    case EAGAIN: return .nobody
    case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
    // EINTR, ECONNABORTED, and errors of the connection itself (accept(2)); a broken listener is paused as well.
    case EINTR, ECONNABORTED, EPROTO, EPERM, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, EHOSTUNREACH, EOPNOTSUPP,
      ENETUNREACH:
      return .gone
    default: return .exhausted
    }
  }

  /// Who is at the other end of a UNIX socket: the kernel's word, from when it connected (unix(7), SO_PEERCRED).
  static func peer(of descriptor: Int32) -> HTTPPeer? {
    var peer = mediatoken_peer()
    var length = socklen_t(MemoryLayout<mediatoken_peer>.size)
    // SAFETY: getsockopt writes at most `length` bytes into the structure.
    guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0,
      length == socklen_t(MemoryLayout<mediatoken_peer>.size)
    else { return nil }
    return .process(uid: peer.uid, gid: peer.gid, pid: peer.pid)
  }

  /// The peer's supplementary groups; none if the kernel does not say.
  static func supplementaryGroups(of descriptor: Int32) -> [UInt32] {
    // NGROUPS_MAX (credentials(7)) is more than a stack should hold; ask for the size first.
    var length: socklen_t = 0
    // SAFETY: a length of 0 lets getsockopt write nothing but the length that it needs.
    guard unsafe getsockopt(descriptor, SOL_SOCKET, mediatoken_so_peergroups, nil, &length) != 0, errno == ERANGE
    else { return [] }
    var groups = [UInt32](repeating: 0, count: Int(length) / MemoryLayout<gid_t>.size)
    // SAFETY: the array has `length` bytes.
    guard unsafe getsockopt(descriptor, SOL_SOCKET, mediatoken_so_peergroups, &groups, &length) == 0 else {
      return []
    }
    return Array(groups.prefix(Int(length) / MemoryLayout<gid_t>.size))
  }

  /// What a connection that nobody reads yet has for us.
  enum Waiting {
    case nothing, bytes, end
  }

  /// Looks whether anything came, and leaves it there.
  static func look(_ descriptor: Int32) -> Waiting {
    var byte: UInt8 = 0
    // SAFETY: there is room for the one byte.
    switch unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) {
    case 1...: return .bytes
    case 0: return .end
    default: return errno == EAGAIN || errno == EINTR ? .nothing : .end
    }
  }

  /// Tells a refused peer why, if it can be told at once, and closes the connection.
  static func close(_ descriptor: Int32, saying answer: StaticString) {
    // SAFETY: a StaticString's bytes live as long as the program. Nobody waits for a peer that does not read.
    _ = unsafe send(
      descriptor, answer.utf8Start, answer.utf8CodeUnitCount, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    close(descriptor)
  }

  static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

  /// Ends a connection in both directions: whoever reads or writes it now finds its end.
  static func shutDown(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Takes in no more than what has come already; the peer cannot send any more.
  static func shutDownReading(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_RD)) }
}
