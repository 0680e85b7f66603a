internal import MediaTokenSystem
import Synchronization

/// The thread that accepts: it asks the kernel who the peer is, lets it in or not, and deals each connection to the worker
/// that has the fewest. At the end it empties the backlogs, so that no client that was connected is left.
///
/// The fewest, and not one after another, because connections are kept, and end at any time. Dealt in turn, the busy ones
/// can gather on one worker and stay there; by number none ever has two more than another gets.
final class Listener: @unchecked Sendable {
  // All but the atomics, `poller` and `drain` is used by the thread alone.
  private let options: ServerOptions
  private let counters: ServerCounters
  private let workers: [Worker]
  private let spare: Worker?
  private let poller: Poller
  private var sockets: [ListeningSocket]
  private var ready: [Poller.Event] = []
  private var isPaused = false
  /// The worker at which the search for the fewest begins, so that equal ones have their turn.
  private var nextWorker = 0
  private var lastAccept: UInt64 = 0
  /// True if a worker may not have taken yet what was dealt to it; and the time when that was looked at last.
  private var isAwaitingWorkers = false
  private var lastLook: UInt64 = 0
  /// The end of draining, in ``MonotonicTime``; 0 while serving.
  private let drainEnd = Atomic<UInt64>(0)

  init(
    options: ServerOptions, counters: ServerCounters, sockets: [ListeningSocket], workers: [Worker], spare: Worker?,
    poller: Poller
  ) throws(SystemError) {
    (self.options, self.counters, self.workers, self.spare) = (options, counters, workers, spare)
    (self.sockets, self.poller) = (sockets, poller)
    for socket in sockets { try poller.add(socket.descriptor, .reading, as: Self.token(socket)) }
  }

  /// The pause of accepting, the time between two looks at workers that have not taken what was dealt to them, the time
  /// between a drain's looks, and the time after which an empty backlog is taken for quiet.
  private enum Tick {
    static let pause: Int32 = 50
    static let look: Int32 = 100
    static let drain: Int32 = 10
    static let quietNanoseconds: UInt64 = 100_000_000
  }

  /// From any thread.
  func drain(until end: UInt64) {
    drainEnd.store(max(end, 1), ordering: .sequentiallyConsistent)
    poller.wake()
  }

  /// Serves until ``drain(until:)``, and then until the backlogs are quiet or time is up.
  func run() {
    while drainEnd.load(ordering: .sequentiallyConsistent) == 0 {
      takeTurn(isPaused ? Tick.pause : isAwaitingWorkers ? Tick.look : nil)
    }
    emptyBacklogs(until: drainEnd.load(ordering: .sequentiallyConsistent))
  }

  private static func token(_ socket: ListeningSocket) -> UInt64 { UInt64(UInt32(socket.descriptor)) }

  private func takeTurn(_ milliseconds: Int32?) {
    _ = poller.wait(milliseconds: milliseconds, &ready)
    lookAtWorkers()
    let wasPaused = isPaused
    if isPaused { resume() }
    for socket in sockets where wasPaused || ready.contains(where: { $0.token == Self.token(socket) }) {
      for _ in 0..<HTTPLimits.acceptsPerTurn {
        if isPaused { return }
        guard acceptOne(socket) else { break }
      }
    }
  }

  private func acceptOne(_ socket: ListeningSocket) -> Bool {
    switch Sockets.accept(socket.descriptor) {
    case .connection(let descriptor):
      lastAccept = MonotonicTime.now
      admit(descriptor, isLocal: socket.isLocal)
      return true
    case .gone: return true
    case .none: return false
    case .exhausted:
      // Waiting connections take the place of what the caller has who has most, one after the other.
      workers.max { $0.load.value < $1.load.value }?.makePlace()
      pause()
      return false
    }
  }

  private func admit(_ descriptor: Int32, isLocal: Bool) {
    guard isLocal else { return welcome(descriptor, .tcp) }
    guard let peer = Sockets.peer(of: descriptor) else { return Sockets.close(descriptor) }
    let isNamed = options.namedUsers.contains(peer.uid)
    welcome(descriptor, .process(uid: peer.uid, gid: peer.gid, pid: peer.pid, isNamed: isNamed))
  }

  private func welcome(_ descriptor: Int32, _ peer: Peer) {
    counters.accepted.count()
    counters.openConnections.count()
    if peer.isTCP { counters.openOverTCP.count() }
    deal(descriptor, peer)
  }

  private func deal(_ descriptor: Int32, _ peer: Peer) {
    if peer.isTCP, options.spareTakesTCP, let spare { return spare.serve(descriptor, of: peer) }
    var (chosen, fewest) = (nextWorker, Int.max)
    for offset in workers.indices {
      let index = (nextWorker + offset) % workers.count
      guard !workers[index].isStuck.load(ordering: .relaxed) else { continue }
      let load = workers[index].load.value
      if load < fewest { (chosen, fewest) = (index, load) }
    }
    if fewest == .max, let spare { return spare.serve(descriptor, of: peer) }
    nextWorker = (chosen + 1) % workers.count
    workers[chosen].serve(descriptor, of: peer)
    isAwaitingWorkers = true
  }

  /// Deals again what workers have not taken for a second: a thread that has touched a file on a disk that is frozen goes on
  /// when the disk does.
  private func lookAtWorkers() {
    guard isAwaitingWorkers, MonotonicTime.now &- lastLook >= UInt64(Tick.look) * 1_000_000 else { return }
    lastLook = MonotonicTime.now
    let looks = workers.map { $0.look() }
    isAwaitingWorkers = looks.contains { $0.hasArrivals }
    for (descriptor, peer) in looks.flatMap(\.takenBack) { deal(descriptor, peer) }
  }

  // MARK: pauses

  /// Ready sockets stay ready, so every wait for them would return at once.
  private func pause() {
    isPaused = true
    counters.acceptPauses.count()
    for socket in sockets { poller.remove(socket.descriptor) }
  }

  /// The next failure pauses again.
  private func resume() {
    for socket in sockets {
      do throws(SystemError) {
        try poller.add(socket.descriptor, .reading, as: Self.token(socket))
      } catch {
        // Without memory for it, the next tick tries again, with all of them.
        for socket in sockets { poller.remove(socket.descriptor) }
        return
      }
    }
    isPaused = false
  }

  // MARK: the end

  private func emptyBacklogs(until end: UInt64) {
    for socket in sockets { socket.removeName() }
    // Left alone: a listener that another process serves after us, and a TCP listener, for health and metrics only.
    for socket in sockets where socket.isShared || !socket.isLocal { poller.remove(socket.descriptor) }
    sockets.removeAll { $0.isShared || !$0.isLocal }
    lastAccept = MonotonicTime.now
    var isQuiet = sockets.isEmpty
    while !isQuiet, MonotonicTime.now < end {
      let latest = lastAccept
      takeTurn(Tick.drain)
      // Not by the time alone: this thread may not have looked for as long. While accepting pauses, nothing is known of the
      // backlogs.
      isQuiet = !isPaused && lastAccept == latest && MonotonicTime.now &- latest >= Tick.quietNanoseconds
    }
    for socket in sockets { poller.remove(socket.descriptor) }
    sockets = []
  }
}
