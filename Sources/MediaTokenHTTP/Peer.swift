/// The other end of a connection.
package enum Peer: Hashable, Sendable {
  /// A process on this host, by `SO_PEERCRED` (unix(7)): its effective ids when it connected. `isNamed`: the configuration
  /// names its user.
  case process(uid: UInt32, gid: UInt32, pid: Int32, isNamed: Bool = false)
  /// A client of the TCP listener, for which the kernel has no user.
  case tcp

  package var isTCP: Bool { self == .tcp }

  /// The account whose share its connections, memory and turns are part of.
  package var account: Account {
    switch self {
    case .process(let uid, _, _, let isNamed): uid < Self.firstSubordinate || isNamed ? .user(uid) : .otherUsers
    case .tcp: .tcp
    }
  }

  /// The first user id that a system may give to one user in great number: login.defs(5), `SUB_UID_MIN` is 100,000 and systemd's
  /// containers begin at 524,288, but users and services of the host itself fit in 16 bits (systemd's "Users, Groups, UIDs and GIDs").
  private static let firstSubordinate: UInt32 = 65_536

  /// The key by which callers are told apart.
  package enum Account: Hashable, Sendable {
    /// One user of this host; those that this namespace does not map are one.
    case user(UInt32)
    /// All users from 65,536 on that the configuration does not name: one user may have as many of them (subuid(5)).
    case otherUsers
    /// All clients over TCP: each user has 16 million addresses of the loopback interface.
    case tcp
  }
}
