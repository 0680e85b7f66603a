internal import CLinux
internal import Glibc
internal import SystemCalls

/// Listeners that systemd made for us (sd_listen_fds(3)): their descriptors begin at 3.
enum InheritedSockets {
  private static let first: Int32 = 3

  /// Takes the listeners over, if there are any. Call once, before other threads start: it changes the environment, so
  /// that children do not think the listeners are theirs.
  static func take() throws(ListenerError) -> [ListeningSocket] {
    let (process, count) = (number("LISTEN_PID"), number("LISTEN_FDS"))
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { _ = unsafe unsetenv(name) }
    guard process == getpid(), let count, count > 0 else { return [] }
    var listeners: [ListeningSocket] = []
    for descriptor in first..<first &+ count { listeners.append(try adopt(descriptor)) }
    return listeners
  }

  private static func number(_ name: String) -> Int32? {
    // SAFETY: getenv's text lives until the environment changes, and is copied before.
    guard let text = unsafe getenv(name) else { return nil }
    return Int32(unsafe String(cString: text))
  }

  /// Owns a listener, and sees to it that it is one.
  static func adopt(_ descriptor: Int32) throws(ListenerError) -> ListeningSocket {
    let place = "inherited descriptor \(descriptor)"
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    // SAFETY: getsockname writes at most `length` bytes into the structure, which is used as what it begins with.
    let named = unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(descriptor, $0, &length) }
    }
    guard named == 0, option(descriptor, SO_ACCEPTCONN) == 1,
      option(descriptor, SO_TYPE) == Int32(SOCK_STREAM.rawValue)
    else { throw ListenerError(place, .notListening) }
    let isLocal = address.ss_family == sa_family_t(AF_UNIX)
    guard isLocal || isLoopback(&address) else { throw ListenerError(place, .notListening) }
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0,
      fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    else { throw ListenerError(place, .system("fcntl", SystemFailure(code: errno))) }
    return ListeningSocket(adopting: descriptor, isLocal: isLocal)
  }

  private static func option(_ descriptor: Int32, _ name: Int32) -> Int32? {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    // SAFETY: getsockopt writes at most `length` bytes into the number.
    return unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
  }

  private static func isLoopback(_ address: inout sockaddr_storage) -> Bool {
    let family = address.ss_family
    // SAFETY: the family says which structure this is; both are smaller than the storage.
    return unsafe withUnsafeBytes(of: &address) { bytes in
      switch Int32(family) {
      case AF_INET: unsafe bytes.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr & 0xFF == 127
      case AF_INET6:
        // ::1, which is fifteen zeros and a one.
        unsafe bytes[8..<23].allSatisfy { $0 == 0 } && bytes[23] == 1
      default: false
      }
    }
  }
}
