internal import CLinux
internal import Glibc
internal import SystemCalls

extension ListeningSocket {
  /// Listens on the loopback interface.
  ///
  /// - Parameter address: `127.0.0.1:PORT` or `[::1]:PORT`; port 0 is any that is free.
  static func openLoopback(_ address: String) throws(ListenerError) -> ListeningSocket {
    let isSix: Bool
    let digits: Substring
    if address.utf8.starts(with: "127.0.0.1:".utf8) {
      (isSix, digits) = (false, address.dropFirst("127.0.0.1:".count))
    } else if address.utf8.starts(with: "[::1]:".utf8) {
      (isSix, digits) = (true, address.dropFirst("[::1]:".count))
    } else {
      throw ListenerError(address, .notLoopback)
    }
    guard digits.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }), let port = UInt16(digits) else {
      throw ListenerError(address, .notLoopback)
    }
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(isSix ? AF_INET6 : AF_INET, kind, 0)
    guard descriptor >= 0 else { throw ListenerError(address, .system("socket", SystemFailure(code: errno))) }
    let listener = ListeningSocket(adopting: descriptor, isLocal: false)
    var one: Int32 = 1
    // SAFETY: each call is told how long what it reads is. A restart must not wait for connections of the last run.
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    let bound = isSix ? bindSix(descriptor, port) : bindFour(descriptor, port)
    guard bound == 0 else { throw ListenerError(address, .system("bind", SystemFailure(code: errno))) }
    guard listen(descriptor, 128) == 0 else {
      throw ListenerError(address, .system("listen", SystemFailure(code: errno)))
    }
    return listener
  }

  private static func bindFour(_ descriptor: Int32, _ port: UInt16) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    // SAFETY: bind reads the structure inside the call, as what it begins with.
    return unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  private static func bindSix(_ descriptor: Int32, _ port: UInt16) -> Int32 {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_addr = in6addr_loopback
    // SAFETY: as above.
    return unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
      }
    }
  }
}
