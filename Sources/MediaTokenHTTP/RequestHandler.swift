/// The code that answers requests. Each worker has a handler of its own, made on its thread, and calls it there alone: so a
/// handler needs no lock, and what it keeps from request to request is its own.
package protocol RequestHandler: AnyObject {
  /// Decides by a request's head. Asked once.
  func bodyRule(of request: borrowing Request) -> BodyRule

  /// The request is whole, and comes in order.
  func answer(_ request: borrowing Request, with response: inout Response) -> Answering

  /// The server refuses the request by itself: broken HTTP, too large, too late.
  func refuse(_ refusal: RequestRefusal, with response: inout Response)

  /// An answer has left this process, or could not: its client was gone.
  func answered(_ status: UInt16, delivered: Bool)

  /// The client of a request that was told ``Answering/later`` has left: what was not begun for it needs no doing.
  func left(_ ticket: Ticket)

  /// The end of a turn: all requests that came in it were handed over. Called once a turn, for the first time before any
  /// request.
  ///
  /// `ready` has the numbers of the descriptors that this handler has the loop watch and that are ready, all of them at
  /// once. Returns the latest time of the next call, in ``MonotonicTime``; nil: when something happens.
  func endTurn(_ ready: [UInt32], _ loop: inout WorkerLoop) -> UInt64?
}

extension RequestHandler {
  package func left(_ ticket: Ticket) {}

  package func endTurn(_ ready: [UInt32], _ loop: inout WorkerLoop) -> UInt64? { nil }
}
