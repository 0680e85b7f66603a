internal import MediaToken
internal import MediaTokenHTTP
internal import Synchronization

/// Answers one worker's requests: finds the endpoint, and refuses if there is no such endpoint or the question can't be
/// read. Its state from request to request is the worker's alone, so answering allocates nothing and shares nothing.
final class Handler: RequestHandler {
  let service: Service
  let counters: Counters
  var requestIDs: RequestIDs
  var metricsReaders = MetricsReaders()
  /// The tokens that wait for their use; nil for a replay memory that answers at once.
  let uses: WaitingUses?
  /// True if it answers over TCP, where only health and metrics are asked for; and everything while no worker can, as
  /// the replay memory's disk is frozen or hangs. It never touches the memory: a token that passed the other steps ends
  /// with the fault that the memory is unavailable.
  let isSpare: Bool
  private let keepsTCP: Bool
  private(set) var view: CurrentState.View
  /// Nil while it is lent.
  private var scratch: Scratch? = Scratch()

  /// Buffers that keep their memory.
  struct Scratch: ~Copyable {
    var name: [UInt8] = []
    var value: [UInt8] = []
    var question = Question()
  }

  /// `isSpare`: it answers only while no other one can. `keepsTCP`: connections over TCP may stay at a spare one,
  /// because they bring no questions about tokens.
  init(_ service: Service, isSpare: Bool = false, keepsTCP: Bool = false) {
    self.service = service
    counters = service.metrics.newCounters()
    view = service.current.view()
    requestIDs = RequestIDs(number: service.handlers.wrappingAdd(1, ordering: .relaxed).newValue)
    (self.isSpare, self.keepsTCP) = (isSpare, keepsTCP)
    let store = service.store
    uses = isSpare || store.answersLater ? WaitingUses(isSpare ? nil : store) : nil
  }

  var state: ServingState { view.state }

  func route(_ request: borrowing Request) -> Route {
    if service.current.hasChanged(since: view) { view = service.current.view() }
    guard let endpoint = try? endpoint(of: request) else { return Self.refused }
    switch endpoint {
    case .verify:
      // A body that is long is read only if its head has no mistake. With a short one that is found when it is answered,
      // and is not looked for twice.
      if request.announcedBodyBytes > Self.shortBody, mistake(in: request) != nil { return Self.refused }
      return Route(endpoint.rawValue, body: .collect(atMost: state.configuration.limits.bodyBytes))
    // A viewer's request may have a body, which its proxy sends along, and its connection is kept.
    case .auth: return Route(endpoint.rawValue, body: .discard)
    case .live, .ready, .metrics, .keys: return Route(endpoint.rawValue, body: .unread)
    }
  }

  /// The route of a request that no endpoint answers: no endpoint has its number.
  private static let refused = Route(-1, body: .unread)

  /// Found by the head alone.
  private func endpoint(of request: borrowing Request) throws(RequestError) -> Endpoint {
    if request.peer.isTCP, LoopbackSite.judge(request, lacksHost: nil) != nil { throw .foreignSite }
    guard let endpoint = Endpoint(path: request.path) else {
      // What is an endpoint byte for byte needs no look at its segments; /v1/auth looks at what comes after it.
      throw RequestPath.decode(request.path) == nil ? .pathRefused : .notFound
    }
    if request.peer.isTCP, !endpoint.isPublic, state.configuration.tcp?.mayVerify != true { throw .notOverTCP }
    guard endpoint.allows(request.method) else { throw .methodNotAllowed }
    return endpoint
  }

  /// Bytes of a body that come with their head, and cost less to read than a look at the head.
  private static let shortBody = 16 * 1024

  func answer(_ request: borrowing Request, on route: Route, with response: inout Response) -> Answering {
    // The next question is for a worker that can answer it.
    if isSpare, !(keepsTCP && request.peer.isTCP) { response.endsConnection = true }
    if service.current.hasChanged(since: view) { view = service.current.view() }
    if let endpoint = Endpoint(rawValue: route.number) { return answer(endpoint, request, with: &response) }
    do throws(RequestError) {
      _ = try endpoint(of: request)
      // So the question has a mistake. Only one in the request id can have been cured by a reload.
      refuse(mistake(in: request) ?? .requestID, with: &response)
    } catch {
      if case .methodNotAllowed = error, let methods = Endpoint(path: request.path)?.methods {
        response.addField("Allow", "\(methods)")
      }
      refuse(error, with: &response)
    }
    return .now
  }

  private func answer(
    _ endpoint: Endpoint, _ request: borrowing Request, with response: inout Response
  ) -> Answering {
    withScratch { scratch in
      switch endpoint {
      case .verify: return verify(request, &scratch, with: &response)
      case .auth: return authorize(request, &scratch, with: &response)
      case .live, .ready, .metrics, .keys:
        guard request.query.isEmpty else {
          refuse(.parameter("there is a query, which the path does not take"), with: &response)
          break
        }
        return answerStatus(endpoint, request.ticket, with: &response)
      }
      return .now
    }
  }

  /// The buffers are lent empty.
  func withScratch<Value>(_ body: (inout Scratch) -> Value) -> Value {
    var scratch = self.scratch.take() ?? Scratch()
    scratch.question.removeAll()
    let value = body(&scratch)
    self.scratch = consume scratch
    return value
  }

  func answered(_ status: UInt16, delivered: Bool) {
    counters.add(.response(status))
    if !delivered { counters.add(.undelivered) }
  }

  func left(_ ticket: Ticket) { uses?.withdraw(ticket) }

  func endTurn(_ ready: [UInt32], _ loop: inout WorkerLoop) -> UInt64? {
    metricsReaders.answer(service, &loop, answer)
    return uses?.endTurn(ready, &loop, settle)
  }
}

extension Handler {
  /// A request whose client was gone is counted.
  func answer(_ ticket: Ticket, _ loop: inout WorkerLoop, _ write: (inout Response) -> Void) {
    if loop.answer(ticket, write) { return }
    var response = Response()
    write(&response)
    answered(response.status, delivered: false)
  }
}
