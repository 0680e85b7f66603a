internal import MediaToken
internal import MediaTokenHTTP
internal import MediaTokenJSON

/// What `/v1/auth` says to a proxy.
enum AuthOutcome {
  /// The route needs no token.
  case unprotected
  /// A verdict, or a fault.
  case decided(Result<VerifiedToken, Refusal>)
  /// 401: the viewer sent no token.
  case noToken
  /// The request is no question that has an answer.
  case refused(RequestError)
}

extension Handler {
  /// `/v1/auth`: may this viewer's request go through? The body is not looked at.
  func authorize(
    _ request: borrowing Request, _ target: RequestTarget, _ scratch: inout Scratch,
    with response: inout Response
  ) {
    guard let rules = state.auth else { return refuse(.notFound, with: &response) }
    var name: RequestName?
    var outcome: AuthOutcome
    do throws(RequestError) {
      guard RequestPath.decode(request.target.extracting(..<target.pathEnd)) != nil else { throw .pathRefused }
      let ours = try RequestName(request, self)
      name = ours
      outcome = try authOutcome(rules, request, target, ours, &scratch)
    } catch {
      outcome = .refused(error)
    }
    if !AuthHeaders.append(outcome, to: &response) { outcome = .refused(.headerTooLong) }
    write(outcome, name, with: &response)
    if rules.observes {
      response.fields.append((name: "X-Media-Token-Observe", value: Array("\(response.status)".utf8)))
      response.status = 200
    }
  }

  private func authOutcome(
    _ rules: AuthRules, _ request: borrowing Request, _ target: RequestTarget, _ name: RequestName,
    _ scratch: inout Scratch
  ) throws(RequestError) -> AuthOutcome {
    let uri = try Self.originalURI(rules, request, target)
    let cut = RequestTarget(uri.span)
    guard let path = RequestPath.decode(uri.span.extracting(..<cut.pathEnd)) else { throw .pathRefused }
    guard let access = rules.access(to: path) else { throw .noRoute }
    guard case .protected(let requestor, let resource) = access else { return .unprotected }
    try Self.note(requestor, rules.requestorHeader, .requestor, request.fields, &scratch)
    try Self.note(resource, rules.resourceHeader, .resource, request.fields, &scratch)
    let expectation = try expectation(scratch.question)
    // Before the token is spent: its resource must fit the answer.
    guard AuthHeaders.fits(expectation) else { throw .headerTooLong }
    try Self.noteToken(rules, request.fields, uri.span.extracting(cut.queryStart...), &scratch)
    guard scratch.question.hasToken else { return .noToken }
    let context = QuestionContext(name: name, peer: request.peer, endpoint: "auth")
    return .decided(decide(scratch.question.token.span, expectation, as: context))
  }

  /// What the viewer asked for, as the proxy says; one source and no other.
  private static func originalURI(
    _ rules: AuthRules, _ request: borrowing Request, _ target: RequestTarget
  ) throws(RequestError) -> [UInt8] {
    if let header = rules.uriHeader {
      guard case .one(let place) = request.fields.find(header.span) else {
        throw .ambiguous("expected the header with the original URI once")
      }
      let value = request.fields.value(place)
      var uri: [UInt8] = []
      uri.append(copying: value)
      return uri
    }
    let rest = request.target.extracting("/v1/auth".utf8.count...)
    var uri: [UInt8] = target.pathEnd == "/v1/auth".utf8.count ? [UInt8(ascii: "/")] : []
    uri.append(copying: rest)
    return uri
  }

  /// Requestor or resource: the route's, or the header's if the configuration names one.
  private static func note(
    _ ofRoute: [UInt8]?, _ header: [UInt8]?, _ parameter: Question.Parameter, _ fields: borrowing HeaderFields,
    _ scratch: inout Scratch
  ) throws(RequestError) {
    if let ofRoute {
      _ = scratch.question.set(parameter, ofRoute.span)
      return
    }
    guard let header else { return }
    switch fields.find(header.span) {
    case .none: return
    case .repeated: throw .ambiguous("expected the header for the \(parameter) once")
    case .one(let place):
      guard scratch.question.set(parameter, fields.value(place)) else {
        throw .ambiguous("expected text in the header for the \(parameter)")
      }
    }
  }

  /// The token from the header or the query, whichever the configuration names; empty is none, and two are one too many.
  private static func noteToken(
    _ rules: AuthRules, _ fields: borrowing HeaderFields, _ query: Span<UInt8>, _ scratch: inout Scratch
  ) throws(RequestError) {
    if let header = rules.tokenHeader {
      switch fields.find(header.span) {
      case .none: break
      case .repeated: throw .ambiguous("expected the header with the token once")
      case .one(let place): _ = scratch.question.set(.token, fields.value(place))
      }
    }
    guard let parameter = rules.queryParameter else { return }
    var start = 0
    var isFound = false
    while start < query.count {
      let place = FormText.parameter(of: query, from: start)
      if FormText.decode(query.extracting(place.name), into: &scratch.name), scratch.name == parameter {
        guard !isFound else { throw .ambiguous("expected the parameter with the token once") }
        guard FormText.decode(query.extracting(place.value), into: &scratch.value) else {
          throw .ambiguous("expected two hexadecimal digits after every % in the parameter with the token")
        }
        isFound = true
        let value = scratch.value
        if !value.isEmpty {
          guard scratch.question.set(.token, value.span) else {
            throw .ambiguous("expected the token in a header or in the query, not in both")
          }
        }
      }
      start = place.next
    }
  }

  private func write(_ outcome: AuthOutcome, _ name: RequestName?, with response: inout Response) {
    switch outcome {
    // Without a body: nginx and Caddy read none here, and keep a connection only behind an answer that has none.
    case .unprotected, .decided(.success): response.status = 200
    case .decided(.failure(let refusal)):
      response.status = UInt16(refusal.answer.httpStatus)
      response.writeObject { writer in
        switch refusal {
        case .rejected(let rejection): writer.members(of: rejection)
        case .undecided(let fault): writer.members(of: fault)
        }
        name?.write(to: &writer)
      }
    case .noToken:
      // RFC 9110, section 15.5.2: a 401 says how to come back.
      response.fields.append((name: "WWW-Authenticate", value: Array("MediaToken".utf8)))
      response.status = 401
      response.writeObject { writer in
        writer.member("error", "no-token")
        writer.member("detail", "expected a token where the configuration says that it is")
      }
    case .refused(let error): refuse(error, with: &response)
    }
  }
}
