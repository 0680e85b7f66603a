internal import MediaTokenHTTP

/// Answers over TCP, where only health and metrics are asked for; and everything while no worker can, as the replay memory's disk is frozen
/// or hangs. It never touches the memory: a token that passed the other steps ends with the fault that the memory is unavailable.
final class SpareHandler: RequestHandler {
  private let handler: Handler
  private let keepsTCP: Bool

  /// - Parameter keepsTCP: whether connections over TCP may stay here, as no one asks about tokens on them.
  init(_ service: Service, keepsTCP: Bool) {
    handler = service.newHandler(isSpare: true)
    self.keepsTCP = keepsTCP
  }

  func route(_ request: borrowing Request) -> Route { handler.route(request) }

  func answer(_ request: borrowing Request, on route: Route, with response: inout Response) -> Answering {
    // The next question is for a worker that can answer it.
    if !(keepsTCP && request.peer.isTCP) { response.endsConnection = true }
    return handler.answer(request, on: route, with: &response)
  }

  func refuse(_ refusal: RequestRefusal, with response: inout Response) { handler.refuse(refusal, with: &response) }

  func answered(_ status: UInt16, delivered: Bool) { handler.answered(status, delivered: delivered) }

  func endTurn(_ ready: [UInt32], _ loop: inout WorkerLoop) -> UInt64? { handler.endTurn(ready, &loop) }
}
