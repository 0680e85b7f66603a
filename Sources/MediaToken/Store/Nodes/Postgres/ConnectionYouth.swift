internal import MediaTokenSystem

/// The knowledge that all connections of a process to one database share: one of them is always young, and the others are
/// used only while they lead to the same data as that one. So a name that was moved is noticed within 5 s, at the price of
/// one connection in 4 s.
final class ConnectionYouth: Sendable {
  /// The goal of a connection: a server, the timeline of its data, and the floor of their epoch.
  struct Goal: Sendable, Hashable {
    let process: String
    let timeline: Int64?
    let from: Int64

    init(_ found: HandshakeResult) { (process, timeline, from) = (found.process, found.timeline, found.from) }
  }

  enum Standing {
    /// It may be used.
    case young
    /// No connection was made for so long that the name may lead elsewhere by now.
    case old
    /// A younger one leads to other data.
    case moved
  }

  private let state = Monitor(State())

  /// Times are in ``MonotonicTime``.
  private struct State: Sendable {
    var youngest: (start: UInt64, goal: Goal)?
    /// The times when the open connections began to be made.
    var starts: [UInt64] = []
    var renewal: UInt64 = 0
    var care: UInt64 = 0

    /// The oldest connection comes first; the others take its turn if it does not.
    func renewal(of start: UInt64) -> UInt64 {
      starts.allSatisfy { $0 >= start } ? renewal : renewal + ConnectionTimes.turn
    }
  }

  /// A connection is begun, so the next one is due in 3 to 4.5 s.
  func begin(at time: UInt64, _ chance: Double) {
    state.change { $0.renewal = time + ConnectionTimes.renewal(chance) }
  }

  /// It could not be made, and another is to be.
  func fail(nextAt time: UInt64) { state.change { $0.renewal = min($0.renewal, time) } }

  func open(_ start: UInt64, _ goal: Goal) {
    state.change { state in
      state.starts.append(start)
      if state.youngest.map({ $0.start < start }) ?? true { state.youngest = (start, goal) }
    }
  }

  func close(_ start: UInt64) {
    state.change { state in
      if let index = state.starts.firstIndex(of: start) { state.starts.remove(at: index) }
    }
  }

  func standing(of goal: Goal, at time: UInt64) -> Standing {
    guard let youngest = state.current.youngest else { return .old }
    if youngest.goal != goal { return .moved }
    return time >= youngest.start + ConnectionTimes.oldest ? .old : .young
  }

  /// True if the connection with this start is to be renewed now: true once, for the one that asks first.
  func takesTurn(_ start: UInt64, at time: UInt64) -> Bool {
    state.change { state in
      guard time >= state.renewal(of: start) else { return false }
      state.renewal = time + ConnectionTimes.oldest
      return true
    }
  }

  /// True if the epoch is to be cared for now: true once a second, for the one that asks first.
  func takesCare(at time: UInt64) -> Bool {
    state.change { state in
      guard time >= state.care else { return false }
      state.care = time + ConnectionTimes.care
      return true
    }
  }

  /// The times when a connection has to be looked at: its renewal, its old age, and the epoch's care.
  func deadlines(of start: UInt64) -> (renewal: UInt64, age: UInt64, care: UInt64) {
    let state = state.current
    return (state.renewal(of: start), (state.youngest?.start ?? 0) + ConnectionTimes.oldest, state.care)
  }
}
