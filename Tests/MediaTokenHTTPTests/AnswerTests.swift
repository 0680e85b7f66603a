import Testing

@testable import MediaTokenHTTP

@Suite("Answers of a daemon")
struct AnswerTests {
  private static let json = "Content-Type: application/json\r\n"

  /// Text, and what is read of it: status, type, body.
  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", 200, "-", "{}"),
    ("HTTP/1.1 503 \r\n\(json)content-LENGTH:  5 \r\nX: é\r\n\r\na\r\n\0b", 503, "application/json", "a\r\n\0b"),
    ("HTTP/1.1 403 é X\r\nContent-Length:0\r\nContent-Type:\r\n\r\n", 403, "", ""),
  ]) func `an answer is read by its one length`(text: String, status: Int, type: String, body: String) throws {
    let bytes = Array(text.utf8)
    let found = Answer(bytes.span)
    let answer = try #require(found)
    #expect(answer.status == status)
    #expect(answer.type.map { String(decoding: bytes[$0], as: UTF8.self) } ?? "-" == type)
    #expect(String(decoding: bytes[answer.body], as: UTF8.self) == body)
  }

  @Test(
    arguments: [
      "", "\r\n", "\r\n\r\n", "{}", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\n\r\n",
      "\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/2 200 OK\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 +20 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1  200 OK\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 200 O\u{1}K\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    ]
      + [
        "Content-Length: 1", "Content-Length: 3", "Content-Length: 02", "Content-Length: +2",
        "Content-Length: 2, 2", "Content-Length:",
        "Content-Length: 2\r\nContent-Length: 2", "Content-Length : 2", "Content-Length: 2\r\n X",
        "Content-Length: 2\r\nX", "Content-Length: 2\r\n: X",
        "Content-Length: 2\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked",
        "Content-Length: 2\r\nX: a\rb", "Content-Length: 2\r\nX: \0",
        "\(json)\(json)Content-Length: 2",
        "X: \(String(repeating: "x", count: HTTPLimits.headBytes))\r\nContent-Length: 2",
      ].map { "HTTP/1.1 200 OK\r\n\($0)\r\n\r\n{}" })
  func `what can be read in two ways is no answer`(text: String) {
    let bytes = Array(text.utf8)
    let answer = Answer(bytes.span)
    #expect(answer == nil)
  }
}
