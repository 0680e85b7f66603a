internal import MediaToken
internal import MediaTokenHTTP
internal import MediaTokenSystem

/// Answers at the inspector's listener: `POST /v1/explain`, the page, and nothing else. It counts and logs nothing, because
/// nothing is decided here.
final class InspectorHandler: RequestHandler {
  let service: Service
  private var view: CurrentState.View
  private var scratch = Scratch()

  init(_ service: Service) {
    self.service = service
    view = service.current.view()
  }

  var state: ServingState { view.state }

  private static let routes =
    InspectorFile.all.map { file in
      Route<InspectorHandler>(file.path, .get) { _, _, _, response in
        response.status = 200
        response.contentType = file.contentType
        response.body.append(contentsOf: file.bytes)
        return .now
      }
    } + [
      Route<InspectorHandler>("/v1/explain", .post, takesQuery: true, body: .question) {
        $0.explain($1, &$2, with: &$3)
        return .now
      }
    ]

  private func route(of request: borrowing Request) throws(RequestError) -> Route<InspectorHandler> {
    switch LoopbackSite.judge(request) {
    case .host: throw .foreignHost
    case .site: throw .foreignSite(LoopbackSite.isForPeople)
    case nil: break
    }
    guard let route = Route.row(of: request.path, in: Self.routes) else { throw .notFound(in: Self.routes) }
    try route.check(request)
    return route
  }

  private func refresh() { if service.current.hasChanged(since: view) { view = service.current.view() } }

  func bodyRule(of request: borrowing Request) -> BodyRule {
    refresh()
    do throws(RequestError) { return try route(of: request).bodyRule(state) } catch { return .unread }
  }

  func answer(_ request: borrowing Request, with response: inout Response) -> Answering {
    refresh()
    InspectorHeaders.append(to: &response)
    defer { Self.rest() }
    do throws(RequestError) {
      scratch.question.removeAll()
      return try route(of: request).answer(self, request, &scratch, &response)
    } catch {
      response.write(error)
      return .now
    }
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
