import Synchronization
internal import SystemCalls

/// The thread that accepts: it lets peers in or not, hands connections to workers in turn as soon as something comes, and
/// ends those that take too long. At the end it empties the backlogs, so that nobody who was connected is left behind.
final class Acceptor: @unchecked Sendable {
  // All but the atomics, `readiness` and `drain` is used by the thread alone.
  private let options: HTTPServerOptions
  private let counters: HTTPCounters
  private let workers: [(library: LibraryWorker, events: RequestEvents)]
  private let readiness: Readiness
  private var listeners: [ListeningSocket]
  /// Connections that have sent nothing yet. They cost a descriptor and some bytes here, and a page in the library.
  private var silent: [Int32: (peer: HTTPPeer, since: UInt64)] = [:]
  private var ready: [Int32] = []
  private var isPaused = false
  /// Whether a worker has to be woken now and then.
  private var isCrowded = false
  private var nextWorker = 0
  private var lastSweep: UInt64 = 0
  private var lastAccept: UInt64 = 0
  /// Until when to drain, in ``MonotonicTime``; 0 while serving.
  private let drainEnd = Atomic<UInt64>(0)

  init(
    options: HTTPServerOptions, counters: HTTPCounters, listeners: [ListeningSocket],
    workers: [(library: LibraryWorker, events: RequestEvents)], readiness: Readiness
  ) throws(SystemFailure) {
    (self.options, self.counters, self.workers) = (options, counters, workers)
    (self.listeners, self.readiness) = (listeners, readiness)
    for listener in listeners { try readiness.add(listener.descriptor) }
  }

  /// How often overdue connections are looked for, how long accepting pauses, how often workers of many connections are
  /// woken, and how often a drain looks around.
  private enum Tick {
    static let sweep: Int32 = 250
    static let pause: Int32 = 50
    static let crowd: Int32 = 5
    static let drain: Int32 = 10
  }

  /// How long a backlog must have been empty to be taken for quiet, and how long a connection that has asked nothing yet
  /// may still begin to during a drain.
  private enum Grace {
    static let quiet: UInt64 = 100_000_000
    static let fresh: UInt64 = 1_000_000_000
  }

  /// Connections accepted from one listener before the others have their turn.
  private static let acceptsPerTurn = 64

  /// Asks the thread to end, at the latest at `end`; from any thread.
  func drain(until end: UInt64) {
    drainEnd.store(max(end, 1), ordering: .sequentiallyConsistent)
    readiness.wake()
  }

  // MARK: the thread

  /// Serves until ``drain(until:)``, and then until all connections are gone or time is up.
  func run() {
    while drainEnd.load(ordering: .sequentiallyConsistent) == 0 {
      takeTurn(
        milliseconds: isCrowded
          ? Tick.crowd : isPaused ? Tick.pause : counters.openConnections.value > 0 ? Tick.sweep : nil)
    }
    let end = drainEnd.load(ordering: .sequentiallyConsistent)
    emptyBacklogs(until: end)
    finishRequests(until: end)
    for descriptor in Array(silent.keys) { endSilent(descriptor) }
  }

  private func takeTurn(milliseconds: Int32?) {
    readiness.wait(milliseconds: milliseconds, ready: &ready)
    for descriptor in ready {
      if let (peer, _) = silent[descriptor] { speaks(descriptor, peer) }
    }
    acceptAll()
    sweep()
    isCrowded = workers.reduce(false) { $1.library.wakeIfCrowded() || $0 }
  }

  private func acceptAll() {
    let wasPaused = isPaused
    if isPaused { resume() }
    for listener in listeners where wasPaused || ready.contains(listener.descriptor) {
      for _ in 0..<Self.acceptsPerTurn {
        if isPaused { return }
        if counters.openConnections.value >= options.connectionLimit { return pause() }
        guard acceptOne(listener) else { break }
      }
    }
  }

  /// Whether there may be more.
  private func acceptOne(_ listener: ListeningSocket) -> Bool {
    switch Sockets.accept(listener.descriptor) {
    case .connection(let descriptor):
      lastAccept = MonotonicTime.now
      admit(descriptor, isLocal: listener.isLocal)
      return true
    case .gone: return true
    case .nobody: return false
    case .exhausted:
      pause()
      return false
    }
  }

  private func admit(_ descriptor: Int32, isLocal: Bool) {
    guard isLocal else { return welcome(descriptor, .tcp) }
    guard let peer = Sockets.peer(of: descriptor), case .process(let uid, let gid, _) = peer,
      options.admission.admits(
        user: uid, group: gid, supplementaryGroups: { Sockets.supplementaryGroups(of: descriptor) })
    else {
      counters.refusedPeers.count()
      return Sockets.close(descriptor, saying: Self.refusedPeer)
    }
    welcome(descriptor, peer)
  }

