internal import MediaTokenSystem
internal import Synchronization

/// The knowledge and the counts of one node that all threads of this process share.
package final class NodeRecord: Sendable {
  /// From 1, as in the fleet's address.
  package let number: Int
  /// As it is written.
  package let address: String
  private let book: NodeBook
  private let starts = Atomic<UInt64>(0)
  private let clockSetBacks = Atomic<UInt64>(0)
  private let reconnects = Atomic<UInt64>(0)
  private let replies = InlineArray<7, Atomic<UInt64>> { _ in Atomic(0) }  // NodeReplyKind.allCases

  /// A node that knows of no other.
  package convenience init(number: Int, address: String) {
    self.init(number: number, address: address, in: NodeBook(nodes: number))
  }

  init(number: Int, address: String, in book: NodeBook) {
    (self.number, self.address, self.book) = (number, address, book)
  }

  // MARK: what its connections report

  /// A connection's handshake is done. The reason why it must be closed: another node has a connection to the same process.
  /// Nil if it may be used.
  func connectionOpened(_ handshake: HandshakeResult) -> NodeRefusal? {
    let refusal = book.change { nodes in
      let twin = nodes.indices.first { index in
        index != number - 1 && nodes[index].connections > 0 && nodes[index].handshake?.process == handshake.process
      }
      let refusal = twin.map { NodeRefusal.sameProcess(asNode: $0 + 1) }
      if let refusal { nodes[number - 1].refuse(refusal) } else { nodes[number - 1].open(handshake) }
      return refusal
    }
    if refusal == nil { count(handshake) }
    return refusal
  }

  /// A connection that was opened is closed, or too old for claims.
  func connectionClosed() { change { $0.close() } }

  func learned(_ handshake: HandshakeResult) {
    change { $0.learn(handshake) }
    count(handshake)
  }

  private func count(_ handshake: HandshakeResult) {
    if handshake.isStarted { starts.add(1, ordering: .relaxed) }
    if handshake.secondsSetBack != nil { clockSetBacks.add(1, ordering: .relaxed) }
  }

  package func refused(_ refusal: NodeRefusal) { change { $0.refuse(refusal) } }

  /// The name service was asked for its address, and has one or fails.
  func named(_ isNamed: Bool) { change { $0.named(isNamed) } }

  func identified(_ database: DatabaseIdentity) { change { $0.identify(database) } }

  /// A connection was lost, or could not be made, and the node is dialled again; not for renewals. `words` are the node's
  /// instead.
  func reconnecting(_ words: StoreWords? = nil) {
    // Before the change, which wakes who waits until every node was tried.
    reconnects.add(1, ordering: .relaxed)
    change { $0.fail(saying: words) }
  }

  /// True if a connection was ever lost or could not be made.
  var wasLost: Bool { reconnects.load(ordering: .relaxed) > 0 }

  /// It is a database, and was maintained in this second of its clock before it was now.
  func maintained(at second: Int64) { change { $0.seen = second } }

  func countBatch(_ result: ClaimBatchResult, claims: Int) {
    change { $0.batches.count(result, claims: claims) }
  }

  func count(_ kind: NodeReplyKind, _ count: Int) {
    if count > 0 { replies[kind.index].add(UInt64(count), ordering: .relaxed) }
  }

  private func change(_ body: (inout NodeKnown) -> Void) { book.change { body(&$0[number - 1]) } }

  // MARK: its reading

  /// The second is since the epoch, now; nil in a forked child, which knows of no connection.
  func reading(at second: Int64?) -> NodeReading {
    let known = second.map { (known: book.current[number - 1], second: $0) }
    return NodeReading(
      number: number, address: address, state: known.map { $0.known.state(at: $0.second) } ?? .down,
      refusesWrites: known?.known.refusesWrites ?? false, vouchesFrom: known?.known.handshake?.from,
      clockOffsetSeconds: known?.known.clockOffsetSeconds,
      timeline: known?.known.handshake?.timeline,
      maintainedSeconds: known.flatMap { $0.known.maintainedSeconds(at: $0.second) },
      batches: known?.known.batches ?? BatchReading(), starts: starts.load(ordering: .relaxed),
      clockSetBacks: clockSetBacks.load(ordering: .relaxed),
      reconnects: reconnects.load(ordering: .relaxed),
      replies: Dictionary(
        uniqueKeysWithValues: NodeReplyKind.allCases.map { ($0, replies[$0.index].load(ordering: .relaxed)) }),
      database: known?.known.database)
  }
}

extension NodeReplyKind {
  var index: Int {
    switch self {
    case .new: 0
    case .ours: 1
    case .other: 2
    case .forgotten: 3
    case .ahead: 4
    case .error: 5
    case .late: 6
    }
  }
}
