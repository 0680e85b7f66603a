/// The memory that a worker's requests and answers under way may take: requests that are not whole, and answers that their
/// clients do not read. Counted as they come, so that it is known before anyone connects, however many do.
///
/// Beyond the limit the connection whose request began first is closed: it has had its time, and those that come and go within
/// milliseconds are not touched.
struct Room {
  /// Bytes that are kept.
  private var kept = 0

  /// Whether a connection must be closed.
  var isExceeded: Bool { kept > HTTPLimits.keptRoom }

  /// Counts what a connection keeps now.
  mutating func count(_ connection: Connection) {
    let memory = connection.memory
    kept += memory - connection.kept
    connection.kept = memory
  }
}
