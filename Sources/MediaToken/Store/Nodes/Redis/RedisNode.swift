package import MediaTokenSystem

/// The way to a node that is a process of Redis or Valkey: a connection that gets the claims, and while it is exchanged
/// for a younger one, that one too.
final class RedisNode: Node {
  let number: Int
  private let engine: RedisEngine
  private let record: NodeRecord
  private let poller: Poller
  private let buffer = ReceiveBuffer(byteCount: ConnectionSocket.bufferBytes)

  /// Gets the claims, if it is open.
  private var connection: RedisConnection?
  /// On its way to take the place of ``connection``.
  private var newcomer: RedisConnection?
  /// Wait for their last replies.
  private var leaving: [RedisConnection] = []
  /// What connections were lost with that are over.
  private var lost: [TakenClaims] = []
  private var nextDial: UInt64 = 0
  private var backoff = Backoff()

  init(_ engine: RedisEngine, _ record: NodeRecord, watchedBy poller: Poller) {
    (self.engine, self.record, self.poller) = (engine, record, poller)
    number = record.number
  }

  func isUsable(at time: UInt64) -> Bool { connection.map { $0.takesClaims(at: time) && !$0.isFull } == true }

  func isBusy(at time: UInt64) -> Bool { connection.map { $0.takesClaims(at: time) && $0.isFull } == true }

  var isConnected: Bool { connection != nil || newcomer != nil }

  var silentSince: UInt64? { connection?.silentSince }

  var nextDeadline: UInt64? {
    if !lost.isEmpty { return 0 }
    // It is asked in every turn: no list of them.
    var soonest = newcomer == nil ? nextDial : newcomer?.nextDeadline ?? .max
    if let connection {
      soonest = min(soonest, connection.start + ConnectionTimes.oldest, connection.nextDeadline ?? .max)
      if connection.isOpen, connection.isQuiet { soonest = min(soonest, connection.nextProbe) }
    }
    for connection in leaving { soonest = min(soonest, connection.nextDeadline ?? .max) }
    return soonest == .max ? nil : soonest
  }

  func ask(_ claims: TakenClaims, at time: UInt64) {
    guard isUsable(at: time), let connection else { return lost.append(claims) }
    connection.ask(claims, at: time)
    // A connection that broke while it sent is dialled again in time: nothing more is heard of it.
    replaceConnections(at: time)
  }

  func work(at time: UInt64, isReady: Bool, _ hear: (NodeReply) -> Void) {
    for connection in leaving { connection.work(at: time, isReady: isReady, hear) }
    connection?.work(at: time, isReady: isReady, hear)
    newcomer?.work(at: time, isReady: isReady, hear)
    // Claims that are under way are writes themselves.
    if let connection, connection.isOpen, connection.isQuiet, time >= connection.nextProbe {
      connection.probe(at: time)
    }
    replaceConnections(at: time)
    dialIfDue(at: time)
    for claims in lost { hear(NodeReply(claims: claims, end: .lost)) }
    lost = []
  }

  func close() {
    for connection in leaving + [connection, newcomer].compactMap({ $0 }) {
      connection.close()
      lost += connection.lost
    }
    (leaving, connection, newcomer) = ([], nil, nil)
  }

  private func replaceConnections(at time: UInt64) {
    if let connection, let end = connection.end {
      lost += connection.lost
      self.connection = nil
      follow(end, at: time)
    }
    if let end = newcomer?.end {
      newcomer = nil
      follow(end, at: time)
    }
    if let newcomer, newcomer.isOpen {
      retire()
      connection = newcomer
      self.newcomer = nil
      backoff.reset()
      nextDial = newcomer.start + ConnectionTimes.renewal(engine.chance())
    }
    if connection?.isOld(at: time) == true { retire() }
    leaving.removeAll { connection in
      if connection.isQuiet { connection.close() }
      lost += connection.lost
      return connection.end != nil
    }
  }

  /// The connection gets no more claims, and ends when it has its replies.
  private func retire() {
    guard let connection else { return }
    connection.retire()
    leaving.append(connection)
    self.connection = nil
  }

  private func follow(_ end: RedisConnection.End, at time: UInt64) {
    switch end {
    case .lost(let words):
      record.reconnecting(words)
      nextDial = time + backoff.next(engine.chance())
    case .refused(let refusal):
      close()
      nextDial = time + ConnectionTimes.pause(after: refusal)
    }
  }

  private func dialIfDue(at time: UInt64) {
    guard newcomer == nil, time >= nextDial else { return }
    newcomer = RedisConnection(engine, record, poller, buffer, at: time)
    // A failure that can be known at once: a socket where nothing listens.
    replaceConnections(at: time)
  }
}

extension RedisEngine: NodeEngine {
  func makeAskers(_ records: [NodeRecord]) throws(SystemError) -> any NodeAskers {
    try NodeLoop { poller in records.map { makeNode($0, watchedBy: poller) } }
  }

  /// The poller watches its connections, under the node's number.
  package func makeNode(_ record: NodeRecord, watchedBy poller: Poller) -> any Node {
    RedisNode(self, record, watchedBy: poller)
  }
}
