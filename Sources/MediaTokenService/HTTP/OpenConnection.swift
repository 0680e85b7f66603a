import Synchronization
internal import SystemCalls

/// One connection as its worker and the acceptor see it: whose it is, and since when it does what it does.
final class OpenConnection: Sendable {
  let descriptor: Int32
  let peer: HTTPPeer
  /// Nanoseconds with the phase in the two lowest bits. Written by the worker's thread, read by the acceptor's; nothing
  /// else is concluded from it, so it needs no order.
  private let state: Atomic<UInt64>

  /// What a connection is doing.
  enum Phase: UInt64 {
    /// Its first request began, and the first line is not whole yet.
    case fresh
    /// A request is being read, answered or its answer written.
    case asking
    /// An answer was written, and the next request may come.
    case idle
    /// It was shut down, and its worker will notice.
    case ending
  }

  init(descriptor: Int32, peer: HTTPPeer, now: UInt64) {
    self.descriptor = descriptor
    self.peer = peer
    state = Atomic(now & ~3 | Phase.fresh.rawValue)
  }

  /// Begins a phase.
  func enter(_ phase: Phase, at now: UInt64) { state.store(now & ~3 | phase.rawValue, ordering: .relaxed) }

  /// A request's first line is here. The first request of a connection began with the connection's first byte; when a
  /// later one began only the library knows.
  func beginRequest(at now: UInt64) {
    let (phase, since) = self.now
    enter(.asking, at: phase == .fresh ? since : now)
  }

  /// What it is doing, and since when.
  var now: (phase: Phase, since: UInt64) {
    let word = state.load(ordering: .relaxed)
    return (Phase(rawValue: word & 3) ?? .ending, word & ~3)
  }

  /// Nanoseconds since its phase began.
  func age(at time: UInt64) -> UInt64 {
    let since = now.since
    return time > since ? time - since : 0
  }
}

/// A worker's connections, for whoever wants to end some of them.
///
/// A descriptor is shut down only while it is listed here, and closed by the library only after it was taken out: so
/// never is another connection ended that has got the same number.
final class OpenConnections: Sendable {
  private let listed = Monitor<[Int32: OpenConnection]>([:])

  /// How many there are.
  var count: Int { listed.change { $0.count } }

  func insert(_ connection: OpenConnection) {
    listed.change { $0[connection.descriptor] = connection }
  }

  func remove(_ connection: OpenConnection) {
    listed.change { _ = $0.removeValue(forKey: connection.descriptor) }
  }

  /// Shuts down every connection that has been in its phase for too long, and says how many those were.
  func endOverdue(at now: UInt64, deadline: UInt64, idleLimit: UInt64) -> Int {
    listed.change { listed in
      var ended = 0
      for connection in listed.values {
        let age = connection.age(at: now)
        switch connection.now.phase {
        case .fresh, .asking: if age <= deadline { continue }
        // Silence is the library's to notice; here end those that send another request's first line byte by byte.
        case .idle: if age <= idleLimit + deadline { continue }
        case .ending: continue
        }
        connection.enter(.ending, at: now)
        Sockets.shutDown(connection.descriptor)
        ended += 1
      }
      return ended
    }
  }

  /// Lets connections that are between two requests send no other one. What came before is still read and answered;
  /// what comes later fails at the sender, who can ask elsewhere.
  func endIdle() {
    listed.change { listed in
      for connection in listed.values where connection.now.phase == .idle {
        Sockets.shutDownReading(connection.descriptor)
      }
    }
  }
}
