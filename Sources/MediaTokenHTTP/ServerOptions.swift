/// How the server behaves; every default is meant for production.
package struct ServerOptions: Sendable {
  /// Worker threads; one per core.
  package var workers = 1
  /// Whether all connections over TCP are the spare worker's, where there is one.
  package var spareTakesTCP = false
  /// Who may ask over a UNIX socket.
  package var admission = PeerAdmission()
  /// Users who have an account each, whatever their number (``Peer/account``).
  package var namedUsers: Set<UInt32> = []
  /// From a request's first byte until its answer is written.
  package var requestDeadline = Duration.seconds(10)
  /// How long a connection may be silent, before its first request and between two. More than the 60 s after which nginx
  /// gives up an idle connection, so that the client is the one that closes.
  package var idleLimit = Duration.seconds(75)
  /// How long a client may send nothing of a request that it has begun.
  var progressLimit = Duration.seconds(5)
  /// Connections of the whole process, of which each worker has its share; at the limit the caller who has most loses the one that was
  /// silent for longest.
  package var connectionLimit = 16_000
  /// For how long one caller is served before others have their turn.
  package var turnNanoseconds = HTTPLimits.turnNanoseconds
  /// Bytes of a request's head.
  package var headBytes = HTTPLimits.headBytes
  /// Bytes that are read in vain: of a body that no endpoint wants, and of what follows the last request.
  var discardedBytes = HTTPLimits.discardedBytes

  package init() {}

  /// What holds at the spare worker.
  var ofSpare: ServerOptions {
    var options = self
    (options.workers, options.connectionLimit) = (1, min(connectionLimit, HTTPLimits.spareConnections))
    return options
  }
}

/// Which local users may connect. Root has no special part in it.
package struct PeerAdmission: Sendable {
  /// User ids that are allowed.
  package var users: Set<UInt32>
  /// Group ids that are allowed, as first or supplementary group of the peer.
  package var groups: Set<UInt32>

  package init(users: Set<UInt32> = [], groups: Set<UInt32> = []) { (self.users, self.groups) = (users, groups) }

  /// The number of users and groups that this namespace does not map (user_namespaces(7)): it identifies no one, and so is
  /// on no list.
  private static let unmapped: Set<UInt32> = [65534, .max]

  /// Whether the socket's mode alone decides.
  var admitsEveryone: Bool { users.isEmpty && groups.isEmpty }

  /// Whether a peer may ask; the supplementary groups are looked up only where they decide.
  package func admits(user: UInt32, group: UInt32, supplementaryGroups: () -> [UInt32]) -> Bool {
    if admitsEveryone { return true }
    if users.contains(user), !Self.unmapped.contains(user) { return true }
    if groups.isEmpty { return false }
    if groups.contains(group), !Self.unmapped.contains(group) { return true }
    return supplementaryGroups().contains { groups.contains($0) && !Self.unmapped.contains($0) }
  }
}
