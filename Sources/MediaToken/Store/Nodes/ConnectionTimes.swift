/// The time limits of a connection, in nanoseconds (article FleetProtocol, "Connections").
enum ConnectionTimes {
  private static let millisecond: UInt64 = 1_000_000

  /// A command that waits longer makes the connection slow: nothing is sent until it is answered.
  static let slow = 250 * millisecond
  /// A command that waits longer ends the connection.
  static let lost = 2000 * millisecond
  /// A connection whose address was looked up longer ago gets no claim: its address may be another process's by now.
  static let oldest = 5000 * millisecond
  /// A node that was refused is looked at again after this time.
  static let refused = 5000 * millisecond
  /// The time after which a node that was refused for this is looked at again: one that is down may be back at any time.
  static func pause(after refusal: NodeRefusal) -> UInt64 {
    refusal.state(isKnown: true) == .down ? maintenance : refused
  }
  /// The time that a connection waits for an older one to be renewed first.
  static let turn = 500 * millisecond
  /// The interval at which an epoch is maintained, and a write tried.
  static let maintenance = 1000 * millisecond
  /// The time that an address is tried while there are others of the same name.
  static let attempt = 400 * millisecond

  /// The age at which a connection is replaced by a new one. The last half second before it is too old is for the
  /// handshake. `chance` is from 0 to 1.
  static func renewal(_ chance: Double) -> UInt64 { 3000 * millisecond + UInt64(chance * 1500) * millisecond }

  /// The most commands that may wait for answers.
  static let mostCommands = 64
}

/// The wait before a connection that was lost is dialled again: 50 ms, doubling to 1 s, half as much more or less by
/// chance, so that hosts which lost a node together do not come back together. At most 1.5 s: tokens are to play within 2 s
/// of the nodes' return.
struct Backoff {
  private var milliseconds: UInt64 = 50

  /// In nanoseconds. `chance` is from 0 to 1.
  mutating func next(_ chance: Double) -> UInt64 {
    defer { milliseconds = min(milliseconds * 2, 1000) }
    return UInt64(Double(milliseconds * 1_000_000) * (0.5 + chance))
  }

  mutating func reset() { milliseconds = 50 }
}
