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
  // SAFETY: one answer at a time has it, and none asks for another, so there is nothing to watch for.
  @exclusivity(unchecked) private var scratch = Scratch()
  /// The route that was found by a head, as its answer mostly follows at once.
  private var found: (ticket: Ticket, route: Route<Handler>)?

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

  // MARK: routes

  static let routes = [
    Route<Handler>("/v1/verify", .post, takesQuery: true, body: .question) {
      (handler, request: borrowing Request, scratch: inout Scratch, response: inout Response) in
      handler.verify(request, &scratch, with: &response)
    },
    Route<Handler>("/v1/auth", hasBelow: true, .every, takesQuery: true, body: .discarded) {
      (handler, request: borrowing Request, scratch: inout Scratch, response: inout Response) in
      handler.authorize(request, &scratch, with: &response)
    },
    Route<Handler>("/v1/keys", .get) { handler, _, _, response in
      handler.writeKeys(to: &response)
    },
    Route<Handler>("/livez", .get, isPublic: true) { _, _, _, response in
      response.writeLife()
    },
    Route<Handler>("/readyz", .get, isPublic: true) { handler, _, _, response in
      handler.writeReadiness(to: &response)
    },
    Route<Handler>("/metrics", .get, isPublic: true) { handler, request, _, _ in
      handler.metricsReaders.add(request.ticket)
      return .later
    },
  ]
  static let notFound = RequestError.notFound(in: routes)

  /// Found by the head alone.
  private func route(of request: borrowing Request) throws(RequestError) -> Route<Handler> {
    if request.peer.isTCP, LoopbackSite.judge(request, lacksHost: nil) != nil {
      throw .foreignSite(LoopbackSite.isForPrograms)
    }
    guard let route = Route.row(of: request.path, in: Self.routes) else {
      // A path of the table needs no look at its segments; /v1/auth looks at what comes after it.
      throw RequestPath.decode(request.path) == nil ? .pathRefused : Self.notFound
    }
    if request.peer.isTCP, !route.isPublic, state.configuration.tcp?.mayVerify != true { throw .notOverTCP }
    try route.check(request)
    return route
  }

  private func refresh() { if service.current.hasChanged(since: view) { view = service.current.view() } }

  func bodyRule(of request: borrowing Request) -> BodyRule {
    refresh()
    found = nil
    // One that is refused is refused when it is answered, and at once.
    do throws(RequestError) {
      let route = try route(of: request)
      found = (request.ticket, route)
      return route.bodyRule(state)
    } catch {
      return .unread
    }
  }

  func answer(_ request: borrowing Request, with response: inout Response) -> Answering {
    // The next question is for a worker that can answer it.
    if isSpare, !(keepsTCP && request.peer.isTCP) { response.endsConnection = true }
    let known = found.take()
    if service.current.hasChanged(since: view) {
      refresh()
    } else if let known, known.ticket == request.ticket {
      return answer(request, by: known.route, with: &response)
    }
    do throws(RequestError) {
      let route = try route(of: request)
      // One that its head forbade has no body here, and a reload lets it in no more.
      if case .question = route.body, request.body.count < request.announcedBodyBytes { throw .notOverTCP }
      return answer(request, by: route, with: &response)
    } catch {
      refuse(error, with: &response)
      return .now
    }
  }

  private func answer(
    _ request: borrowing Request, by route: Route<Handler>, with response: inout Response
  ) -> Answering {
    unsafe scratch.question.removeAll()
    return unsafe route.answer(self, request, &scratch, &response)
  }

  func answered(_ status: UInt16, delivered: Bool) {
    counters.add(.response(status))
    if !delivered { counters.add(.undelivered) }
  }

  func left(_ ticket: Ticket) { uses?.withdraw(ticket) }

  func endTurn(_ ready: [UInt32], _ loop: inout WorkerLoop) -> UInt64? {
    let nextPage = metricsReaders.answer(service, &loop, answer)
    let nextUse = uses?.endTurn(ready, &loop, settle)
    return nextPage.map { min($0, nextUse ?? .max) } ?? nextUse
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
