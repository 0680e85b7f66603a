internal import MediaTokenSystem
internal import Synchronization

/// What a worker's thread does: it waits, reads what came, has whole requests answered, and writes the answers. A turn:
///
/// 1. Wait until something is ready, or the next deadline (`Deadlines`).
/// 2. Take new connections and orders from the inbox.
/// 3. Read each connection that is ready, and have one short request of it answered (`WorkerLoop+Reading`).
/// 4. Go on for a quarter of a millisecond with what waits: the other requests, and long ones (`WorkerLoop+Waiting`).
/// 5. Tell the handler that the turn ends, with the descriptors of its own that are ready (`WorkerLoop+Later`).
/// 6. Write the answers, in small groups (`WorkerLoop+Answering`).
/// 7. End what takes too long, or too much memory (`Room`).
package struct WorkerLoop: ~Copyable {
  let worker: Worker
  let handler: any RequestHandler
  let options: ServerOptions
  /// The connections by their place; a free one is empty.
  var slots: [Connection?] = []
  var deadlines: Deadlines
  /// Connections whose requests wait for their turn, by token, the first to wait first.
  var held: [UInt64] = []
  var room = Room()
  /// What was received last, and the request that is read out of it.
  let received = ReceiveBuffer(byteCount: HTTPLimits.readBytes)
  var incoming = IncomingRequest()
  var response = Response()
  /// Answers that are to be written together.
  var output: [UInt8] = []
  var answers: [WrittenAnswer] = []
  /// When this turn began, in ``MonotonicTime``.
  var now = MonotonicTime.now

  private var freeSlots: [Int] = []
  private var lastNumber: UInt32 = 0
  private var drainStart: UInt64?
  private var end: UInt64?

  init(_ worker: Worker, _ handler: any RequestHandler) {
    (self.worker, self.handler, options) = (worker, handler, worker.options)
    let request = options.requestDeadline.nanoseconds
    deadlines = Deadlines(silence: options.idleLimit.nanoseconds, request: request, end: request)
    output.reserveCapacity(HTTPLimits.keptBytes)
  }

  /// Serves until the worker is stopped.
  ///
  /// - Returns: how many connections had to be cut.
  mutating func run() -> Int {
    var events: [Poller.Event] = []
    // The first turn comes at once: the handler may have something to watch.
    var handlerDeadline: UInt64? = now
    while true {
      let isWoken = worker.poller.wait(milliseconds: patience(handlerDeadline), &events)
      now = MonotonicTime.now
      if isWoken { takeOrders() }
      handlerDeadline = takeTurn(events)
      if drainStart != nil { refuseFresh(after: Self.freshGrace) }
      if let end, connectionCount == 0 || now >= end { break }
    }
    let left = connectionCount
    for case let connection? in slots { close(connection) }
    return left
  }

  /// For how long nothing has to be done, in whole milliseconds, rounded up; nil: until something happens.
  private func patience(_ handlerDeadline: UInt64?) -> Int32? {
    if !held.isEmpty { return 0 }
    var next = min(deadlines.next ?? .max, handlerDeadline ?? .max)
    if drainStart != nil { next = min(now &+ Self.drainTick, next) }
    return next == .max ? nil : Int32(clamping: (max(next, now) - now + 999_999) / 1_000_000)
  }

  /// - Returns: when the handler wants to be called again.
  private mutating func takeTurn(_ events: [Poller.Event]) -> UInt64? {
    var ready: [ReadyDescriptor] = []
    for event in events {
      if let connection = connection(event.token) {
        handle(event, connection)
      } else if let descriptor = ReadyDescriptor(event) {
        ready.append(descriptor)
      }
    }
    takeHeld()
    let deadline = handler.endTurn(ready, &self)
    writeAnswers()
    while let (slot, kind) = deadlines.overdue(at: now) { endOverdue(slot, kind) }
    manageRoom()
    return deadline
  }

  private mutating func handle(_ event: Poller.Event, _ connection: Connection) {
    if event.isWritable { writeUnsent(of: connection) }
    guard event.isReadable || event.isOver, !connection.isClosed else { return }
    if connection.life == .lingering { return throwAway(from: connection) }
    guard connection.takesRequests else {
      // Over in both directions: its answer would not arrive. Otherwise what comes waits until it is answered.
      return event.isOver ? close(connection) : watch(connection)
    }
    if !connection.isHeld {
      read(connection)
    } else if event.isOver {
      // As above: the answer would not arrive. If it is not over, what is there already comes first.
      close(connection)
    }
  }

  // MARK: connections

  /// The connection with this token, if it is still there.
  func connection(_ token: UInt64) -> Connection? {
    let slot = Connection.slot(ofToken: token)
    guard slot < slots.count, let connection = slots[slot], connection.token == token else { return nil }
    return connection
  }

  private var connectionCount: Int { slots.count - freeSlots.count }

  private mutating func takeOrders() {
    let orders = worker.openInbox()
    end = orders.end
    for arrival in orders.arrivals { open(arrival.descriptor, arrival.peer) }
    if drainStart == nil, worker.isDraining.load(ordering: .relaxed) { beginDraining() }
  }

  private mutating func open(_ descriptor: Int32, _ peer: Peer) {
    let slot = freeSlots.popLast() ?? slots.count
    if slot == slots.count { slots.append(nil) }
    lastNumber = (lastNumber &+ 1) & Connection.largestNumber
    let connection = Connection(descriptor, peer, slot: slot, number: lastNumber)
    slots[slot] = connection
    deadlines.begin(.silence, slot, at: now)
    do throws(SystemError) {
      try worker.poller.add(descriptor, .reading, as: connection.token)
    } catch {
      close(connection)
    }
  }

  /// Ends a connection at once. Its place may be another's from now on.
  mutating func close(_ connection: Connection) {
    guard !connection.isClosed else { return }
    connection.life = .closed
    Sockets.close(connection.descriptor)
    deadlines.stop(connection.slot)
    slots[connection.slot] = nil
    freeSlots.append(connection.slot)
    for status in connection.unsent?.statuses ?? [] where status != 0 { handler.answered(status, delivered: false) }
    connection.unsent = nil
    room.count(connection)
    worker.lost(connection.peer)
  }

  /// Waits for what the connection can use now: room to write, or the next bytes.
  mutating func watch(_ connection: Connection) {
    let interest: Poller.Interest
    switch connection.life {
    case .open, .answeringLast:
      interest = connection.unsent != nil ? .writing : connection.takesRequests ? .reading : []
    case .lingering: interest = .reading
    case .closed: return
    }
    guard interest != connection.interest else { return }
    connection.interest = interest
    do throws(SystemError) {
      try worker.poller.change(connection.descriptor, interest, as: connection.token)
    } catch {
      close(connection)
    }
  }

  /// Times what the connection waits for now, and counts what it keeps.
  mutating func settle(_ connection: Connection) {
    room.count(connection)
    guard connection.isOpen || connection.life == .answeringLast else { return }
    if connection.isIdle {
      deadlines.begin(.silence, connection.slot, at: now)
      // Its answer was made before the drain began, and read later.
      if drainStart != nil, connection.isOpen { Sockets.shutDownReading(connection.descriptor) }
    } else if deadlines.kind(connection.slot) != .request {
      deadlines.begin(.request, connection.slot, at: now)
    }
  }

  // MARK: ends

  /// How long a connection that has asked nothing yet may still begin to, and how often a drain looks around.
  private static let freshGrace: UInt64 = 1_000_000_000
  private static let drainTick: UInt64 = 10_000_000

  private mutating func endOverdue(_ slot: Int, _ kind: Deadlines.Kind) {
    guard let connection = slots[slot] else { return deadlines.stop(slot) }
    // Where the process was stopped, or a turn took long, a question may have come that is not read yet.
    if kind == .silence, Sockets.hasBytes(connection.descriptor) {
      return deadlines.begin(.silence, slot, at: now)
    }
    if kind == .request { worker.counters.deadlineKills.count() }
    close(connection)
  }

  /// Connections between two requests can send no other one. What came before is still read and answered; what comes
  /// later fails at the sender, who can ask elsewhere.
  private mutating func beginDraining() {
    drainStart = now
    for case let connection? in slots where !connection.isFresh && deadlines.kind(connection.slot) == .silence {
      Sockets.shutDownReading(connection.descriptor)
    }
  }

  /// Connections that have asked nothing for this long can't begin to. They are not closed: a request may have come and not been read
  /// yet, where there are many or a turn takes long.
  private mutating func refuseFresh(after grace: UInt64) {
    for case let connection? in slots where connection.isFresh && deadlines.age(connection.slot, at: now) > grace {
      connection.isFresh = false
      Sockets.shutDownReading(connection.descriptor)
    }
  }
}
