internal import MediaTokenSystem

/// What is known of all seats of a fleet, in one place: this is how two that are one process are found.
final class SeatBook: Sendable {
  private let seats: Monitor<[Known]>

  /// What is known of one seat.
  struct Known: Sendable {
    fileprivate(set) var greeting: SeatRecord.Greeting?
    fileprivate(set) var refusal: SeatRefusal?
    fileprivate var lanes = 0
    fileprivate var isLost = false
    /// Whether the name service had no address for it when it was asked last.
    fileprivate(set) var isNameless = false
    fileprivate var news = SeatNewsQueue()

    /// Whether a thread has a lane to it.
    var isUsable: Bool { lanes > 0 && refusal == nil }

    /// How far its clock was ahead of ours when that was seen last.
    var clockOffsetSeconds: Int64? {
      if case .clock(let offset) = refusal { return offset }
      return greeting?.clockOffsetSeconds
    }

    /// Its state at this second since the epoch.
    func state(at second: Int64) -> SeatState {
      if case .clock = refusal, greeting == nil { return .unborn }
      if refusal != nil { return .refused }
      guard lanes > 0, let greeting else { return .down }
      return second < greeting.from ? .young : .voting
    }
  }

  init(seats count: Int) { seats = Monitor(Array(repeating: Known(), count: count)) }

  /// All seats, in order.
  var all: [Known] { seats.current }

  func known(seat number: Int) -> Known { seats.current[number - 1] }

  func open(seat number: Int, _ greeting: SeatRecord.Greeting) -> SeatRefusal? {
    seats.change { seats in
      let twin = seats.indices.first { index in
        index != number - 1 && seats[index].lanes > 0 && seats[index].greeting?.process == greeting.process
      }
      if let twin {
        let refusal = SeatRefusal.sameProcess(asSeat: twin + 1)
        seats[number - 1].refuse(refusal)
        return refusal
      }
      seats[number - 1].open(greeting)
      return nil
    }
  }

  func close(seat number: Int) { seats.change { $0[number - 1].close() } }

  func learn(seat number: Int, _ greeting: SeatRecord.Greeting) {
    seats.change { $0[number - 1].learn(greeting) }
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
  fileprivate mutating func open(_ greeting: SeatRecord.Greeting) {
    lanes += 1
    if isLost || refusal != nil { news.add(.back) }
    (isLost, refusal) = (false, nil)
    learn(greeting)
  }

  fileprivate mutating func close() {
    lanes -= 1
    if lanes == 0, refusal == nil {
      isLost = true
      news.add(.lost)
    }
  }

  fileprivate mutating func named(_ isNamed: Bool) {
    if !isNamed, !isNameless { news.add(.nameless) }
    isNameless = !isNamed
  }

  fileprivate mutating func learn(_ greeting: SeatRecord.Greeting) {
    // Another host may have given it the tenure: the new floor is what matters.
    if greeting.isBorn || self.greeting.map({ $0.from != greeting.from }) ?? false {
      news.add(.born(from: greeting.from))
    }
    self.greeting = greeting
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
