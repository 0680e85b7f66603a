internal import Glibc

/// Sends messages to one UNIX socket. Its own socket stays open, so that none is lost when the process has no descriptor left.
package final class DatagramSender: Sendable {
  /// The most bytes of an address (unix(7)): one less than `sun_path` has.
  package static let longestAddress = 107

  private let socket: FileDescriptor
  private let address: [UInt8]

  /// The address is a path in the file system, or an abstract name after a NUL byte, of at most ``longestAddress`` bytes.
  package init(to address: [UInt8]) throws(SystemError) {
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    socket = FileDescriptor(owning: try SystemCall.uninterrupted { Glibc.socket(AF_UNIX, kind, 0) })
    self.address = address
  }

  /// Does not wait. False if the message is lost: nothing listens, or too many messages are not read yet.
  package func send(_ message: [UInt8]) -> Bool {
    guard address.count <= Self.longestAddress else { return false }
    var target = sockaddr_un()
    target.sun_family = sa_family_t(AF_UNIX)
    let length = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2) + socklen_t(address.count)
    // SAFETY: the address is at most 107 bytes long, the room has 108 zeros; sendto reads both inside the call.
    unsafe withUnsafeMutableBytes(of: &target.sun_path) { unsafe $0.copyBytes(from: address) }
    return unsafe withUnsafePointer(to: &target) { target in
      unsafe target.withMemoryRebound(to: sockaddr.self, capacity: 1) { target in
        let sent = try? SystemCall.uninterrupted {
          unsafe sendto(socket.number, message, message.count, Int32(MSG_NOSIGNAL), target, length)
        }
        return sent != nil
      }
    }
  }
}
