internal import MediaTokenSystem

extension ListeningSocket {
  /// The address is `127.0.0.1:PORT` or `[::1]:PORT`; port 0 is any that is free.
  package static func openLoopback(_ address: String) throws(ListenerError) -> ListeningSocket {
    guard let (place, port) = loopback(address) else { throw ListenerError(address, .notLoopback) }
    let socket = try ListenerError.at(address, "socket") { () throws(SystemError) in try Sockets.stream(for: place)
    }
    let descriptor = socket.number
    Sockets.reuseAddress(descriptor)
    try rethrow(Sockets.bind(descriptor, to: place)) { (error: SystemError) in
      let isInUse = error == .addressInUse
      return ListenerError(address, isInUse ? .portInUse(by: Holder(port: port)) : .system("bind", error))
    }
    try ListenerError.at(address, "listen") { () throws(SystemError) in try Sockets.listen(descriptor, backlog: 128)
    }
    return ListeningSocket(owning: socket, isLocal: false)
  }

  private static func loopback(_ address: String) -> (place: SocketAddress, port: UInt16)? {
    for (host, isVersion6) in [("127.0.0.1:", false), ("[::1]:", true)] {
      guard address.utf8.starts(with: host.utf8) else { continue }
      let digits = address.utf8.dropFirst(host.utf8.count)
      guard digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }), let port = UInt16(String(Substring(digits))) else {
        return nil
      }
      return (.loopback(port: port, isVersion6: isVersion6), port)
    }
    return nil
  }
}
