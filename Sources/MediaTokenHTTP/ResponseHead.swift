internal import MediaTokenSystem

enum ResponseHead {
  /// The answer to a client that waits for it before it sends its body (RFC 9110 section 15.2.1).
  static let goOn = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  /// Appends an answer, head and body (RFC 9112 section 4).
  ///
  /// An answer that lacks a field is another answer: where one can't be written, nothing is, and this is false. For HEAD
  /// the body is counted and not sent. An HTTP/1.0 client must be told that the connection is kept.
  static func append(
    _ response: borrowing Response, isForHEAD: Bool, saysKeepAlive: Bool, to output: inout [UInt8]
  ) -> Bool {
    if !response.isReadable { return false }
    if response.status == 204, !response.body.isEmpty { return false }
    output.append("HTTP/1.1 ")
    append(Int(response.status), to: &output)
    output.append(" ")
    output.append(phrase(response.status))
    output.append("\r\n")
    if !response.body.isEmpty {
      output.append("Content-Type: ")
      output.append(response.contentType)
      output.append("\r\n")
    }
    output.append(copying: response.fields.span)
    if response.status == 503 { output.append(comeAgain) }
    if response.endsConnection {
      output.append("Connection: close\r\n")
    } else if saysKeepAlive {
      output.append("Connection: keep-alive\r\n")
    }
    // A 204 ends with its head, and must not say a length (RFC 9110 section 8.6).
    if response.status != 204 {
      output.append("Content-Length: ")
      append(response.body.count, to: &output)
      output.append("\r\n")
    }
    output.append("\r\n")
    if !isForHEAD { output.append(contentsOf: response.body) }
    return true
  }

  /// A field of every 503: the time to try again, in whole seconds (RFC 9110 section 10.2.3). Nothing that recovers by
  /// itself is known to take less.
  private static let comeAgain: StaticString = "Retry-After: 1\r\n"

  private static func append(_ number: Int, to output: inout [UInt8]) {
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var (rest, start) = (number, 20)
    repeat {
      start -= 1
      digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    output.append(copying: digits.span.extracting(start...))
  }

  /// RFC 9110 section 15 and RFC 6585; clients ignore it.
  private static func phrase(_ status: UInt16) -> StaticString {
    switch status {
    case 200: "OK"
    case 204: "No Content"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 411: "Length Required"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 417: "Expectation Failed"
    case 431: "Request Header Fields Too Large"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: "Status"
    }
  }
}
