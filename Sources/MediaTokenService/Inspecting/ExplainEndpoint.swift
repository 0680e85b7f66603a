internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenHTTP
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
      return write(error, with: &response)
    }
    response.status = 200
    // What was found before the fault is said as well: a person may see by it how old the token is, and what for.
    if case .undecided(let fault) = explained.conclusion { response.status = UInt16(fault.answer.httpStatus) }
    response.writeObject { explained.write(to: &$0) }
  }

  /// As at `/v1/verify`, and what to tell the viewer.
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
      }
    default: response.write(error)
    }
  }

  private func read(
    _ request: borrowing Request, _ scratch: inout Handler.Scratch
  ) throws(RequestError) -> ExplainedToken {
    try Handler.read(request.query, mayHaveToken: false, into: &scratch)
    var decision: Decision?
    switch request.fields.mediaType() {
    case .form: try Handler.read(request.body, mayHaveToken: true, into: &scratch)
    case .json:
      if let document = try Handler.readJSON(request.body, into: &scratch) {
        decision = try state.choose(from: document, &scratch.question)
      }
    case .none, .text: break
    case .other: throw .mediaType
    }
    // A copy, because the question is completed by it.
    var token = scratch.question.token
    if !scratch.question.hasToken { token.append(copying: request.body) }
    let now = Instant.now
    let (expectation, asked) = try state.expectation(&scratch.question, orOf: token, at: now)
    return ExplainedToken(
      token.span, with: expectation.verifier, requestor: expectation.requestor, resource: expectation.resource,
      asked: asked, at: now, peekingAt: memory, from: decision)
  }

  /// How long a look waits for seats. A verdict has waited for them no longer than a fifth of that, and the next who asks the
  /// inspector waits here as well.
  static func timeoutMilliseconds(_ fleet: FleetSettings) -> Int { min(5 * fleet.deadlineMilliseconds, 2000) }

  /// The replay memory, to be looked at.
  private var memory: PeekedMemory {
    guard let memory = service.memory else { return .none }
    if let table = memory as? SharedReplayTable { return .table(table) }
    let replay = state.configuration.replay
    guard let fleet = memory as? FleetMemory, case .fleet(let address) = replay.address,
      let policy = try? state.configuration.loosestPolicy()
    else { return .unreachable }
    let options = FleetOptions(
      address: address, policy: policy, credentialsFile: replay.fleet.credentialsFile,
      deadlineMilliseconds: replay.fleet.deadlineMilliseconds,
      retryWindowMilliseconds: replay.retryWindowMilliseconds)
    do throws(FleetError) {
      var seats = try FleetAdministration(options)
      seats.timeoutMilliseconds = Self.timeoutMilliseconds(replay.fleet)
      return .seats(seats, localTable: fleet.localTable)
    } catch {
      return .unreachable
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

  /// What a token is checked against. What neither the question nor the configuration says is what the token itself names: so
  /// a person need not know it, and the token is explained by the rules of the tenant that it is for.
  ///
  /// Only what a trusted key signed is read for that. A token that does not come so far is explained as one for an unknown tenant,
  /// of which no field is looked at.
  ///
  /// - Returns: also what the question or the configuration said by itself.
  fileprivate func expectation(
    _ question: inout Question, orOf token: [UInt8], at now: Instant
  ) throws(RequestError) -> (Expectation, AskedBinding) {
    var asked = AskedBinding(
      requestor: question.requestor.isGiven || tenants.count == 1, resource: question.resource.isGiven)
    if !asked.resource, asked.requestor, (try? expectation(question, at: .verify)) != nil { asked.resource = true }
    guard asked != .both else { return (try expectation(question, at: .verify), asked) }
    // What can't be read is an error, whatever the token is.
    if question.resource.isGiven { _ = try question.resource.expected() }
    guard let names = try signedNames(of: token, at: now) else {
      return (Expectation(verifier: unknownTenant, requestor: .noMatch, resource: .noMatch), asked)
    }
    if !asked.requestor { _ = question.requestor.set(Array(names.requestor.text.utf8).span) }
    if !asked.resource {
      if (try? expectation(question, at: .verify)) != nil {
        // The tenant has just one.
        asked.resource = tenants.contains { question.requestor.isSame(as: $0.requestor) }
      } else {
        _ = question.resource.set(.exact, Array(names.resource.text.utf8).span)
      }
    }
    return (try expectation(question, at: .verify), asked)
  }

  /// The requestor and resource that a token names; nil unless a trusted key signed them, and they can be read.
  ///
  /// - Throws: a fault.
  private func signedNames(of token: [UInt8], at now: Instant) throws(RequestError) -> SignedNames? {
    var names = SignedNames()
    do throws(Refusal) {
      // An unknown tenant's token: it ends in step 6 at the latest.
      _ = try unknownTenant.qualify(token.span, requestor: .noMatch, resource: .noMatch, at: now, observer: &names)
        .leave()
    } catch {
      if case .undecided(let fault) = error { throw .undecided(fault) }
    }
    return names.areRead ? names : nil
  }
}

/// Sees what a token names once step 4 is passed, and nothing before.
private struct SignedNames: PathObserver {
  private(set) var requestor = ExactText("")
  private(set) var resource = ExactText("")
  private(set) var areRead = false

  mutating func passedFields(_ fields: TokenFields) {
    (requestor, resource, areRead) = (fields.requestorID, fields.resourceID, true)
  }
}
