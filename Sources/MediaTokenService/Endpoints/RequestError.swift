internal import MediaTokenHTTP
internal import MediaTokenJSON

/// Why a request can't be answered with a verdict. The names are for programs and stay; the sentences are for people.
enum RequestError: Error, Sendable {
  /// 400: a parameter is missing, unknown, empty or there twice; what was expected.
  case parameter(String)
  /// 400: the body is not what its type says; what was expected.
  case body(String)
  /// 400: the request's id is repeated, empty, too long, or not plain.
  case requestID
  /// 403: the path can be read in two ways.
  case pathRefused
  /// 403: the listener for health and metrics is asked for more.
  case notOverTCP
  /// 403: what a viewer sent can be read in two ways; what was expected.
  case ambiguous(String)
  /// 403: no route covers the path.
  case noRoute
  /// 403: the route does not let the viewer's method through.
  case methodRefused
  /// 404.
  case notFound
  /// 405.
  case methodNotAllowed
  /// 415.
  case mediaType
  /// 413: more lines than a batch may have.
  case tooManyLines(limit: Int)
  /// 503: an answer would need a header longer than proxies take; the token was not spent.
  case headerTooLong

  var status: UInt16 {
    switch self {
    case .parameter, .body, .requestID: 400
    case .pathRefused, .notOverTCP, .ambiguous, .noRoute, .methodRefused: 403
    case .notFound: 404
    case .methodNotAllowed: 405
    case .tooManyLines: 413
    case .mediaType: 415
    case .headerTooLong: 503
    }
  }

  /// For programs.
  var name: String {
    switch self {
    case .parameter: "bad-parameter"
    case .body: "bad-body"
    case .requestID: "bad-request-id"
    case .pathRefused: "path-refused"
    case .notOverTCP: "not-over-tcp"
    case .ambiguous: "ambiguous"
    case .noRoute: "no-route"
    case .methodRefused: "method-refused"
    case .notFound: "not-found"
    case .methodNotAllowed: "method-not-allowed"
    case .mediaType: "media-type"
    case .tooManyLines: "too-many-lines"
    case .headerTooLong: "header-too-long"
    }
  }

  /// For people.
  var detail: String {
    switch self {
    case .parameter(let expected), .body(let expected), .ambiguous(let expected): expected
    case .requestID: "expected one request id of 1 to 128 letters, digits and . _ - : + / = @"
    case .pathRefused:
      "expected a path of UTF-8 without dot segments, //, ;, backslashes, encoded / % ? #, control characters, broken escapes, and names that end in a dot or a space"
    case .notOverTCP: "expected the UNIX socket; this listener serves health and metrics"
    case .noRoute: "expected a path that a route covers"
    case .methodRefused: "expected a method that the path's route lets through"
    case .notFound: "expected /v1/verify, /v1/verify-batch, /v1/auth, /v1/keys, /livez, /readyz or /metrics"
    case .methodNotAllowed: "expected a method that the header Allow names"
    case .mediaType: "expected text/plain or none, application/json, or application/x-www-form-urlencoded"
    case .tooManyLines(let limit): "expected at most \(limit) lines"
    case .headerTooLong:
      "expected the token's requestor, resource and providers to take at most \(AuthHeaders.longestNames) bytes in headers; it was not spent"
    }
  }
}

extension Handler {
  /// Answers with `error` and `detail`.
  func refuse(_ error: RequestError, with response: inout Response) {
    write(error.status, error.name, error.detail, &response)
  }

  func refuse(_ refusal: RequestRefusal, with response: inout Response) {
    write(refusal.status, refusal.name, refusal.description, &response)
  }

  private func write(_ status: UInt16, _ name: String, _ detail: String, _ response: inout Response) {
    response.status = status
    response.writeObject { writer in
      writer.member("error", name)
      writer.member("detail", detail)
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
}
