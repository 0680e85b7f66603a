/// What the server takes at most, each number with its reason.
enum HTTPLimits {
  /// Bytes of a request's head, as in DESIGN: what the large buffers of nginx and HAProxy hold.
  static let headBytes = 16 * 1024

  /// Memory that libmicrohttpd has for one connection: the head, 56 bytes for each field and parameter, a second copy of
  /// `Cookie`, and behind them the answer's head.
  ///
  /// It is wiped after each request, so it costs time, and all of it stays resident for as long as a connection that
  /// was used is open. A head that does not fit is 431 (or 414 before its first field) by the library itself.
  static let poolBytes = 32 * 1024

  /// Bytes of a body that are read and forgotten before 413: an answer that comes while the client still sends is lost
  /// to a reset. Twice what the largest endpoint takes; whoever sends more is not waited for.
  static let discardedBytes = 16 * 1024 * 1024

  /// Memory that is set aside for a body that says that it is so long, so that it is not copied while it comes: a batch of
  /// 1,000 tokens. It is set aside when the first piece is here; what is longer grows as it comes.
  static let reservedBytes = 1024 * 1024

  /// Memory that a request's or an answer's body may keep for the next one: what all but batches need.
  static let keptBytes = 64 * 1024

  /// Requests' memory that a worker keeps for the next ones: more are under way at once only under attack.
  static let keptExchanges = 128

  /// Connections over TCP at once. Every local user can make some, so they have a small share of their own: enough for health
  /// checks and a few scrapers, and never what callers of the UNIX socket need.
  static let tcpConnections = 64

  /// Digits of a Content-Length: 18 always fit into 64 bits.
  static let lengthDigits = 18
}
