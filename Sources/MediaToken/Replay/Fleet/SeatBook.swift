internal import MediaTokenSystem

/// What is known of all seats of a fleet, in one place: this is how two that are one process are found.
final class SeatBook: Sendable {
  private let seats: Monitor<[Known]>

  /// What is known of one seat.
  struct Known: Sendable {
    fileprivate(set) var handshake: HandshakeResult?
    fileprivate(set) var refusal: SeatRefusal?
    fileprivate var connections = 0
    fileprivate var isLost = false
    /// Whether the name service had no address for it when it was asked last.
    fileprivate(set) var isNameless = false
    fileprivate var news = SeatNewsQueue()
    /// The latest second of a database's clock in which a host had attended it when we came; nil until we have attended this epoch.
    fileprivate(set) var seen: Int64?
    fileprivate(set) var batches = BatchReading()

    /// Whether a thread has a connection to it.
    var isUsable: Bool { connections > 0 && refusal == nil }

    /// How far its clock was ahead of ours when that was seen last.
    var clockOffsetSeconds: Int64? {
      if case .clock(let offset) = refusal { return offset }
      return handshake?.clockOffsetSeconds
    }

    /// For how long no host has attended a database, as far as that is known at this second since the epoch.
    func attendedSeconds(at second: Int64) -> Int64? {
      seen.map { max(0, second + (clockOffsetSeconds ?? 0) - $0) }
    }

    /// Its state at this second since the epoch.
    func state(at second: Int64) -> SeatState {
      if case .clock = refusal, handshake == nil { return .unborn }
      if refusal != nil { return .refused }
      guard connections > 0, let handshake else { return .down }
      return second < handshake.from ? .young : .voting
    }
  }

  init(seats count: Int) { seats = Monitor(Array(repeating: Known(), count: count)) }

  /// All seats, in order.
  var all: [Known] { seats.current }

  func known(seat number: Int) -> Known { seats.current[number - 1] }

  func open(seat number: Int, _ handshake: HandshakeResult) -> SeatRefusal? {
    seats.change { seats in
      let twin = seats.indices.first { index in
        index != number - 1 && seats[index].connections > 0 && seats[index].handshake?.process == handshake.process
      }
      if let twin {
        let refusal = SeatRefusal.sameProcess(asSeat: twin + 1)
        seats[number - 1].refuse(refusal)
        return refusal
      }
      seats[number - 1].open(handshake)
      return nil
    }
  }

  func close(seat number: Int) { seats.change { $0[number - 1].close() } }

  func learn(seat number: Int, _ handshake: HandshakeResult) {
    seats.change { $0[number - 1].learn(handshake) }
  }

  func attended(seat number: Int, at second: Int64) { seats.change { $0[number - 1].seen = second } }

  func countBatch(seat number: Int, _ result: ClaimBatchResult, claims: Int) {
    seats.change { $0[number - 1].batches.count(result, claims: claims) }
  }

  func refuse(seat number: Int, _ refusal: SeatRefusal) { seats.change { $0[number - 1].refuse(refusal) } }

  func named(seat number: Int, _ isNamed: Bool) { seats.change { $0[number - 1].named(isNamed) } }

  /// The events to be logged now: one per second for each seat.
  ///
  /// - Parameter time: in ``MonotonicTime``.
  func takeNews(at time: UInt64) -> [(seat: Int, event: SeatEvent)] {
    seats.change { seats in
      seats.indices.compactMap { index in
        seats[index].news.take(at: time).map { (seat: index + 1, event: $0) }
      }
    }
  }
}

extension SeatBook.Known {
  fileprivate mutating func open(_ handshake: HandshakeResult) {
    connections += 1
    if isLost || refusal != nil { news.add(.back) }
    (isLost, refusal) = (false, nil)
    learn(handshake)
  }

  fileprivate mutating func close() {
    connections -= 1
    if connections == 0, refusal == nil {
      isLost = true
      news.add(.lost)
    }
  }

  fileprivate mutating func named(_ isNamed: Bool) {
    if !isNamed, !isNameless { news.add(.nameless) }
    isNameless = !isNamed
  }

  fileprivate mutating func learn(_ handshake: HandshakeResult) {
    // Another host may have given it the epoch: the new floor is what matters.
    if handshake.isBorn || self.handshake.map({ $0.from != handshake.from }) ?? false {
      news.add(.born(from: handshake.from))
      seen = nil
    }
    self.handshake = handshake
  }

  fileprivate mutating func refuse(_ refusal: SeatRefusal) {
    if self.refusal != refusal { news.add(.refused(refusal.description)) }
    self.refusal = refusal
  }
}

/// The events of a seat that are not logged yet: the latest of each kind, taken out one per second.
struct SeatNewsQueue: Sendable {
  private var events: [SeatEvent] = []
  private var nextTime: UInt64 = 0

  /// Puts an event in, in place of an earlier one of its kind.
  mutating func add(_ event: SeatEvent) {
    events.removeAll { $0.kind == event.kind }
    events.append(event)
  }

  /// The earliest event, if the last one was taken a second ago.
  mutating func take(at time: UInt64) -> SeatEvent? {
    guard time >= nextTime, !events.isEmpty else { return nil }
    nextTime = time &+ 1_000_000_000
    return events.removeFirst()
  }
}

extension SeatEvent {
  fileprivate var kind: Int {
    switch self {
    case .lost: 0
    case .back: 1
    case .born: 2
    case .refused: 3
    case .nameless: 4
    }
  }
}