  /// What a refused peer reads, if it reads before it writes.
  private static let refusedPeer: StaticString = """
    HTTP/1.1 403 Forbidden\r
    Content-Type: application/json\r
    Content-Length: 71\r
    Connection: close\r
    \r
    {"error":"peer","detail":"expected a user or group that may ask here"}

    """

  /// Hands over whoever speaks already, and waits for the others.
  private func welcome(_ descriptor: Int32, _ peer: HTTPPeer) {
    guard peer != .tcp || counters.openOverTCP.value < HTTPLimits.tcpConnections else {
      counters.refusedPeers.count()
      return Sockets.close(descriptor)
    }
    counters.accepted.count()
    counters.openConnections.count()
    if peer == .tcp { counters.openOverTCP.count() }
    guard Sockets.look(descriptor) == .nothing else { return handOver(descriptor, of: peer) }
    // No memory to wait with: the library may have some.
    do { try readiness.add(descriptor) } catch { return handOver(descriptor, of: peer) }
    silent[descriptor] = (peer, lastAccept)
  }

  private func speaks(_ descriptor: Int32, _ peer: HTTPPeer) {
    if Sockets.look(descriptor) == .end { return endSilent(descriptor) }
    readiness.remove(descriptor)
    silent[descriptor] = nil
    handOver(descriptor, of: peer)
  }

  private func endSilent(_ descriptor: Int32) {
    if silent.removeValue(forKey: descriptor)?.peer == .tcp {
      _ = counters.openOverTCP.wrappingSubtract(1, ordering: .relaxed)
    }
    // This takes it out of the epoll too: nobody else has it.
    Sockets.close(descriptor)
    _ = counters.openConnections.wrappingSubtract(1, ordering: .relaxed)
  }

  private func handOver(_ descriptor: Int32, of peer: HTTPPeer) {
    workers[nextWorker].library.serve(descriptor, of: peer)
    nextWorker = (nextWorker + 1) % workers.count
  }

  // MARK: pauses

  /// Stops listening to listeners: they stay ready, and waiting for them would return at once, for ever.
  private func pause() {
    isPaused = true
    counters.acceptPauses.count()
    for listener in listeners { readiness.remove(listener.descriptor) }
  }

  /// Tries again, if there is room; the next failure pauses again.
  private func resume() {
    guard counters.openConnections.value < options.connectionLimit else { return }
    for listener in listeners {
      // No memory for it: the next tick tries again.
      do { try readiness.add(listener.descriptor) } catch { return }
    }
    isPaused = false
  }

  // MARK: deadlines

  private func sweep() {
    let now = MonotonicTime.now
    guard now &- lastSweep >= UInt64(Tick.sweep) * 1_000_000 else { return }
    lastSweep = now
    endSilent(at: now, after: options.idleLimit.nanoseconds)
    for worker in workers {
      let ended = worker.events.connections.endOverdue(
        at: now, deadline: options.requestDeadline.nanoseconds, idleLimit: options.idleLimit.nanoseconds)
      _ = counters.deadlineKills.wrappingAdd(ended, ordering: .relaxed)
    }
  }

  private func endSilent(at now: UInt64, after limit: UInt64) {
    for (descriptor, (_, since)) in silent where now > since && now - since > limit { endSilent(descriptor) }
  }

  // MARK: the end

  private func emptyBacklogs(until end: UInt64) {
    for listener in listeners { listener.removeName() }
    // What somebody else serves after us, and a TCP listener that only says how we are, is left as it is.
    for listener in listeners where listener.isShared || !listener.isLocal { readiness.remove(listener.descriptor) }
    listeners.removeAll { $0.isShared || !$0.isLocal }
    lastAccept = MonotonicTime.now
    while !listeners.isEmpty, MonotonicTime.now < min(end, lastAccept &+ Grace.quiet) {
      takeTurn(milliseconds: Tick.drain)
    }
    for listener in listeners { readiness.remove(listener.descriptor) }
    listeners = []
  }

  private func finishRequests(until end: UInt64) {
    while counters.openConnections.value > 0, MonotonicTime.now < end {
      let now = MonotonicTime.now
      endSilent(at: now, after: Grace.fresh)
      for worker in workers { worker.events.connections.endIdle() }
      takeTurn(milliseconds: Tick.drain)
    }
  }
}
