/// What answers requests. Each worker has one of its own, made on its thread, and calls it there alone: so a handler needs
/// no lock, and what it keeps from request to request is its own.
package protocol RequestHandler: AnyObject {
  /// Decides, when a request's head is here, what it is for. Asked once; the answer stays with the request.
  func route(_ request: borrowing Request) -> Route

  /// Answers a request that is whole and was sent in order.
  func answer(_ request: borrowing Request, on route: Route, with response: inout Response) -> Answering

  /// Writes the answer to a request that the server refuses by itself: broken HTTP, too large, too late.
  func refuse(_ refusal: RequestRefusal, with response: inout Response)

  /// An answer has left this process, or could not: its client was gone.
  func answered(_ status: UInt16, delivered: Bool)

  /// The client of a request that was told ``Answering/later`` has left: what was not begun for it needs no doing.
  func left(_ ticket: Ticket)

  /// The end of a turn: all requests that came in it were handed over. Called once a turn, for the first time before any
  /// request.
  ///
  /// - Parameters:
  ///   - ready: descriptors that this handler has the loop watch and that are ready, all of them at once.
  ///   - loop: answers requests that were told ``Answering/later``, and watches descriptors.
  /// - Returns: when to be called again at the latest, in ``MonotonicTime``; nil: when something happens.
  func endTurn(_ ready: [ReadyDescriptor], _ loop: inout WorkerLoop) -> UInt64?
}

extension RequestHandler {
  /// Nothing waits.
  package func left(_ ticket: Ticket) {}

  /// Nothing is watched and nothing is waited for.
  package func endTurn(_ ready: [ReadyDescriptor], _ loop: inout WorkerLoop) -> UInt64? { nil }
}

/// What a request is for, as its handler decided.
package struct Route: Hashable, Sendable {
  /// The handler's own number for it.
  package let number: Int
  /// What is to be done with the body.
  package let body: BodyRule

  package init(_ number: Int, body: BodyRule) {
    self.number = number
    self.body = body
  }
}

/// What is to be done with a request's body.
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

/// When a handler answers.
package enum Answering: Hashable, Sendable {
  /// The answer is written.
  case now
  /// The handler will write it with ``WorkerLoop/answer(_:_:)`` at the end of a turn. The connection waits, and the
  /// worker goes on; the request's deadline holds.
  case later
}
