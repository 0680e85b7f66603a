/// What the server takes at most, each number with its reason.
enum HTTPLimits {
  /// Bytes of a request's head, as in DESIGN: what the large buffers of nginx and HAProxy hold.
  static let headBytes = 16 * 1024

  /// Bytes of a body that are read and forgotten before the connection is cut: an answer that comes while the client still
  /// sends is lost to a reset. Twice what the largest endpoint takes; a client that sends more is not waited for.
  static let discardedBytes = 16 * 1024 * 1024

  /// Bytes that a worker reads at once: a token of any size with its head, or a batch in few pieces.
  static let readBytes = 128 * 1024

  /// Memory that is set aside for a body that says that it is so long: a batch of 1,000 tokens. It is set aside when the first
  /// piece is here; what is longer grows as it comes.
  static let reservedBytes = 1024 * 1024

  /// Memory that an answer's body or a worker's output may keep for the next one: what all but batches need.
  static let keptBytes = 64 * 1024

  /// Bytes of answers on one connection after which its next request waits until they are gone: a client that asks and
  /// does not read costs no more.
  static let unsentBytes = 64 * 1024

  /// Answers that are written together. One by one each answer evicts the code of the next verification; many together
  /// let the first wait for the last. Measured: benchmarks/BENCHMARKS.md.
  static let answersPerGroup = 8

  /// Requests of one connection in one turn, so that a client that sends many at once waits for itself and not others
  /// for it.
  static let requestsPerTurn = 8

  /// Connections over TCP at once. Every local user can make some, so they have a small share of their own: enough for
  /// health checks and a few scrapers, and never what callers of the UNIX socket need.
  static let tcpConnections = 64
}
