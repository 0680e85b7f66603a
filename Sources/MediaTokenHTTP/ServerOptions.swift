/// Every default is meant for production.
package struct ServerOptions: Sendable {
  /// Worker threads; one per core.
  package var workers = 1
  /// True if all connections over TCP are the spare worker's, where there is one.
  package var spareTakesTCP = false
  /// Users who have an account each, whatever their number (``Peer/account``).
  package var namedUsers: Set<UInt32> = []
  /// From a request's first byte until its answer is written.
  package var requestDeadline = Duration.seconds(10)
  /// The time that a connection may be silent, before its first request and between two. More than the 60 s after which
  /// nginx gives up an idle connection, so that the client is the one that closes.
  package var idleLimit = Duration.seconds(75)
  /// The time in which a client may send nothing of a request that it has begun.
  var progressLimit = Duration.seconds(5)
  /// Connections of the whole process, of which each worker has its share; at the limit the caller who has most loses the one that was
  /// silent for longest.
  package var connectionLimit = 16_000
  package var turnNanoseconds = HTTPLimits.turnNanoseconds
  /// The longest head of a request.
  package var headBytes = HTTPLimits.headBytes
  /// Bytes that are read in vain: of a body that no endpoint wants, and of what follows the last request.
  var discardedBytes = HTTPLimits.discardedBytes

  package init() {}

  var ofSpare: ServerOptions {
    var options = self
    (options.workers, options.connectionLimit) = (1, min(connectionLimit, HTTPLimits.spareConnections))
    return options
  }
}
