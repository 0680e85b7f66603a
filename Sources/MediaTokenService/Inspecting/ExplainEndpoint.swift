internal import MediaToken
internal import MediaTokenBatch
internal import MediaTokenDecision
internal import MediaTokenExplain
internal import MediaTokenFleet
internal import MediaTokenHTTP
internal import MediaTokenJSON
internal import MediaTokenReplay
internal import MediaTokenSystem

extension InspectorHandler {
  /// `POST /v1/explain`: why a token is refused, or would be accepted. No token is used up.
  func explain(
    _ request: borrowing Request, _ scratch: inout Handler.Scratch, with response: inout Response
  ) {
    let explained: ExplainedToken
    do throws(RequestError) {
      explained = try read(request, &scratch)
    } catch {
      if case .undecided(let fault) = error {
        response.status = UInt16(fault.answer.httpStatus)
        return response.writeObject { $0.members(of: Refusal.undecided(fault)) }
      }
      return response.write(error)
    }
    response.status = 200
    response.writeObject { explained.write(to: &$0) }
  }

  private func read(
    _ request: borrowing Request, _ scratch: inout Handler.Scratch
  ) throws(RequestError) -> ExplainedToken {
    let query = request.target.extracting(RequestTarget(request.target).queryStart...)
    try Handler.read(query, mayHaveToken: false, into: &scratch)
    var decision: Decision?
    switch request.fields.mediaType() {
    case .form: try Handler.read(request.body, mayHaveToken: true, into: &scratch)
    case .json:
      if let document = try Handler.readJSON(request.body, into: &scratch) {
        decision = try state.choose(from: document, &scratch.question)
      }
    case .none, .text: break
    case .ndjson, .other: throw .mediaType(.verify)
    }
    // A copy, because the question is completed by it.
    var token = scratch.question.token
    if !scratch.question.hasToken { token.append(copying: request.body) }
    let asked = state.complete(&scratch.question, from: token)
    let expectation = try state.expectation(scratch.question, at: .verify)
    let memory = try memory()
    do throws(UnexplainedToken) {
      return try ExplainedToken(
        token.span, with: expectation.verifier, requestor: expectation.requestor, resource: expectation.resource,
        asked: asked, at: .now, lookingAt: memory, from: decision)
    } catch {
      throw .undecided(error.fault)
    }
  }

  /// The replay memory, to be looked at.
  private func memory() throws(RequestError) -> LookedAtMemory {
    guard let memory = service.memory else { return .none }
    if let table = memory as? SharedReplayTable { return .table(table) }
    let replay = state.configuration.replay
    guard let fleet = memory as? FleetMemory, case .fleet(let address) = replay.address,
      let policy = try? state.configuration.loosestPolicy()
    else { throw .undecided(.replayMemoryUnavailable) }
    let options = FleetOptions(
      address: address, policy: policy, credentialsFile: replay.fleet.credentialsFile,
      deadlineMilliseconds: replay.fleet.deadlineMilliseconds,
      retryWindowMilliseconds: replay.retryWindowMilliseconds)
    do throws(FleetError) {
      return .seats(try FleetAdministration(options), localTable: fleet.localTable)
    } catch {
      throw .undecided(.replayMemoryUnavailable)
    }
  }
}

extension ServingState {
  /// Takes the token out of a decision.
  ///
  /// - Throws: 400 if there is not exactly one, 403 if it has no token, 503 for a fault.
  fileprivate func choose(
    from document: DecisionDocument, _ question: inout Question
  ) throws(RequestError) -> Decision {
    var resource = ExpectedResource.anyResource
    if question.resource.isGiven {
      resource = try question.resource.expected()
    } else if let expectation = try? expectation(question, at: .verify), expectation.resource != .noMatch {
      resource = expectation.resource
    }
    switch try rethrow(document.answer(for: resource), as: RequestError.ofDecision) {
    case .token(let text, let decision):
      question.take(token: text.utf8Span.span)
      return decision
    case .noToken(let noToken): throw .noTokenInDecision(noToken)
    }
  }

  /// Adds to a question what neither it nor the configuration says: the requestor and resource that the token names. So a
  /// person need not know them, and the token is explained by the rules of the tenant that it is for.
  ///
  /// What the token names is not verified here; the path verifies it, and compares it with itself.
  ///
  /// - Returns: what the question or the configuration said by itself.
  fileprivate func complete(_ question: inout Question, from token: [UInt8]) -> AskedBinding {
    var asked = AskedBinding(
      requestor: question.requestor.isGiven || tenants.count == 1, resource: question.resource.isGiven)
    if !asked.resource, asked.requestor, (try? expectation(question, at: .verify)) != nil { asked.resource = true }
    guard asked != .both else { return asked }
    var observer = Unseen()
    let fields = try? UnverifiedFields(showing: token.span, observer: &observer)
    // If a token can't be read, no field is compared.
    let requestor = fields?.requestorID.text ?? "-"
    if !asked.requestor { _ = question.requestor.set(Array(requestor.utf8).span) }
    if !asked.resource, (try? expectation(question, at: .verify)) != nil {
      // The tenant has just one.
      asked.resource = tenants.contains { question.requestor.isSame(as: $0.requestor) }
      return asked
    }
    if !asked.resource { _ = question.resource.set(.exact, Array((fields?.resourceID.text ?? "-").utf8).span) }
    return asked
  }
}

/// Sees nothing of a token that is only read.
private struct Unseen: PathObserver {
  // As the library's observer that sees nothing: a value of no size has no address, which ThreadSanitizer needs.
  private let size: UInt8 = 0
}
