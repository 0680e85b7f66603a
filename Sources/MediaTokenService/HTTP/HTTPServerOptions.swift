/// How the server behaves; every default is meant for production.
struct HTTPServerOptions: Sendable {
  /// Worker threads; one per core.
  var workers = 1
  /// Who may ask over a UNIX socket.
  var admission = PeerAdmission()
  /// From a request's first line until its answer is written; also from a connection's first byte to the end of its
  /// first line.
  var requestDeadline = Duration.seconds(10)
  /// How long a connection may be silent, before its first request and between two. More than the 60 s after which nginx gives up an idle
  /// connection, so that the client is the one that closes.
  var idleLimit = Duration.seconds(75)
  /// Connections of the whole process; at the limit the rest waits in the listeners' backlogs.
  var connectionLimit = 16_000
  /// Bytes of a request's head.
  var headBytes = HTTPLimits.headBytes
  /// Bytes of a body that are read in vain.
  var discardedBytes = HTTPLimits.discardedBytes
}

/// Which local users may connect. Root has no special part in it.
struct PeerAdmission: Sendable {
  /// User ids that are allowed.
  var users: Set<UInt32> = []
  /// Group ids that are allowed, as first or supplementary group of the peer.
  var groups: Set<UInt32> = []

  /// What stands for users and groups of another namespace that are unknown in ours (user_namespaces(7)). Whoever is
  /// nobody in particular is on no list.
  private static let unmapped: Set<UInt32> = [65534, .max]

  /// Whether the socket's mode alone decides.
  var admitsEverybody: Bool { users.isEmpty && groups.isEmpty }

  /// Whether a peer may ask; the supplementary groups are looked up only where they decide.
  func admits(user: UInt32, group: UInt32, supplementaryGroups: () -> [UInt32]) -> Bool {
    if admitsEverybody { return true }
    if users.contains(user), !Self.unmapped.contains(user) { return true }
    if groups.isEmpty { return false }
    if groups.contains(group), !Self.unmapped.contains(group) { return true }
    return supplementaryGroups().contains { groups.contains($0) && !Self.unmapped.contains($0) }
  }
}
