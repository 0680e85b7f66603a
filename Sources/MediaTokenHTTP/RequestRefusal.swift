/// The reason why a request is answered without being looked at. The connection ends with that answer.
package enum RequestRefusal: Error, Hashable, Sendable {
  /// 400: the head can be read in two ways, or not at all.
  case malformed(Rule)
  /// 408: the request was not complete by its deadline.
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
  /// 505: a version of HTTP other than 1.0 and 1.1.
  case version

  package enum Length: Hashable, Sendable {
    case absent
    case chunked
  }

  package enum Rule: Hashable, Sendable, CaseIterable {
    case lineEnd, requestLine, method, target, fieldName, fieldValue, host, repeatedHost, missingHost
    case contentLength, repeatedLength, transferCoding, bodyOfConnect
  }

  /// RFC 9110 section 15.
  package var status: UInt16 { answer.status }
  /// For programs.
  package var name: String { answer.name }

  private var answer: (status: UInt16, name: String) {
    switch self {
    case .malformed: (400, "malformed")
    case .late: (408, "late")
    case .lengthRequired: (411, "length-required")
    case .bodyTooLarge: (413, "body-too-large")
    case .targetTooLong: (414, "target-too-long")
    case .expectation: (417, "expectation")
    case .headTooLarge: (431, "head-too-large")
    case .version: (505, "version")
    }
  }
}

extension RequestRefusal: CustomStringConvertible {
  /// For people: the fault, and the cure where it is not obvious.
  package var description: String {
    switch self {
    case .malformed(let rule): rule.description
    case .late: "the request was not complete by its deadline"
    case .lengthRequired(.absent): "there is no Content-Length; send one"
    case .lengthRequired(.chunked):
      "the body comes in chunks; send it whole, as a string or bytes and not as a stream, or set Content-Length yourself"
    case .bodyTooLarge(let limit): "the body is longer than \(limit) bytes"
    case .targetTooLong(let limit): "the request line is longer than \(limit) bytes"
    case .expectation: "Expect is not 100-continue"
    case .headTooLarge(let limit): "the request line and headers are longer than \(limit) bytes"
    case .version: "the version is neither HTTP/1.1 nor HTTP/1.0"
    }
  }
}

extension RequestRefusal.Rule: CustomStringConvertible {
  package var description: String {
    switch self {
    case .lineEnd: "a line does not end with CR LF, is folded, or holds a control character"
    case .requestLine: "the first line is not a method, a target and HTTP/1.1 with one space between them"
    case .method: "the method is not made of letters"
    case .target: "the request target holds something other than visible ASCII characters"
    case .fieldName:
      "a field does not begin with a name of the characters that RFC 9110 allows and a colon right after it"
    case .fieldValue: "a field value holds a control character"
    case .host: "Host holds a character that no host and port has"
    case .repeatedHost: "there is more than one Host field"
    case .missingHost: "there is no Host field"
    case .contentLength: "Content-Length is not made of digits"
    case .repeatedLength: "there is more than one Content-Length field"
    case .transferCoding: "there is a Transfer-Encoding; send a Content-Length instead"
    case .bodyOfConnect: "CONNECT has a body"
    }
  }
}
