internal import MediaTokenSystem

/// Names a request whose answer comes later. Good once, and void when its connection has ended.
package struct Ticket: Hashable, Sendable {
  let slot: Int
  let connection: UInt32
  let request: UInt32

  /// No two requests of a worker have the same within two thousand million connections.
  package var number: UInt64 { UInt64(connection) << 32 | UInt64(request) }
}

/// A descriptor that a handler has watched and that is ready.
package struct ReadyDescriptor: Hashable, Sendable {
  /// What the handler called it.
  package let number: UInt32
  /// Whether bytes or an end can be read.
  package let isReadable: Bool
  /// Whether something can be written.
  package let isWritable: Bool
  /// Whether it is over or broken.
  package let isOver: Bool

  /// Set in the tokens of such descriptors, and in no connection's.
  private static let mark: UInt64 = 1 << 63

  static func token(of number: UInt32) -> UInt64 { mark | UInt64(number) }

  /// - Returns: nil for the event of a connection.
  init?(_ event: Poller.Event) {
    guard event.token & Self.mark != 0 else { return nil }
    number = UInt32(truncatingIfNeeded: event.token)
    (isReadable, isWritable, isOver) = (event.isReadable, event.isWritable, event.isOver)
  }
}
