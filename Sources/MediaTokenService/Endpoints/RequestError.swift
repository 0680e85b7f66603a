package import MediaToken
package import MediaTokenFormats
internal import MediaTokenHTTP

/// Why a request can't be answered with a verdict. The names are for programs and stay; the sentences are for people.
package enum RequestError: Error, Sendable {
  /// 400: a parameter is missing, unknown, empty or repeated: what is wrong.
  case parameter(String)
  /// 400: the body is not what its type says: what is wrong.
  case body(String)
  /// 400: the decision does not say which token is to be verified.
  case decision(DecisionError)
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
  /// 403: a page of another site asks the listener on the loopback interface.
  case foreignSite
  /// 403: what a viewer sent can be read in two ways: what is wrong.
  case ambiguous(String)
  /// 403: no route covers the path.
  case noRoute
  /// 403: the route does not let the viewer's method through.
  case methodRefused
  /// 404.
  case notFound
  /// 405.
  case methodNotAllowed
  /// 415: the body is of no type that this endpoint takes.
  case mediaType
  /// 503: an answer would need a header longer than proxies take; the token was not spent.
  case headerTooLong
  /// 503: a fault on our side kept the question from being read. No token was spent.
  case undecided(Fault)

  var status: UInt16 {
    switch self {
    case .parameter, .body, .decision, .requestID: 400
    case .noToken: 401
    case .noTokenInDecision, .pathRefused, .notOverTCP, .foreignSite, .ambiguous, .noRoute, .methodRefused: 403
    case .notFound: 404
    case .methodNotAllowed: 405
    case .mediaType: 415
    case .headerTooLong, .undecided: 503
    }
  }

  /// For programs.
  var name: String {
    switch self {
    case .parameter: "bad-parameter"
    case .body: "bad-body"
    case .decision: "bad-decision"
    case .noTokenInDecision: NoToken.name
    case .requestID: "bad-request-id"
    case .noToken: "no-token"
    case .pathRefused: "path-refused"
    case .notOverTCP: "not-over-tcp"
    case .foreignSite: "foreign-site"
    case .ambiguous: "ambiguous"
    case .noRoute: "no-route"
    case .methodRefused: "method-refused"
    case .notFound: "not-found"
    case .methodNotAllowed: "method-not-allowed"
    case .mediaType: "media-type"
    case .headerTooLong: "header-too-long"
    case .undecided(let fault): fault.answer.wireName
    }
  }

  /// What to do next, unless the question itself must be corrected.
  var action: Action? {
    switch self {
    case .noToken, .noTokenInDecision: .newToken
    case .undecided(let fault): fault.action
    case .parameter, .body, .decision, .requestID, .pathRefused, .notOverTCP, .foreignSite, .ambiguous, .noRoute,
      .methodRefused,
      .notFound,
      .methodNotAllowed, .mediaType, .headerTooLong:
      nil
    }
  }

  /// For people.
  package var detail: String {
    switch self {
    case .undecided: "no verdict, by a fault on this side"
    case .parameter(let expected), .body(let expected), .ambiguous(let expected): expected
    case .decision(let error): error.description
    case .noTokenInDecision: NoToken.detail
    case .requestID: "the request id is repeated, or is not 1 to 128 letters, digits and . _ - : + / = @"
    case .noToken: "there is no token where the configuration expects one"
    case .pathRefused:
      "the path is not UTF-8, or has dot segments, //, ;, backslashes, encoded / % ? #, control characters, broken escapes, or names that end in a dot or a space"
    case .foreignSite:
      "this listener is for programs of this host: Host must be localhost, 127.0.0.1 or [::1], and neither Origin nor Sec-Fetch-Site that of another site"
    case .notOverTCP: "this listener serves health and metrics only; ask at the UNIX socket"
    case .noRoute: "no route covers the path"
    case .methodRefused: "the path's route does not let the method through"
    case .notFound:
      "the path is not /v1/verify, /v1/auth, /v1/keys, /livez, /readyz or /metrics"
    case .methodNotAllowed: "the path takes the methods in the header Allow, and not this one"
    case .mediaType:
      "Content-Type is given, and is not text/plain, application/json or application/x-www-form-urlencoded"
    case .headerTooLong:
      "the token's requestor, resource and providers take more than \(AuthHeaderLimits.names) bytes in headers, together with its credential; it was not spent"
    }
  }
}

extension Handler {
  /// Answers with `error`, `detail` and, where there is one, `action`; of a decision without a token with what it says in its place.
  func refuse(_ error: RequestError, with response: inout Response) { response.write(error) }

  func refuse(_ refusal: RequestRefusal, with response: inout Response) { response.write(refusal) }
}

extension Response {
  /// An error of a question.
  mutating func write(_ error: RequestError) {
    if case .noTokenInDecision(let noToken) = error {
      status = error.status
      return writeObject { $0.members(of: noToken) }
    }
    writeError(error.status, error.name, error.detail, error.action)
  }

  /// What the server refuses by itself.
  mutating func write(_ refusal: RequestRefusal) {
    writeError(refusal.status, refusal.name, refusal.description, refusal.action)
  }

  /// An error for programs and people.
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
  /// Replaces the body by one JSON object on a line, in the body's own memory.
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
  /// For programs.
  fileprivate var name: String {
    switch self {
    case .malformed: "malformed"
    case .late: "late"
    case .lengthRequired: "length-required"
    case .bodyTooLarge: "body-too-large"
    case .targetTooLong: "target-too-long"
    case .expectation: "expectation"
    case .headTooLarge: "head-too-large"
    case .version: "version"
    }
  }

  /// What to do next: a request that was too slow may come again.
  fileprivate var action: Action? {
    switch self {
    case .late: .retry
    case .malformed, .lengthRequired, .bodyTooLarge, .targetTooLong, .expectation, .headTooLarge, .version: nil
    }
  }
}
