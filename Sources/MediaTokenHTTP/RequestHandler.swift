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
  ///   - ready: what this handler called the descriptors that it has the loop watch and that are ready, all of them at once.
  ///   - loop: answers requests that were told ``Answering/later``, and watches descriptors.
  /// - Returns: when to be called again at the latest, in ``MonotonicTime``; nil: when something happens.
  func endTurn(_ ready: [UInt32], _ loop: inout WorkerLoop) -> UInt64?
}

extension RequestHandler {
  /// Nothing waits.
  package func left(_ ticket: Ticket) {}

  /// Nothing is watched and nothing is waited for.
  package func endTurn(_ ready: [UInt32], _ loop: inout WorkerLoop) -> UInt64? { nil }
}
