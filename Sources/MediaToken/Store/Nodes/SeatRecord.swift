internal import MediaTokenSystem
internal import Synchronization

/// The knowledge and the counts of one seat that all threads of this process share.
package final class SeatRecord: Sendable {
  /// From 1, as in the fleet's address.
  package let number: Int
  /// As it is written.
  package let address: String
  private let book: SeatBook
  private let births = Atomic<UInt64>(0)
  private let clockSetBacks = Atomic<UInt64>(0)
  private let reconnects = Atomic<UInt64>(0)
  private let replies = InlineArray<7, Atomic<UInt64>> { _ in Atomic(0) }  // SeatReplyKind.allCases

  /// A seat that knows of no other.
  package convenience init(number: Int, address: String) {
    self.init(number: number, address: address, in: SeatBook(seats: number))
  }

  init(number: Int, address: String, in book: SeatBook) {
    (self.number, self.address, self.book) = (number, address, book)
  }

  // MARK: what its connections report

  /// A connection's handshake is done. The reason why it must be closed: another seat has a connection to the same process.
  /// Nil if it may be used.
  func connectionOpened(_ handshake: HandshakeResult) -> SeatRefusal? {
    let refusal = book.change { seats in
      let twin = seats.indices.first { index in
        index != number - 1 && seats[index].connections > 0 && seats[index].handshake?.process == handshake.process
      }
      let refusal = twin.map { SeatRefusal.sameProcess(asSeat: $0 + 1) }
      if let refusal { seats[number - 1].refuse(refusal) } else { seats[number - 1].open(handshake) }
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
    if handshake.isBorn { births.add(1, ordering: .relaxed) }
    if handshake.secondsSetBack != nil { clockSetBacks.add(1, ordering: .relaxed) }
  }

  package func refused(_ refusal: SeatRefusal) { change { $0.refuse(refusal) } }

  /// The name service was asked for its address, and has one or fails.
  func named(_ isNamed: Bool) { change { $0.named(isNamed) } }

  func identified(_ database: DatabaseIdentity) { change { $0.identify(database) } }

  /// A connection was lost, or could not be made, and the seat is dialled again; not for renewals. `words` are the seat's
  /// instead.
  func reconnecting(_ words: StoreWords? = nil) {
    // Before the change, which wakes who waits until every seat was tried.
    reconnects.add(1, ordering: .relaxed)
    change { $0.fail(saying: words) }
  }

  /// True if a connection was ever lost or could not be made.
  var wasLost: Bool { reconnects.load(ordering: .relaxed) > 0 }

  /// It is a database, and was attended in this second of its clock before it was now.
  func attended(at second: Int64) { change { $0.seen = second } }

  func countBatch(_ result: ClaimBatchResult, claims: Int) {
    change { $0.batches.count(result, claims: claims) }
  }

  func count(_ kind: SeatReplyKind, _ count: Int) {
    if count > 0 { replies[kind.index].add(UInt64(count), ordering: .relaxed) }
  }

  private func change(_ body: (inout SeatKnown) -> Void) { book.change { body(&$0[number - 1]) } }

  // MARK: its reading

  /// The second is since the epoch, now; nil in a forked child, which knows of no connection.
  func reading(at second: Int64?) -> SeatReading {
    let known = second.map { (known: book.current[number - 1], second: $0) }
    return SeatReading(
      number: number, address: address, state: known.map { $0.known.state(at: $0.second) } ?? .down,
      refusesWrites: known?.known.refusesWrites ?? false, vouchesFrom: known?.known.handshake?.from,
      clockOffsetSeconds: known?.known.clockOffsetSeconds,
      timeline: known?.known.handshake?.timeline,
      attendedSeconds: known.flatMap { $0.known.attendedSeconds(at: $0.second) },
      batches: known?.known.batches ?? BatchReading(), births: births.load(ordering: .relaxed),
      clockSetBacks: clockSetBacks.load(ordering: .relaxed),
      reconnects: reconnects.load(ordering: .relaxed),
      replies: Dictionary(
        uniqueKeysWithValues: SeatReplyKind.allCases.map { ($0, replies[$0.index].load(ordering: .relaxed)) }),
      database: known?.known.database)
  }
}

extension SeatReplyKind {
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
