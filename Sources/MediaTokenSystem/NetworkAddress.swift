internal import Glibc

/// An address of IPv4 or IPv6 with a port, as the system has it.
package struct NetworkAddress: Sendable, Hashable {
  /// A `sockaddr_in` or `sockaddr_in6`.
  private let bytes: [UInt8]

  /// getaddrinfo(3): the addresses of a host, in the order in which they are to be tried. Waits for name servers, as long as
  /// the system's resolver is set to, unless only numbers are accepted.
  ///
  /// - Parameter isNumeric: whether to take an address written in numbers, and nothing else.
  /// - Returns: an empty array if the name does not resolve, or no name server answers.
  package static func lookUp(_ host: String, port: UInt16, isNumeric: Bool) -> [NetworkAddress] {
    guard let host = try? SystemCall.terminated(host.utf8) else { return [] }
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = AI_NUMERICSERV | (isNumeric ? AI_NUMERICHOST : 0)
    var list: UnsafeMutablePointer<addrinfo>?
    // SAFETY: both texts end with NUL and outlive the call; the list is ours until freeaddrinfo.
    guard unsafe getaddrinfo(host, "\(port)", &hints, &list) == 0 else { return [] }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [NetworkAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      unsafe next = entry.pointee.ai_next
      let family = unsafe entry.pointee.ai_family
      guard family == AF_INET || family == AF_INET6, let address = unsafe entry.pointee.ai_addr else { continue }
      unsafe addresses.append(
        NetworkAddress(
          bytes: Array(UnsafeRawBufferPointer(start: address, count: Int(entry.pointee.ai_addrlen)))))
    }
    return addresses
  }

  /// Calls with the address in the form that the system takes.
  func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
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

  var family: Int32 { bytes.count == MemoryLayout<sockaddr_in6>.size ? AF_INET6 : AF_INET }
}
