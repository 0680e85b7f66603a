internal import MediaToken
internal import MediaTokenHTTP
internal import MediaTokenSystem

/// Answers at the inspector's listener: `POST /v1/explain`, the page, and nothing else. It counts and logs nothing, because
/// nothing is decided here.
final class InspectorHandler: RequestHandler {
  let service: Service
  private var view: CurrentState.View
  /// Nil while it is lent.
  private var scratch: Handler.Scratch? = Handler.Scratch()

  init(_ service: Service) {
    self.service = service
    view = service.current.view()
  }

  var state: ServingState { view.state }

  /// The purpose of a request. Its head alone gives it, so the answer and the route agree.
  private enum Target {
    case explain
    case file(InspectorFile)
    case refused(InspectorRefusal)
  }

  func route(_ request: borrowing Request) -> Route {
    // A body is read by the limit of the same state that the answer is made from.
    refresh()
    if case .explain = target(of: request) {
      return Route(0, body: .collect(atMost: state.configuration.limits.bodyBytes))
    }
    return Route(0, body: .unread)
  }

  private func refresh() { if service.current.hasChanged(since: view) { view = service.current.view() } }

  private func target(of request: borrowing Request) -> Target {
    switch LoopbackSite.judge(request) {
    case .host: return .refused(.foreignHost)
    case .site: return .refused(.foreignSite)
    case nil: break
    }
    if request.path.isExactly("/v1/explain") {
      return request.method.isExactly("POST") ? .explain : .refused(.methodNotAllowed)
    }
    for file in InspectorFile.all where request.path.isExactly(file.path) {
      guard request.method.isExactly("GET") || request.method.isExactly("HEAD") else {
        return .refused(.methodNotAllowed)
      }
      return !request.hasQuery ? .file(file) : .refused(.query)
    }
    return .refused(.notFound)
  }

  func answer(_ request: borrowing Request, on route: Route, with response: inout Response) -> Answering {
    refresh()
    InspectorHeaders.append(to: &response)
    switch target(of: request) {
    case .file(let file):
      response.status = 200
      response.contentType = file.contentType
      response.body.append(contentsOf: file.bytes)
    case .refused(let refusal):
      if refusal == .methodNotAllowed {
        let isExplain = request.target.begins(with: "/v1/")
        response.addField("Allow", isExplain ? "POST" : "GET, HEAD")
      }
      response.writeError(refusal.status, refusal.name, refusal.detail)
    case .explain:
      var scratch = self.scratch.take() ?? Handler.Scratch()
      scratch.question.removeAll()
      explain(request, &scratch, with: &response)
      self.scratch = consume scratch
    }
    Self.rest()
    return .now
  }

  func refuse(_ refusal: RequestRefusal, with response: inout Response) {
    InspectorHeaders.append(to: &response)
    response.write(refusal)
    Self.rest()
  }

  func answered(_ status: UInt16, delivered: Bool) {}

  /// Keeps a crowd here from costing a verdict: however many ask, this thread answers at most 200 requests per second,
  /// each with 30 checks of a signature at most (`SignatureChecks`): a fraction of a millisecond for a token, and some
  /// for the longest texts. A support desk needs no more, and no privilege is needed as for a priority.
  private static func rest() { WorkerThread.sleep(milliseconds: 5) }
}
