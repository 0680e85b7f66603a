/// The memory that a worker's requests and answers under way may take: so that it is known before anyone connects, however
/// many do.
///
/// - A body that is longer than what is read at once has its room before it is read, the whole of it; until then its client
///   waits. A connection that has room can finish, so no two wait for each other, and one that does not finish loses it at the
///   request's deadline.
/// - Everything else is counted as it comes: requests that are not whole, and answers that their clients do not read. Beyond
///   the limit the connection whose request began first is closed: it has had its time, and those that come and go within
///   milliseconds are not touched.
struct Room {
  /// Bytes that bodies have reserved.
  private(set) var reserved = 0
  /// Everything else.
  private var kept = Kept()
  /// Connections whose bodies wait, by token, the first to wait first.
  private var waiting: [UInt64] = []

  /// Memory outside the room for bodies, in bytes.
  struct Kept {
    /// Requests that are not answered.
    var requests = 0
    /// Answers that are not finished, or not read by their clients.
    var answers = 0
  }

  /// Whether a connection must be closed.
  var isExceeded: Bool { kept.requests + kept.answers > HTTPLimits.keptRoom }

  /// Whether answers take so much already that none that may be long is begun.
  var isTight: Bool { kept.answers > HTTPLimits.keptRoom / 2 }

  /// Reserves room for a body. One that is longer than the whole room has its turn alone.
  ///
  /// - Returns: false if it has to wait, for room or for others that wait already.
  mutating func reserve(_ byteCount: Int, for connection: Connection) -> Bool {
    guard waiting.isEmpty, fits(byteCount) else { return false }
    reserved += byteCount
    connection.reserved = byteCount
    return true
  }

  private func fits(_ byteCount: Int) -> Bool { reserved == 0 || reserved + byteCount <= HTTPLimits.bodyRoom }

  /// Remembers that a connection's body waits.
  mutating func wait(_ connection: Connection) { waiting.append(connection.token) }

  /// Gives back what a connection's body has reserved.
  mutating func release(_ connection: Connection) {
    guard connection.reserved > 0 else { return }
    reserved -= connection.reserved
    connection.reserved = 0
  }

  /// Counts what a connection keeps now.
  mutating func count(_ connection: Connection) {
    let memory = connection.memory
    kept.requests += memory.requests - connection.kept.requests
    kept.answers += memory.answers - connection.kept.answers
    connection.kept = memory
  }

  /// The connection whose body has waited longest, by token.
  var firstWaiting: UInt64? { waiting.first }

  /// Reserves room for the body that has waited longest, if it fits now.
  mutating func admitFirst(_ byteCount: Int, _ connection: Connection) -> Bool {
    guard fits(byteCount) else { return false }
    waiting.removeFirst()
    reserved += byteCount
    connection.reserved = byteCount
    return true
  }

  /// How many of those that have waited longest are gone.
  func goneAtFront(_ isGone: (UInt64) -> Bool) -> Int { waiting.prefix(while: isGone).count }

  /// Forgets those that have waited longest, all at once: a crowd may have left.
  mutating func forgetFirst(_ count: Int) { waiting.removeFirst(count) }
}
