/// The server's limits, each with its reason.
enum HTTPLimits {
  /// Bytes of a request's head: what the large buffers of nginx and HAProxy hold.
  static let headBytes = 16 * 1024

  /// Bytes of a body that are read and forgotten before the connection is cut: an answer that comes while the client still
  /// sends is lost to a reset. Far more than any endpoint takes; a client that sends more is not waited for.
  static let discardedBytes = 16 * 1024 * 1024

  /// Bytes that a worker reads at once: a token of any size with its head.
  static let readBytes = 128 * 1024

  // MARK: memory, for each worker

  /// Bytes of requests that are not whole and of answers that are not read: 500 heads that never end, or 15 bodies of the greatest
  /// size, whose memory grows by doubling. 16 MiB for two workers, a quarter of what the process is promised to need.
  static let keptRoom = 8 * 1024 * 1024

  /// Memory that an answer's body or a worker's output may keep for the next one: more than any answer to a question needs.
  static let keptBytes = 64 * 1024

  /// Bytes of answers on one connection after which its next request waits until they are gone: a client that asks and
  /// does not read costs no more.
  static let unsentBytes = 64 * 1024

  /// Callers of a worker that are kept without a connection, so that one who connects for each request needs no new poller each time.
  static let callers = 16

  // MARK: turns

  /// Connections accepted from one socket before the others have their turn.
  static let acceptsPerTurn = 64

  /// Answers that are written together. One by one each answer evicts the code of the next verification; many together
  /// let the first wait for the last. Measured: benchmarks/BENCHMARKS.md.
  static let answersPerGroup = 8

  /// Bytes that are read as soon as they have come. More than that is more than any honest question has, may cost up to a
  /// millisecond, and waits for the others: a token has some 2 KiB, in base64 or percent-encoded up to three times that,
  /// and a head as much as one of them.
  static let promptBytes = 8 * 1024

  /// Requests of one connection before the others have their turn, where it sends many at once.
  static let requestsPerTurn = 8

  /// Connections of one caller that are looked for at once. Enough that looking costs little, each time less than a microsecond.
  static let readsPerService = 8

  /// The time that one caller is served before others have their turn, and that callers are served before the worker looks
  /// who has just asked, in nanoseconds; the request that is under way then is answered. So a client that has just asked
  /// waits for two of these and one request, and for the turns of the callers that asked before. Long enough to cost little
  /// compared with the poll that follows, some microseconds.
  static let turnNanoseconds: UInt64 = 250_000

  /// The time in which no deadline ends a connection while turns end before everything that came was read, in nanoseconds:
  /// four thousand turns, each of which reads several connections. A worker that never has time goes by its deadlines from
  /// then on.
  static let behindNanoseconds: UInt64 = 1_000_000_000

  /// Connections over TCP at once. Every local user can make some, so they have a small share of their own: enough for
  /// health checks and a few scrapers, and never what callers of the UNIX socket need. `Caller` says which one is closed at
  /// the limit.
  static let tcpConnections = 64

  /// A connection over TCP asks seldom as long as it has asked so many questions at most and one more in each of these times, in
  /// nanoseconds: probes ask once in some seconds, scrapers in 15 or more, and a person who looks around a few pages at once.
  static let seldomQuestions: UInt64 = 8
  static let seldomNanoseconds: UInt64 = 1_000_000_000

  /// Connections of the UNIX socket at the spare worker, where few are kept.
  static let spareConnections = 64
}
