/// Why a request is answered without being looked at. The connection ends with that answer.
package enum RequestRefusal: Hashable, Sendable {
  /// 400: what the head says can be read in two ways, or not at all; what was expected.
  case malformed(Rule)
  /// 408: the request was not whole by its deadline.
  case late
  /// 411: a POST without a length, or with a body in chunks.
  case lengthRequired(Length)
  /// 413: the body is longer than the endpoint takes, in bytes.
  case bodyTooLarge(limit: Int)
  /// 414: the request line alone is longer than a head may be, in bytes.
  case targetTooLong(limit: Int)
  /// 417: the client waits for something that is not `100-continue`.
  case expectation
  /// 431: the head is longer than the server takes, in bytes.
  case headTooLarge(limit: Int)
  /// 505: another version of HTTP than 1.0 and 1.1.
  case version

  /// Which length is missing.
  package enum Length: Hashable, Sendable {
    /// None was given.
    case absent
    /// The body comes in chunks.
    case chunked
  }

  /// The rules that a head can break.
  package enum Rule: Hashable, Sendable, CaseIterable {
    case lineEnd, requestLine, method, target, fieldName, fieldValue, host, repeatedHost, missingHost
    case contentLength, repeatedLength, transferCoding, bodyOfConnect
  }

  /// The status that says it (RFC 9110 section 15).
  package var status: UInt16 {
    switch self {
    case .malformed: 400
    case .late: 408
    case .lengthRequired: 411
    case .bodyTooLarge: 413
    case .targetTooLong: 414
    case .expectation: 417
    case .headTooLarge: 431
    case .version: 505
    }
  }
}

extension RequestRefusal: CustomStringConvertible {
  /// For people: what was expected, and what to do where it is not plain.
  package var description: String {
    switch self {
    case .malformed(let rule): rule.description
    case .late: "expected the whole request by its deadline"
    case .lengthRequired(.absent): "expected one Content-Length"
    case .lengthRequired(.chunked):
      "expected one Content-Length, found a body in chunks; send the body whole, as a string or bytes and not as a stream, or set Content-Length yourself"
    case .bodyTooLarge(let limit): "expected a body of at most \(limit) bytes"
    case .targetTooLong(let limit): "expected a request line and headers of at most \(limit) bytes"
    case .expectation: "expected no Expect but 100-continue"
    case .headTooLarge(let limit): "expected a request line and headers of at most \(limit) bytes"
    case .version: "expected HTTP/1.1 or HTTP/1.0"
    }
  }
}

extension RequestRefusal.Rule: CustomStringConvertible {
  /// What was expected.
  package var description: String {
    switch self {
    case .lineEnd: "expected lines that end with CR LF, none of them folded, and no control characters"
    case .requestLine: "expected a method, a target and HTTP/1.1 with one space between them"
    case .method: "expected a method made of letters"
    case .target: "expected a request target of visible ASCII characters"
    case .fieldName: "expected a field name of the characters that RFC 9110 allows, and a colon right after it"
    case .fieldValue: "expected a field value without control characters"
    case .host: "expected the characters of a host and a port in Host"
    case .repeatedHost: "expected one Host field"
    case .missingHost: "expected a Host field"
    case .contentLength: "expected a Content-Length of digits"
    case .repeatedLength: "expected one Content-Length field"
    case .transferCoding: "expected no Transfer-Encoding; send a Content-Length"
    case .bodyOfConnect: "expected CONNECT without a body"
    }
  }
}
