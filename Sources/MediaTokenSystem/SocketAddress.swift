internal import CLinux
internal import Glibc

/// A place where a stream socket listens or connects to, as the system has it.
package struct SocketAddress: Sendable {
  /// A `sockaddr_un`, `sockaddr_in` or `sockaddr_in6`; empty for a path that is too long.
  private let bytes: [UInt8]
  /// The socket in the file system; nil for an address of IPv4 or IPv6.
  package let path: String?

  private init(bytes: [UInt8], path: String?) { (self.bytes, self.path) = (bytes, path) }

  private init<Address>(_ address: Address, path: String? = nil) {
    // SAFETY: the bytes are copied.
    self.init(bytes: unsafe withUnsafeBytes(of: address) { unsafe Array($0) }, path: path)
  }

  /// A path in the file system, of at most ``DatagramSender/longestAddress`` bytes.
  package static func local(_ path: String) -> SocketAddress {
    guard path.utf8.count <= DatagramSender.longestAddress else { return SocketAddress(bytes: [], path: path) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // SAFETY: the path fits into the room, whose last byte stays zero.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    return SocketAddress(address, path: path)
  }

  /// 127.0.0.1 or ::1 with this port; 0 is any that is free.
  package static func loopback(port: UInt16, isVersion6: Bool) -> SocketAddress {
    if isVersion6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_addr = in6addr_loopback
      return SocketAddress(address)
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return SocketAddress(address)
  }

  /// getaddrinfo(3): the addresses of a host, in the order in which they are to be tried; empty if the name does not
  /// resolve, or no name server answers. Waits for name servers, as long as the system's resolver is set to, unless
  /// `isNumeric`: then only an address written in numbers is taken.
  package static func lookUp(_ host: String, port: UInt16, isNumeric: Bool) -> [SocketAddress] {
    guard let host = try? SystemCall.terminated(host.utf8) else { return [] }
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = AI_NUMERICSERV | (isNumeric ? AI_NUMERICHOST : 0)
    var list: UnsafeMutablePointer<addrinfo>?
    // SAFETY: both texts end with NUL and outlive the call; the list is ours until freeaddrinfo.
    guard unsafe getaddrinfo(host, "\(port)", &hints, &list) == 0 else { return [] }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      unsafe next = entry.pointee.ai_next
      let family = unsafe entry.pointee.ai_family
      guard family == AF_INET || family == AF_INET6, let address = unsafe entry.pointee.ai_addr else { continue }
      let bytes = unsafe UnsafeRawBufferPointer(start: address, count: Int(entry.pointee.ai_addrlen))
      unsafe addresses.append(SocketAddress(bytes: Array(bytes), path: nil))
    }
    return addresses
  }

  /// An address of IPv4 or IPv6 as a number, without the port (getnameinfo(3)); nil for a path.
  package var number: String? {
    guard path == nil else { return nil }
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    // SAFETY: getnameinfo writes at most as many bytes as the text has, the last one NUL.
    let code = unsafe withAddress { address, length in
      unsafe getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
    }
    return code == 0 ? String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }

  fileprivate func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    guard !bytes.isEmpty else {
      errno = ENAMETOOLONG
      return -1
    }
    var storage = sockaddr_storage()
    // SAFETY: the storage is larger than the address of any family, and is used inside the closure alone.
    return unsafe withUnsafeMutableBytes(of: &storage) { room in
      unsafe room.copyBytes(from: bytes)
      return unsafe room.withMemoryRebound(to: sockaddr.self) { room in
        guard let start = room.baseAddress else { return -1 }
        return unsafe body(start, socklen_t(bytes.count))
      }
    }
  }

  fileprivate var family: Int32 {
    if path != nil { return AF_UNIX }
    return bytes.count == MemoryLayout<sockaddr_in6>.size ? AF_INET6 : AF_INET
  }
}

extension Sockets {
  /// socket(2): a stream socket for such addresses, which neither waits nor is inherited.
  package static func stream(for address: SocketAddress) throws(SystemError) -> FileDescriptor {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    return FileDescriptor(owning: try SystemCall.uninterrupted { socket(address.family, kind, 0) })
  }

  /// bind(2): makes the socket's name.
  package static func bind(_ descriptor: Int32, to address: SocketAddress) throws(SystemError) {
    _ = try SystemCall.uninterrupted { unsafe address.withAddress { unsafe Glibc.bind(descriptor, $0, $1) } }
  }

  package static func connect(_ descriptor: Int32, to address: SocketAddress) throws(SystemError) {
    _ = try SystemCall.uninterrupted { unsafe address.withAddress { unsafe Glibc.connect(descriptor, $0, $1) } }
  }

  /// connect(2) of a socket that does not wait. Success says that the attempt was begun: nothing can be sent until it has
  /// succeeded, and if it fails sending does.
  package static func beginConnecting(_ descriptor: Int32, to address: SocketAddress) throws(SystemError) {
    if unsafe address.withAddress({ unsafe Glibc.connect(descriptor, $0, $1) }) == 0 { return }
    let error = SystemError.last
    // Not again after EINTR: the attempt goes on, and a second one fails (connect(2)).
    guard error == .interrupted || error.code == EINPROGRESS else { throw error }
  }

  /// SO_ERROR (socket(7)): the error since it was asked last, of connecting above all.
  package static func failure(_ descriptor: Int32) -> SystemError? {
    guard let code = option(descriptor, SO_ERROR) else { return .last }
    return code == 0 ? nil : SystemError(code: code)
  }

  /// For short questions and answers over a network (tcp(7)): what is written is sent at once, and a connection whose other
  /// side acknowledges nothing for this long is over. Local sockets have neither option and are not changed.
  package static func setForExchanges(_ descriptor: Int32, lostAfterMilliseconds: Int32) {
    set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
    set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    set(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, lostAfterMilliseconds)
  }

  package static func listen(_ descriptor: Int32, backlog: Int32) throws(SystemError) {
    _ = try SystemCall.uninterrupted { Glibc.listen(descriptor, backlog) }
  }

  /// SO_REUSEADDR (socket(7)): a restart need not wait for connections of the last run.
  package static func reuseAddress(_ descriptor: Int32) {
    // Without the option binding may fail, and says so.
    set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
  }

  private static func set(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
    var value = value
    // SAFETY: setsockopt is given the number's length.
    _ = unsafe setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// The place that a descriptor which was handed over listens to.
  package enum Listening: Sendable {
    case local, loopback
    /// It does not listen, is not a stream, or listens to the whole network.
    case other
  }

  package static func listening(_ descriptor: Int32) -> Listening {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    // SAFETY: getsockname writes at most `length` bytes into the structure, which is used as what it begins with.
    let named = unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(descriptor, $0, &length) }
    }
    guard named == 0, option(descriptor, SO_ACCEPTCONN) == 1,
      option(descriptor, SO_TYPE) == Int32(SOCK_STREAM.rawValue)
    else { return .other }
    if address.ss_family == sa_family_t(AF_UNIX) { return .local }
    return isLoopback(&address) ? .loopback : .other
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

  /// Makes an inherited descriptor non-blocking, and closes it in programs that are started from here (fcntl(2)).
  package static func keepToOurselves(_ descriptor: Int32) throws(SystemError) {
    let flags = try SystemCall.uninterrupted { fcntl(descriptor, F_GETFL) }
    _ = try SystemCall.uninterrupted { fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
    _ = try SystemCall.uninterrupted { fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
  }
}
