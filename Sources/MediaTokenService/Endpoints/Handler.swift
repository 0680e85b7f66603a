internal import MediaToken
internal import MediaTokenJSON
internal import MediaTokenReplay
internal import Synchronization
internal import SystemCalls

/// Answers requests: finds the endpoint, and says no wherever there is none or the question is not one.
final class Handler: RequestHandler {
  let current: CurrentState
  let metrics: Metrics
  let log: Log
  /// The replay table, if one use is enforced.
  let table: SharedReplayTable?
  /// Whether no new work is wanted: says `/readyz`.
  let isDraining = Atomic<Bool>(false)
  let verdictLines = LineLimit()
  private let workers: PerThread<WorkerMemory>

  /// - Throws: what the system says when it has no thread-local memory left.
  init(_ current: CurrentState, _ metrics: Metrics, _ log: Log, _ table: SharedReplayTable?) throws(SystemFailure) {
    self.current = current
    self.metrics = metrics
    self.log = log
    self.table = table
    let numbers = ThreadNumbers()
    workers = try PerThread { WorkerMemory(metrics, current, number: numbers.next()) }
  }

  func bodyRule(for request: borrowing HTTPRequest) -> BodyRule {
    let target = RequestTarget(request.target.span)
    let limits = worker().view.state.configuration.limits
    switch Endpoint(path: request.target.span.extracting(..<target.pathEnd)) {
    case .verify: return .collect(atMost: limits.bodyBytes)
    case .batch: return .collect(atMost: limits.batchBytes)
    case .auth, .live, .ready, .metrics, .keys, nil: return .discard
    }
  }

  func answer(_ request: borrowing HTTPRequest, with response: inout HTTPResponse) {
    let worker = worker()
    let target = RequestTarget(request.target.span)
    let path = request.target.span.extracting(..<target.pathEnd)
    let endpoint = Endpoint(path: path)
    guard let endpoint else {
      // What is an endpoint byte for byte needs no look at its segments; /v1/auth looks at what comes behind it.
      return refuse(RequestPath.decode(path) == nil ? .pathRefused : .notFound, with: &response)
    }
    guard endpoint.isPublic || request.peer != .tcp || worker.view.state.configuration.tcp?.mayVerify == true else {
      return refuse(.notOverTCP, with: &response)
    }
    guard endpoint.allows(request.method.span) else {
      response.fields.append((name: "Allow", value: endpoint.allowedMethods))
      return refuse(.methodNotAllowed, with: &response)
    }
    answer(endpoint, request, target, worker, with: &response)
  }

  private func answer(
    _ endpoint: Endpoint, _ request: borrowing HTTPRequest, _ target: RequestTarget, _ worker: WorkerMemory,
    with response: inout HTTPResponse
  ) {
    let query = request.target.span.extracting(target.queryStart...)
    var scratch = WorkerMemory.Scratch()
    swap(&scratch, &worker.scratch)
    defer { swap(&scratch, &worker.scratch) }
    scratch.question.removeAll()
    switch endpoint {
    case .verify: verify(request, query, worker, &scratch, with: &response)
    case .batch: verifyBatch(request, query, worker, &scratch, with: &response)
    case .auth: authorize(request, target, worker, &scratch, with: &response)
    case .live, .ready, .metrics, .keys:
      guard query.isEmpty else { return refuse(.parameter("expected no query"), with: &response) }
      answerStatus(endpoint, worker, with: &response)
    }
  }

  func answered(_ response: borrowing HTTPResponse, delivered: Bool) {
    let counters = workers.current.counters
    counters.add(.response(response.status))
    if !delivered { counters.add(.undelivered) }
  }

  /// This thread's own, with the newest state.
  private func worker() -> WorkerMemory {
    let worker = workers.current
    current.refresh(&worker.view)
    return worker
  }
}

/// Numbers for threads, each once.
private final class ThreadNumbers: Sendable {
  private let last = Atomic<UInt64>(0)

  func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

extension Endpoint {
  /// What the header `Allow` says.
  fileprivate var allowedMethods: [UInt8] { methods.map { Array("\($0)".utf8) } ?? [] }
}
