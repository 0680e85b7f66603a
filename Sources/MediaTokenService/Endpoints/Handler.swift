internal import MediaTokenHTTP

/// Answers one worker's requests: finds the endpoint, and says no if there is no such endpoint or the question can't be read.
///
/// What it keeps from request to request is the worker's alone, so answering allocates nothing and shares nothing.
final class Handler: RequestHandler {
  let service: Service
  let counters: Counters
  var requestIDs: RequestIDs
  private var view: CurrentState.View
  private var scratch = Scratch()

  /// Buffers that keep their memory.
  struct Scratch {
    var name: [UInt8] = []
    var value: [UInt8] = []
    var question = Question()
  }

  /// - Parameter number: the worker's, so that no two of them give requests the same names.
  init(_ service: Service, number: UInt64) {
    self.service = service
    counters = service.metrics.newCounters()
    view = service.current.view()
    requestIDs = RequestIDs(number: number)
  }

  /// What this request is answered from.
  var state: ServingState { view.state }

  func route(_ request: borrowing Request) -> Route {
    if service.current.hasChanged(since: view) { view = service.current.view() }
    let decision = Routing(request, in: state)
    let limits = state.configuration.limits
    switch decision {
    case .endpoint(.verify): return Route(decision.number, body: .collect(atMost: limits.bodyBytes))
    case .endpoint(.batch): return Route(decision.number, body: .collect(atMost: limits.batchBytes))
    default: return Route(decision.number, body: .discard)
    }
  }

  func answer(_ request: borrowing Request, on route: Route, with response: inout Response) -> Answering {
    if service.current.hasChanged(since: view) { view = service.current.view() }
    switch Routing(number: route.number) {
    case .endpoint(let endpoint): answer(endpoint, request, with: &response)
    case .methodNotAllowed(let endpoint):
      response.fields.append((name: "Allow", value: endpoint.allowedMethods))
      refuse(.methodNotAllowed, with: &response)
    case .pathRefused: refuse(.pathRefused, with: &response)
    case .notFound: refuse(.notFound, with: &response)
    case .notOverTCP: refuse(.notOverTCP, with: &response)
    }
    return .now
  }

  private func answer(_ endpoint: Endpoint, _ request: borrowing Request, with response: inout Response) {
    let target = RequestTarget(request.target)
    let query = request.target.extracting(target.queryStart...)
    var scratch = Scratch()
    swap(&scratch, &self.scratch)
    defer { swap(&scratch, &self.scratch) }
    scratch.question.removeAll()
    switch endpoint {
    case .verify: verify(request, query, &scratch, with: &response)
    case .batch: verifyBatch(request, query, &scratch, with: &response)
    case .auth: authorize(request, target, &scratch, with: &response)
    case .live, .ready, .metrics, .keys:
      guard query.isEmpty else { return refuse(.parameter("expected no query"), with: &response) }
      answerStatus(endpoint, with: &response)
    }
  }

  func answered(_ status: UInt16, delivered: Bool) {
    counters.add(.response(status))
    if !delivered { counters.add(.undelivered) }
  }
}

extension Endpoint {
  /// What the header `Allow` says.
  fileprivate var allowedMethods: [UInt8] { methods.map { Array("\($0)".utf8) } ?? [] }
}
