/// What becomes of a request's body, decided by its head.
package enum BodyRule: Hashable, Sendable {
  /// It is collected; one byte more than this is 413.
  case collect(atMost: Int)
  /// It is read and forgotten, up to the server's bound, and answered when it was read: for callers that send a body which
  /// does not matter, and keep their connection.
  case discard
  /// It is not waited for: the answer is decided by the head and goes out at once. Where the whole body has come with the
  /// head the connection goes on, and otherwise it ends.
  case unread
}

/// The time when a handler answers.
package enum Answering: Hashable, Sendable {
  case now
  /// The handler will write it with ``WorkerLoop/answer(_:_:)`` at the end of a turn. The connection waits, and the
  /// worker goes on; the request's deadline holds.
  case later
}
