internal import MediaTokenSystem

/// A connection that is made on a thread of its own: names, TLS, the log-in and the handshake would hold up the loop.
final class PostgresDial: Sendable {
  enum Outcome: Sendable {
    case open(DatabaseConnection, HandshakeResult, DatabaseIdentity)
    case refused(SeatRefusal)
    /// There is no primary that can be asked now.
    case lost
    /// The name service has no address for a node.
    case nameless

    fileprivate func finish() { if case .open(let connection, _, _) = self { connection.finish() } }
  }

  /// The connection ages from then on.
  let start: UInt64
  private let state: Monitor<State>

  private struct State: Sendable {
    var outcome: Outcome?
    var isAbandoned = false
  }

  /// The poller is woken at the end.
  init(_ engine: PostgresEngine, waking poller: Poller, at time: UInt64) throws(SystemError) {
    let state = Monitor(State())
    (self.state, start) = (state, time)
    try WorkerThread {
      let outcome = Self.dial(engine)
      let isWanted = state.change { state in
        if !state.isAbandoned { state.outcome = outcome }
        return !state.isAbandoned
      }
      if isWanted { poller.wake() } else { outcome.finish() }
    }.detach()
  }

  private static func dial(_ engine: PostgresEngine) -> Outcome {
    do throws(SeatError) {
      return try PrimarySearch(engine).withPrimary(keepsConnection: true) { (handshake) throws(SeatError) in
        .open(handshake.caller.connection, try handshake.bear(), handshake.database)
      }
    } catch {
      switch error {
      case .refused(let refusal): return .refused(refusal)
      case .nameless: return .nameless
      default: return .lost
      }
    }
  }

  /// The outcome, once; nil until the dial has ended.
  func take() -> Outcome? {
    state.change { state in
      defer { state.outcome = nil }
      return state.outcome
    }
  }

  func abandon() {
    let outcome = state.change { state in
      state.isAbandoned = true
      return state.outcome
    }
    outcome?.finish()
  }
}
