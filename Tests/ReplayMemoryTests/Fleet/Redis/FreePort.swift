import Foundation
import Glibc
import MediaTokenSystem
import Testing

/// A port of loopback on which nothing listens, for its owner alone as long as this lives.
///
/// The datagram port with its number keeps our other tests from it, as `free_port` of the scenarios does. It is below those that
/// the kernel gives to connections.
final class FreePort: CustomStringConvertible {
  let number: UInt16
  private let reservation: FileDescriptor
  var description: String { "\(number)" }

  init() throws {
    let range = try String(contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8)
    let below = try #require(range.split(whereSeparator: \.isWhitespace).first.flatMap { UInt16($0) })
    while true {
      let number = UInt16.random(in: below / 2..<below)
      let address = SocketAddress.loopback(port: number, isVersion6: false)
      let reservation = try Self.datagram()
      let probe = try Sockets.stream(for: address)
      guard (try? Sockets.bind(reservation.number, to: address)) != nil,
        (try? Sockets.bind(probe.number, to: address)) != nil
      else { continue }
      self.number = number
      self.reservation = reservation
      return
    }
  }

  private static func datagram() throws -> FileDescriptor {
    let number = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    try #require(number >= 0)
    return FileDescriptor(owning: number)
  }
}
