internal import MediaTokenSystem

/// Asks a node's process for a caller that waits, one question after another.
final class RedisCaller {
  private let poller: Poller
  private let timeout: Timeout
  private let stream: RedisStream
  /// Not taken yet.
  private var replies: [(command: SentCommand, reply: Reply)] = []
  private var events: [Poller.Event] = []

  /// Begins with the questions whether it may be a node. The timeout is for all of it.
  init(_ engine: RedisEngine, node number: Int, within timeout: Timeout) throws(NodeError) {
    self.timeout = timeout
    poller = try rethrow(Poller(), as: NodeError.unreachable)
    stream = RedisStream(
      engine, node: number, poller, ReceiveBuffer(byteCount: ConnectionSocket.bufferBytes), at: MonotonicTime.now,
      longestWait: timeout.left * 1_000_000)
  }

  /// See ``RedisStream/password``.
  var password: String? { stream.password }

  /// Sends a command, and waits for its reply.
  func ask(_ write: (inout NodeCommands, inout [UInt8]) -> Void) throws(NodeError) -> Reply {
    stream.say(.look, at: MonotonicTime.now, write)
    return try next().reply
  }

  /// Waits for the next reply.
  func next() throws(NodeError) -> (command: SentCommand, reply: Reply) {
    while replies.isEmpty {
      if let error = stream.end { throw error }
      let now = MonotonicTime.now
      guard now < timeout.end else { throw .late(milliseconds: timeout.milliseconds) }
      let end = min(timeout.end, stream.nextDeadline ?? .max)
      _ = poller.wait(milliseconds: end <= now ? 0 : Int32(clamping: (end - now) / 1_000_000 + 1), &events)
      stream.work(at: MonotonicTime.now, isReady: !events.isEmpty) { replies.append(($0, $1)) }
    }
    return replies.removeFirst()
  }
}
