internal import MediaTokenSystem

/// The knowledge of all nodes of a fleet, in order and in one place: this is how two that are one process are found.
typealias NodeBook = Monitor<[NodeKnown]>

extension NodeBook {
  convenience init(nodes count: Int) { self.init(Array(repeating: NodeKnown(), count: count)) }
}

struct NodeKnown: Sendable {
  private(set) var handshake: HandshakeResult?
  private(set) var refusal: NodeRefusal?
  private(set) var connections = 0
  private var isLost = false
  /// Its last words to a host that was not let in, and was not refused either.
  private var said: StoreWords?
  /// True if the name service had no address for it when it was asked last.
  private(set) var isNameless = false
  var news = NodeNewsQueue()
  /// The latest second of a database's clock in which a host had maintained it when we came; nil until we have maintained this epoch.
  var seen: Int64?
  var batches = BatchReading()
  /// Nil until it was connected to, and for nodes that are no database.
  private(set) var database: DatabaseIdentity?

  /// True if a thread has a connection to it.
  var isUsable: Bool { connections > 0 && refusal == nil }

  /// True if it has refused a write, and taken none since.
  var refusesWrites: Bool { if case .takesNoWrites = refusal { true } else { false } }

  /// As it was seen last.
  var clockOffsetSeconds: Int64? {
    if case .clock(let offset) = refusal { return offset }
    return handshake?.clockOffsetSeconds
  }

  /// The time in which no host has maintained a database, as far as that is known at this second since the epoch.
  func maintainedSeconds(at second: Int64) -> Int64? {
    seen.map { max(0, second + (clockOffsetSeconds ?? 0) - $0) }
  }

  func state(at second: Int64) -> NodeState {
    if let refusal { return refusal.state(isKnown: handshake != nil) }
    guard connections > 0, let handshake else { return .down }
    return second < handshake.from ? .warming : .voting
  }

  /// The reason why it can't be asked; nil if it can be.
  var trouble: String? {
    if isUsable { return nil }
    if let refusal { return refusal.description }
    return isNameless
      ? NodeError.nameless.description : said.map { "it answers with an error: \($0)" } ?? "it does not answer"
  }

  // MARK: what happens to it

  mutating func open(_ handshake: HandshakeResult) {
    connections += 1
    if isLost || refusal != nil { news.add(.back) }
    (isLost, refusal, said) = (false, nil, nil)
    learn(handshake)
  }

  mutating func close() {
    connections -= 1
    if connections == 0, refusal == nil {
      isLost = true
      news.add(.lost)
    }
  }

  mutating func named(_ isNamed: Bool) {
    if !isNamed, !isNameless { news.add(.nameless) }
    isNameless = !isNamed
  }

  mutating func identify(_ database: DatabaseIdentity) {
    if self.database != database { news.add(.identified(database)) }
    self.database = database
  }

  mutating func learn(_ handshake: HandshakeResult) {
    // Another host may have given it the epoch: the new floor is what matters.
    if handshake.isStarted || self.handshake.map({ $0.from != handshake.from }) ?? false {
      news.add(.started(from: handshake.from))
      seen = nil
    }
    if let seconds = handshake.secondsSetBack { news.add(.clockSetBack(seconds: seconds)) }
    self.handshake = handshake
  }

  mutating func fail(saying words: StoreWords?) { said = words }

  mutating func refuse(_ refusal: NodeRefusal) {
    if self.refusal != refusal { news.add(.refused(refusal.description)) }
    self.refusal = refusal
  }
}

/// The events of a node that are not logged yet: the latest of each kind, taken out one per second.
struct NodeNewsQueue: Sendable {
  private var events: [NodeEvent] = []
  private var nextTime: UInt64 = 0

  /// It takes the place of an earlier one of its kind.
  mutating func add(_ event: NodeEvent) {
    events.removeAll { $0.kind == event.kind }
    events.append(event)
  }

  /// The earliest event, if the last one was taken a second ago.
  mutating func take(at time: UInt64) -> NodeEvent? {
    guard time >= nextTime, !events.isEmpty else { return nil }
    nextTime = time &+ 1_000_000_000
    return events.removeFirst()
  }
}

extension NodeEvent {
  fileprivate var kind: Int {
    switch self {
    case .lost: 0
    case .back: 1
    case .started: 2
    case .refused: 3
    case .nameless: 4
    case .clockSetBack: 5
    case .identified: 6
    }
  }
}
