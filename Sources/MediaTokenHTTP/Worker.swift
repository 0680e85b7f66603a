internal import MediaTokenSystem
internal import Synchronization

/// One thread with its connections, as other threads see it: they leave connections and orders for it here. The thread's
/// own work is in `WorkerLoop`, and nothing of that is shared.
final class Worker: Sendable {
  let options: ServerOptions
  let counters: ServerCounters
  let poller: Poller
  /// Connections that were handed over and are not closed: the listener deals by this. Relaxed is enough, because nothing
  /// else is concluded from it.
  let load = Atomic<Int>(0)
  /// True if each answer ends its connection; also one that is being written when this is set.
  let isDraining = Atomic<Bool>(false)
  /// True if its thread takes nothing: it waits for a disk, most likely.
  let isStuck = Atomic<Bool>(false)
  private let inbox = Monitor(Inbox())

  /// The requests of other threads.
  struct Inbox {
    var arrivals: [(descriptor: Int32, peer: Peer)] = []
    /// No more connections are handed over, and by this time all must be gone.
    var end: UInt64?
    /// The process or the system has no descriptor left for another connection.
    var isCrowded = false
    /// The listener's looks since connections wait here.
    var looks = 0
  }

  /// Looks of the listener after which a thread that takes no connection is stuck. By looks and not by the clock, or the stop of
  /// the whole process would count.
  static let looksUntilStuck = 10

  init(options: ServerOptions, counters: ServerCounters) throws(SystemError) {
    self.options = options
    self.counters = counters
    poller = try Poller()
  }

  /// Serves until it is stopped, on this thread. Returns the number of connections that had to be cut.
  func run(_ handler: any RequestHandler) -> Int {
    var loop = WorkerLoop(self, handler)
    return loop.run()
  }

  // MARK: from other threads

  /// The connection is the worker's from now on.
  func serve(_ descriptor: Int32, of peer: Peer) {
    load.wrappingAdd(1, ordering: .relaxed)
    inbox.change { $0.arrivals.append((descriptor, peer)) }
    poller.wake()
  }

  /// True if connections wait here. Those that have waited for ``looksUntilStuck`` are taken back.
  func look() -> (hasArrivals: Bool, takenBack: [(descriptor: Int32, peer: Peer)]) {
    inbox.change { inbox in
      guard !inbox.arrivals.isEmpty else { return (false, []) }
      inbox.looks += 1
      guard inbox.looks >= Self.looksUntilStuck else { return (true, []) }
      isStuck.store(true, ordering: .relaxed)
      defer { (inbox.arrivals, inbox.looks) = ([], 0) }
      load.wrappingSubtract(inbox.arrivals.count, ordering: .relaxed)
      return (false, inbox.arrivals)
    }
  }

  func makePlace() {
    inbox.change { $0.isCrowded = true }
    poller.wake()
  }

  func drain() {
    isDraining.store(true, ordering: .relaxed)
    poller.wake()
  }

  /// Ends the thread when all connections are gone, at the latest at `end`. No connection is handed over afterwards.
  func stop(by end: UInt64) {
    inbox.change { $0.end = end }
    poller.wake()
  }

  // MARK: from the worker's own thread

  func openInbox() -> Inbox {
    inbox.change { inbox in
      defer { (inbox.arrivals, inbox.isCrowded, inbox.looks) = ([], false, 0) }
      isStuck.store(false, ordering: .relaxed)
      return inbox
    }
  }

  func lost(_ peer: Peer) {
    if peer.isTCP { counters.openOverTCP.wrappingSubtract(1, ordering: .relaxed) }
    counters.openConnections.wrappingSubtract(1, ordering: .relaxed)
    load.wrappingSubtract(1, ordering: .relaxed)
  }
}
