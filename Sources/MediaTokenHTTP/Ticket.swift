/// Names a request whose answer comes later. Good once, and void when its connection has ended.
package struct Ticket: Hashable, Sendable {
  let slot: Int
  let connection: UInt32
  let request: UInt32

  /// No two requests of a worker have the same within two thousand million connections.
  package var number: UInt64 { UInt64(connection) << 32 | UInt64(request) }
}
