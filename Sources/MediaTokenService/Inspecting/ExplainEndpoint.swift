internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenHTTP

extension InspectorHandler {
  /// `POST /v1/explain`: the reason why a token is refused, or would be accepted. No token is used up.
  func explain(
    _ request: borrowing Request, _ scratch: inout Scratch, with response: inout Response
  ) {
    let explained: ExplainedToken
    do throws(RequestError) {
      explained = try read(request, &scratch)
    } catch {
      return write(error, with: &response)
    }
    response.status = 200
    // What was found before the fault is said as well: a person may see by it how old the token is, and what for.
    if case .undecided(let fault) = explained.conclusion { response.status = UInt16(fault.answer.httpStatus) }
    response.writeObject { explained.write(to: &$0) }
  }

  /// As at `/v1/verify`, with the sentence for the viewer.
  private func write(_ error: RequestError, with response: inout Response) {
    switch error {
    case .undecided(let fault):
      response.status = UInt16(fault.answer.httpStatus)
      response.writeObject { writer in
        writer.members(of: Refusal.undecided(fault))
        writer.member("viewer", fault.action.viewerSentence)
      }
    case .noTokenInDecision(let noToken):
      response.status = error.status
      response.writeObject { writer in
        writer.members(of: noToken)
        writer.member("viewer", Action.newToken.viewerSentence)
        writer.member("next", [Action.newToken.nextSentence])
      }
    default: response.write(error)
    }
  }

  private func read(
    _ request: borrowing Request, _ scratch: inout Scratch
  ) throws(RequestError) -> ExplainedToken {
    try Handler.read(request.query, mayHaveToken: false, into: &scratch)
    var document: DecisionDocument?
    switch try request.fields.bodyType() {
    case .form: try Handler.read(request.body, mayHaveToken: true, into: &scratch)
    case .json: document = try Handler.readJSON(request.body, into: &scratch)
    case .none, .text, .other: break
    }
    if document == nil, !scratch.question.hasToken { scratch.question.take(token: request.body) }
    return try state.explain(&scratch.question, from: document, peekingAt: memory, in: .service)
  }

  /// For a look.
  private var memory: PeekedMemory {
    let store = state.verifier.store
    if !store.isEnforced { return .none }
    if let table = store as? SharedReplayTable { return .table(table) }
    guard let fleet = store as? MovableFleet, let plan = try? state.configuration.fleetPlan(),
      let memory = try? plan.looks(localTable: fleet.localTable)
    else { return .unreachable }
    return memory
  }
}
