/// Who is at the other end of a connection.
package enum Peer: Hashable, Sendable {
  /// A process on this host, by `SO_PEERCRED` (unix(7)): its effective ids when it connected.
  case process(uid: UInt32, gid: UInt32, pid: Int32)
  /// A client of the TCP listener, for which the kernel has no user: by its IPv4 address, or 0.
  case address(UInt32)

  /// Whether it came over TCP.
  package var isTCP: Bool { account.isTCP }

  /// Whose share its connections, memory and turns are part of.
  package var account: Account {
    switch self {
    case .process(let uid, _, _): .user(uid)
    case .address(let address): .address(address)
    }
  }

  /// By what callers are told apart: users of this host, of which those that this namespace does not map are one, and IPv4 addresses.
  package enum Account: Hashable, Sendable {
    case user(UInt32)
    case address(UInt32)

    var isTCP: Bool { if case .address = self { true } else { false } }
  }
}
