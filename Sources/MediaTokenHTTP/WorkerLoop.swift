internal import MediaTokenSystem
internal import Synchronization

/// The work of a worker's thread: it waits, reads what came, has whole requests answered, and writes the answers. A turn:
///
/// 1. Wait until something is ready, or the next deadline (`Deadlines`).
/// 2. Take new connections and orders from the inbox.
/// 3. For a quarter of a millisecond serve the callers that are ready, one after the other (`Caller`), each for as long at most: read
///    a few of the caller's connections that are ready, and have one short request of each answered (`WorkerLoop+Reading`); then go
///    on with one whose requests wait, because they are many or long (`WorkerLoop+Waiting`).
/// 4. Tell the handler that the turn ends, with the descriptors of its own that are ready (`WorkerLoop+Later`).
/// 5. Write the answers, in small groups (`WorkerLoop+Answering`).
/// 6. End what takes too long, or too much memory.
package struct WorkerLoop: ~Copyable {
  let worker: Worker
  let handler: any RequestHandler
  let options: ServerOptions
  /// A free place is empty.
  var slots: [Connection?] = []
  var deadlines: Deadlines
  /// Of those that have begun a request, finds the one that has sent nothing for longest; its one kind is `silence`.
  var progress: Deadlines
  var callers = Callers()
  /// The bytes that were received last, and the request that is read out of them.
  let received = ReceiveBuffer(byteCount: HTTPLimits.readBytes)
  var incoming = IncomingRequest()
  var response = Response()
  var output: [UInt8] = []
  var answers: [WrittenAnswer] = []
  /// The beginning of this turn, in ``MonotonicTime``; and within it of the turn of the caller who is served.
  var now = MonotonicTime.now
  var turnStart = MonotonicTime.now

  /// The greatest number of connections, and of those over TCP.
  let connectionLimit: Int
  let tcpLimit: Int

  private var freeSlots: [Int] = []
  private var lastNumber: UInt32 = 0
  private var drainStart: UInt64?
  /// Each turn since then has ended before every caller that was ready was served.
  private var behindSince: UInt64?
  private var end: UInt64?

  init(_ worker: Worker, _ handler: any RequestHandler) {
    (self.worker, self.handler, options) = (worker, handler, worker.options)
    connectionLimit = max(1, options.connectionLimit / max(1, options.workers))
    tcpLimit = max(1, HTTPLimits.tcpConnections / max(1, options.workers))
    let request = options.requestDeadline.nanoseconds
    deadlines = Deadlines(silence: options.idleLimit.nanoseconds, request: request, end: request)
    progress = Deadlines(silence: options.progressLimit.nanoseconds, request: 0, end: 0)
    output.reserveCapacity(HTTPLimits.keptBytes)
  }

  /// Serves until the worker is stopped. Returns the number of connections that had to be cut.
  mutating func run() -> Int {
    var events: [Poller.Event] = []
    // The first turn comes at once: the handler may have something to watch.
    var handlerDeadline: UInt64? = now
    while true {
      let isWoken = worker.poller.wait(milliseconds: timeout(handlerDeadline), &events)
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

  /// The time in which nothing has to be done, in whole milliseconds, rounded up; nil: until something happens.
  private func timeout(_ handlerDeadline: UInt64?) -> Int32? {
    if callers.isAnyReady { return 0 }
    var next = min(deadlines.next ?? .max, progress.next ?? .max, handlerDeadline ?? .max)
    if drainStart != nil { next = min(now &+ Self.drainTick, next) }
    return next == .max ? nil : Int32(clamping: (max(next, now) - now + 999_999) / 1_000_000)
  }

  /// Returns the time when the handler wants to be called again.
  private mutating func takeTurn(_ events: [Poller.Event]) -> UInt64? {
    var ready: [UInt32] = []
    for event in events {
      if event.token & Self.descriptorMark != 0 {
        ready.append(UInt32(truncatingIfNeeded: event.token))
      } else {
        callers.makeReady(event.token)
      }
    }
    turnStart = now
    repeat {
      guard let caller = callers.takeReady() else { break }
      serve(caller)
      let end = MonotonicTime.now
      caller.tookLong = end &- turnStart > options.turnNanoseconds
      turnStart = end
    } while turnStart &- now <= options.turnNanoseconds
    let deadline = handler.endTurn(ready, &self)
    writeAnswers()
    endLate()
    if !callers.isAnyReady {
      crowdOutExcess(isTCP: false, silentToo: false)
      crowdOutExcess(isTCP: true, silentToo: false)
    }
    while let caller = callers.tooMuchKeeper, let connection = oldestKeeper(of: caller) { crowdOut(connection) }
    return deadline
  }

  /// Ends what takes too long, but not while something that came may be unread: after a pause of the process, it came in time.
  private mutating func endLate() {
    guard callers.isAnyReady else {
      behindSince = nil
      return endOverdue()
    }
    let since = behindSince ?? now
    behindSince = since
    if now &- since > HTTPLimits.behindNanoseconds { endOverdue() }
  }

  private mutating func endOverdue() {
    while let (slot, kind) = deadlines.overdue(at: now) { endOverdue(slot, kind) }
    while let (slot, _) = progress.overdue(at: now) { endStalled(slot) }
  }

  // MARK: connections

  func connection(_ token: UInt64) -> Connection? {
    let slot = Connection.slot(ofToken: token)
    guard slot < slots.count, let connection = slots[slot], connection.token == token else { return nil }
    return connection
  }

  private var connectionCount: Int { slots.count - freeSlots.count }

  private mutating func takeOrders() {
    let orders = worker.openInbox()
    end = orders.end
    if orders.isCrowded { for _ in 0..<HTTPLimits.acceptsPerTurn { crowdOutOne(isTCP: false) } }
    for arrival in orders.arrivals { open(arrival.descriptor, arrival.peer) }
    if drainStart == nil, worker.isDraining.load(ordering: .relaxed) { beginDraining() }
  }

  private mutating func open(_ descriptor: Int32, _ peer: Peer) {
    let caller: Caller
    do throws(SystemError) {
      caller = try callers.find(Caller.Name(of: peer), worker.poller)
    } catch {
      Sockets.close(descriptor)
      return worker.lost(peer)
    }
    let slot = freeSlots.popLast() ?? slots.count
    if slot == slots.count { slots.append(nil) }
    lastNumber = (lastNumber &+ 1) & Connection.largestNumber
    let connection = Connection(descriptor, peer, caller, slot: slot, number: lastNumber)
    slots[slot] = connection
    callers.opened(caller)
    deadlines.begin(.silence, slot, at: now)
    do throws(SystemError) {
      try caller.poller.add(descriptor, .reading, as: connection.token)
    } catch {
      return close(connection)
    }
    crowdOutExcess(isTCP: peer.isTCP, for: connection)
  }

  /// The connection's place may be another's from now on.
  mutating func close(_ connection: Connection) {
    guard !connection.isClosed else { return }
    connection.life = .closed
    Sockets.close(connection.descriptor)
    deadlines.stop(connection.slot)
    progress.stop(connection.slot)
    slots[connection.slot] = nil
    freeSlots.append(connection.slot)
    for status in connection.unsent?.statuses ?? [] where status != 0 { handler.answered(status, delivered: false) }
    connection.unsent = nil
    if let waiting = connection.waiting.take() { handler.left(ticket(connection, waiting.number)) }
    callers.closed(connection)
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
      try connection.caller.poller.change(connection.descriptor, interest, as: connection.token)
    } catch {
      close(connection)
    }
  }

  /// Times what the connection waits for now, and counts what it keeps.
  mutating func settle(_ connection: Connection) {
    callers.countKept(of: connection)
    if connection.isArriving {
      progress.begin(.silence, connection.slot, at: now)
    } else {
      progress.stop(connection.slot)
    }
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

  /// The time in which a connection that has asked nothing yet may still begin to, and between a drain's looks.
  private static let freshGrace: UInt64 = 1_000_000_000
  private static let drainTick: UInt64 = 10_000_000

  private mutating func endOverdue(_ slot: Int, _ kind: Deadlines.Deadline) {
    guard let connection = slots[slot] else { return deadlines.stop(slot) }
    // Where the process was stopped, or a turn took long, a question may have come that is not read yet.
    if kind == .silence, Sockets.hasBytes(connection.descriptor) {
      return deadlines.begin(.silence, slot, at: now)
    }
    if kind == .request { worker.counters.deadlineKills.count() }
    close(connection)
  }

  /// Its client has begun a request and sends no more of it.
  private mutating func endStalled(_ slot: Int) {
    guard let connection = slots[slot], !Sockets.hasBytes(connection.descriptor) else {
      return progress.begin(.silence, slot, at: now)
    }
    worker.counters.deadlineKills.count()
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
