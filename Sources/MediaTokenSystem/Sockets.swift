internal import CLinux
internal import Glibc

/// System calls on connected sockets, none of which waits.
package enum Sockets {
  package enum Accepted: Sendable {
    case connection(Int32)
    /// No connection was waiting.
    case none
    /// One was waiting and is gone.
    case gone
    /// The process or the system has no descriptor or memory left.
    case exhausted
  }

  /// Takes one connection out of a listener's backlog.
  package static func accept(_ listener: Int32) -> Accepted {
    let descriptor = accept4(listener, nil, nil, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
    if descriptor >= 0 { return .connection(descriptor) }
    switch errno {
    case EAGAIN: return .none
    case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
    // EINTR, ECONNABORTED, and errors of the connection itself (accept(2)); a broken listener is paused as well.
    case EINTR, ECONNABORTED, EPROTO, EPERM, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, EHOSTUNREACH, EOPNOTSUPP,
      ENETUNREACH:
      return .gone
    default: return .exhausted
    }
  }

  /// The effective ids of the other end of a UNIX socket, as the kernel recorded them at connect(2) (unix(7), SO_PEERCRED);
  /// nil if the kernel does not say.
  package static func peer(of descriptor: Int32) -> (uid: UInt32, gid: UInt32, pid: Int32)? {
    var peer = mediatoken_peer()
    var length = socklen_t(MemoryLayout<mediatoken_peer>.size)
    // SAFETY: getsockopt writes at most `length` bytes into the structure.
    guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0,
      length == socklen_t(MemoryLayout<mediatoken_peer>.size)
    else { return nil }
    return (peer.uid, peer.gid, peer.pid)
  }

  // MARK: receiving

  package enum Received: Hashable, Sendable {
    /// This many bytes, at least one.
    case bytes(Int)
    /// Nothing yet.
    case nothing
    /// The peer sends no more, or the connection is broken.
    case end

    init(_ count: Int) {
      self =
        switch count {
        case 1...: .bytes(count)
        case 0: .end
        default: errno == EAGAIN || errno == EINTR ? .nothing : .end
        }
    }
  }

  /// True if there is something to be received now; the end is not.
  package static func hasBytes(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    // SAFETY: recv writes one byte at most.
    return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 1
  }

  /// Waits until a descriptor is ready, or over. False if neither is so in this time, or a signal came.
  package static func wait(_ descriptor: Int32, for interest: Poller.Interest, milliseconds: Int32) -> Bool {
    var asked = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: interest.rawValue), revents: 0)
    // SAFETY: poll writes to the one structure that it is given. Its events have epoll's numbers (epoll_ctl(2)).
    return unsafe poll(&asked, 1, milliseconds) == 1
  }

  /// True if the connection is over in both directions, so that no answer would arrive. A connection whose client has only
  /// ended its own side is not over.
  package static func isOver(_ descriptor: Int32) -> Bool {
    var asked = pollfd(fd: descriptor, events: 0, revents: 0)
    // SAFETY: poll writes to the one structure that it is given.
    return unsafe poll(&asked, 1, 0) == 1 && Int32(asked.revents) & (POLLHUP | POLLERR | POLLNVAL) != 0
  }

  // MARK: sending

  package enum Sent: Hashable, Sendable {
    /// The kernel has taken this many of them; 0 if it has no room now.
    case bytes(Int)
    /// The connection is broken: the peer gets no more.
    case broken
  }

  /// send(2) without a signal.
  package static func send(_ descriptor: Int32, _ bytes: Span<UInt8>) -> Sent {
    while true {
      // SAFETY: send reads at most the span's length.
      let sent = unsafe bytes.withUnsafeBufferPointer {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if sent >= 0 { return .bytes(sent) }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .bytes(0)
      default: return .broken
      }
    }
  }

  // MARK: ending

  package static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

  /// The peer finds the end after what it was sent already.
  package static func shutDownWriting(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  /// Receives no more than what has arrived already; a local peer can't send any more.
  package static func shutDownReading(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_RD)) }
}

/// Memory that one thread receives into, again and again.
@safe package final class ReceiveBuffer {
  // SAFETY: owned by this object from allocation to deinit; the first `count` bytes are initialised.
  private let memory: UnsafeMutableRawBufferPointer
  private var count = 0

  package init(byteCount: Int) { unsafe memory = .allocate(byteCount: byteCount, alignment: 64) }

  deinit { unsafe memory.deallocate() }

  /// recv(2) in place of what was received before.
  package func receive(from descriptor: Int32) -> Sockets.Received {
    // SAFETY: recv writes at most as many bytes as it is given.
    let received = Sockets.Received(unsafe recv(descriptor, memory.baseAddress, memory.count, Int32(MSG_DONTWAIT)))
    if case .bytes(let count) = received { self.count = count } else { count = 0 }
    return received
  }

  /// The received bytes, until the next call.
  package var bytes: Span<UInt8> {
    // SAFETY: this many bytes are initialised, and they live as long as this object.
    unsafe Span(UnsafeRawBufferPointer(rebasing: memory[..<count]), of: self)
  }
}
