internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenHTTP

extension Handler {
  /// `/v1/auth`: the permission for a viewer's request to go through. The body is not looked at.
  func authorize(
    _ request: borrowing Request, _ scratch: inout Scratch, with response: inout Response
  ) -> Answering {
    guard let rules = state.auth else {
      refuse(Self.notFound, with: &response)
      return .now
    }
    var name: RequestName?
    do throws(RequestError) {
      let below = request.path.extracting("/v1/auth".utf8.count...)
      guard rules.uriHeader == nil || below.isEmpty || RequestPath.decode(below) != nil else { throw .pathRefused }
      let ours = try RequestName(request, header: state.requestIDHeader, generatingBy: &requestIDs)
      name = ours
      return try authorize(by: rules, request, ours, &scratch, with: &response)
    } catch {
      write(.refused(error), name, state, with: &response)
      return .now
    }
  }

  func write(_ outcome: AuthOutcome, _ name: RequestName?, _ state: ServingState, with response: inout Response) {
    AuthHeaders.append(outcome, to: &response)
    // An answer is for one request: given again it would be a second use.
    response.addField("Cache-Control", "no-store")
    writeStatus(of: outcome, name, state, with: &response)
    if state.auth?.observes == true {
      response.addField("X-Media-Token-Observe", "\(response.status)")
      response.status = 200
    }
  }

  private func authorize(
    by rules: AuthRules, _ request: borrowing Request, _ name: RequestName, _ scratch: inout Scratch,
    with response: inout Response
  ) throws(RequestError) -> Answering {
    func answer(_ outcome: AuthOutcome) -> Answering {
      write(outcome, name, state, with: &response)
      return .now
    }
    var uri = request.target.extracting("/v1/auth".utf8.count...)
    if let header = rules.uriHeader {
      guard case .one(let place) = request.fields.find(header.span) else {
        throw .ambiguous("the header with the original URI is missing or repeated")
      }
      uri = request.fields.value(place)
    }
    let target = RequestTarget(uri)
    let isRoot = rules.uriHeader == nil && target.path.isEmpty
    guard let path = isRoot ? [UInt8(ascii: "/")] : RequestPath.decode(uri.extracting(target.path)) else {
      throw .pathRefused
    }
    let route = try rules.route(to: path)
    guard let method = try Self.viewersMethod(rules, request), route.methods.contains(method) else {
      throw .methodRefused
    }
    guard case .protected(let requestor, let resource) = route.access else { return answer(.unprotected) }
    if method.price == .nothing { return answer(.letThrough) }
    try Self.noteExpected(requestor, resource, rules, request, &scratch.question)
    var expectation: Expectation
    do throws(RequestError) {
      expectation = try state.expectation(scratch.question, at: .auth)
    } catch .undecided(let fault) {
      return fail(fault, AskedToken(request, name, at: .auth, nil, state), with: &response)
    }
    expectation.handover = route.handover
    try rules.noteToken(request.fields, uri.extracting(target.query), &scratch)
    guard scratch.question.hasToken else { return answer(.noToken) }
    return decide(
      scratch.question.token.span, expectation, isSpent: method.price == .use,
      as: AskedToken(request, name, at: .auth, expectation, state), with: &response)
  }

  /// What a route does not say is in headers.
  private static func noteExpected(
    _ requestor: ExactText?, _ resource: ExpectedResource?, _ rules: AuthRules, _ request: borrowing Request,
    _ question: inout Question
  ) throws(RequestError) {
    if let requestor {
      _ = question.requestor.set(requestor.text.utf8Span.span)
    } else {
      try note(.requestor, rules.requestorHeader, "requestor", request.fields, &question)
    }
    if let resource {
      question.resource = GivenResource(resource)
    } else {
      try note(.resource(.exact), rules.resourceHeader, "resource", request.fields, &question)
    }
  }

  /// The viewer's method, as the proxy says, or the proxy's own; only one source is consulted. Nil for a method that no route
  /// lets through.
  private static func viewersMethod(
    _ rules: AuthRules, _ request: borrowing Request
  ) throws(RequestError) -> ViewerMethod? {
    guard let header = rules.methodHeader else { return ViewerMethod(request.method) }
    guard case .one(let place) = request.fields.find(header.span) else {
      throw .ambiguous("the header with the original method is missing or repeated")
    }
    return ViewerMethod(request.fields.value(place))
  }

  /// The header is nil if the configuration names none.
  private static func note(
    _ parameter: Question.Parameter, _ header: [UInt8]?, _ what: StaticString, _ fields: borrowing HeaderFields,
    _ question: inout Question
  ) throws(RequestError) {
    guard let header else { return }
    switch fields.find(header.span) {
    case .none: return
    case .repeated: throw .ambiguous("the header for the \(what) is repeated")
    case .one(let place):
      guard question.set(parameter, fields.value(place)) else {
        throw .ambiguous("the header for the \(what) is empty")
      }
    }
  }

  private func writeStatus(
    of outcome: AuthOutcome, _ name: RequestName?, _ state: ServingState, with response: inout Response
  ) {
    switch outcome {
    // Without a body: nginx and Caddy read none here, and keep a connection only after an answer that has none.
    case .unprotected, .decided(.valid): response.status = 200
    // The request may go on, and plays nothing: 200 is for what plays.
    case .letThrough, .decided(.notSpent): response.status = 204
    case .decided(.tooLong): refuse(.headerTooLong, with: &response)
    case .decided(.refused(let refusal)): response.write(refusal, name)
    case .noToken:
      // RFC 9110, section 15.5.2: a 401 says how to come back.
      response.addField("WWW-Authenticate", state.auth?.challenge ?? "")
      refuse(.noToken, with: &response)
    case .refused(let error): refuse(error, with: &response)
    }
  }
}
