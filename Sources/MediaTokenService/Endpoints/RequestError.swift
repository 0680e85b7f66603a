package import MediaToken
package import MediaTokenFormats
internal import MediaTokenHTTP

/// The reason why a request can't be answered with a verdict. The names are for programs and stay; the sentences are
/// for people.
package enum RequestError: Error, Sendable {
  /// 400: a parameter is missing, unknown, empty or repeated. The text says which and how.
  case parameter(String)
  /// 400: the body is not of its declared type. The text is the error.
  case body(String)
  /// 400: the decision does not say which token is to be verified.
  case decision(Problem)
  /// 403: the decision has no token.
  case noTokenInDecision(NoToken)
  /// 400: the request's id is repeated, empty, too long, or not plain.
  case requestID
  /// 401: the viewer sent no token.
  case noToken
  /// 403: the path can be read in two ways.
  case pathRefused
  /// 403: the listener for health and metrics is asked for more.
  case notOverTCP
  /// 403: a page of another site asks a listener on the loopback interface. The text is the error.
  case foreignSite(String)
  /// 403: the inspector is asked by a name that is not its own: another site has made it lead here.
  case foreignHost
  /// 403: a value from the viewer can be read in two ways. The text is the error.
  case ambiguous(String)
  /// 403: no route covers the path.
  case noRoute
  /// 403: the route does not let the viewer's method through.
  case methodRefused
  /// 404. The text is the error.
  case notFound(String)
  /// 405, with the value of `Allow`.
  case methodNotAllowed(StaticString)
  /// 415: the body is of no type that this endpoint takes.
  case mediaType
  /// 415: the body is compressed.
  case contentEncoding
  /// 503: an answer would need a header longer than proxies take; the token was not spent.
  case headerTooLong
  /// 503: a fault on our side kept the question from being read. No token was spent.
  case undecided(Fault)

  var status: UInt16 { answer.status }
  /// For programs.
  var name: String { answer.name }
  /// For people.
  package var detail: String { answer.detail }

  private var answer: (status: UInt16, name: String, detail: String) {
    switch self {
    case .parameter(let problem): (400, "bad-parameter", problem)
    case .body(let problem): (400, "bad-body", problem)
    case .decision(let error): (400, "bad-decision", error.description)
    case .noTokenInDecision: (403, NoToken.name, NoToken.detail)
    case .requestID:
      (
        400, "bad-request-id",
        "the request id is repeated, or is not 1 to 128 letters, digits and . _ - : + / = @"
      )
    case .noToken: (401, "no-token", "there is no token where the configuration expects one")
    case .pathRefused:
      (
        403, "path-refused",
        "the path is not UTF-8, or has dot segments, //, ;, backslashes, encoded / % ? #, control characters, broken escapes, or names that end in a dot or a space"
      )
    case .notOverTCP:
      (403, "not-over-tcp", "this listener serves health and metrics only; ask at the UNIX socket")
    case .foreignSite(let problem): (403, "foreign-site", problem)
    case .foreignHost:
      (
        403, "foreign-host",
        "the header Host is not the inspector's own address; open it by that, as localhost, 127.0.0.1 or [::1], with the port at which you reach it"
      )
    case .ambiguous(let problem): (403, "ambiguous", problem)
    case .noRoute: (403, "no-route", "no route covers the path")
    case .methodRefused: (403, "method-refused", "the path's route does not let the method through")
    case .notFound(let problem): (404, "not-found", problem)
    case .methodNotAllowed:
      (405, "method-not-allowed", "the path takes the methods in the header Allow, and not this one")
    case .mediaType:
      (
        415, "media-type",
        "Content-Type is given, and is not text/plain, application/json or application/x-www-form-urlencoded"
      )
    case .contentEncoding:
      (415, "media-type", "Content-Encoding is given, and is not identity; send the body as it is, uncompressed")
    case .headerTooLong:
      (
        503, "header-too-long",
        "the token's requestor, resource and providers take more than \(AuthHeaderLimits.names) bytes in headers, together with its credential; it was not spent"
      )
    case .undecided(let fault): (503, fault.answer.wireName, "no verdict, by a fault on this side")
    }
  }

  /// Nil if the question itself must be corrected.
  var action: Action? {
    switch self {
    case .noToken, .noTokenInDecision: .newToken
    case .undecided(let fault): fault.action
    case .parameter, .body, .decision, .requestID, .pathRefused, .notOverTCP, .foreignSite, .foreignHost,
      .ambiguous, .noRoute, .methodRefused, .notFound, .methodNotAllowed, .mediaType, .contentEncoding,
      .headerTooLong:
      nil
    }
  }
}

extension Handler {
  /// The members are `error`, `detail` and, where there is one, `action`; a decision without a token adds its reason.
  func refuse(_ error: RequestError, with response: inout Response) { response.write(error) }

  func refuse(_ refusal: RequestRefusal, with response: inout Response) { response.write(refusal) }
}

extension Response {
  mutating func write(_ error: RequestError) {
    if case .noTokenInDecision(let noToken) = error {
      status = error.status
      return writeObject { $0.members(of: noToken) }
    }
    if case .methodNotAllowed(let methods) = error { addField("Allow", "\(methods)") }
    writeError(error.status, error.name, error.detail, error.action)
  }

  /// For requests that the server refuses by itself.
  mutating func write(_ refusal: RequestRefusal) {
    writeError(refusal.status, refusal.name, refusal.description, refusal.action)
  }

  mutating func writeError(_ status: UInt16, _ name: String, _ detail: String, _ action: Action? = nil) {
    self.status = status
    writeObject { writer in
      writer.member("error", name)
      writer.member("detail", detail)
      if let action { writer.member("action", action.rawValue) }
    }
  }
}

extension Response {
  /// One JSON object on a line takes the body's place, in the body's own memory.
  mutating func writeObject(_ members: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    swap(&writer.bytes, &body)
    writer.bytes.removeAll(keepingCapacity: true)
    contentType = "application/json"
    writer.object(members)
    writer.endLine()
    swap(&writer.bytes, &body)
  }
}

extension RequestRefusal {
  /// A request that was too slow may come again.
  fileprivate var action: Action? {
    switch self {
    case .late: .retry
    case .malformed, .lengthRequired, .bodyTooLarge, .targetTooLong, .expectation, .headTooLarge, .version: nil
    }
  }
}
