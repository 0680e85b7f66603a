/// An answer being written.
///
/// Like ``HTTPRequest`` it serves one request after another and keeps its memory.
struct HTTPResponse: Sendable {
  /// The status code. Starts as 503: whoever forgets to set it lets nobody in.
  var status: UInt16 = 503
  /// What `Content-Type` says.
  var contentType = ContentType.json
  /// Fields beside `Content-Type`, `Content-Length` and `Connection`: names of ours, values without CR, LF and NUL.
  var fields: [(name: StaticString, value: [UInt8])] = []
  /// The body.
  var body: [UInt8] = []
  /// Whether the connection ends with this answer.
  var closesConnection = false

  /// What a body is.
  enum ContentType: String, Sendable {
    case json = "application/json"
    case ndjson = "application/x-ndjson"
    case prometheus = "text/plain; version=0.0.4; charset=utf-8"
    case text = "text/plain; charset=utf-8"
  }

  /// Forgets the last answer and keeps the memory.
  mutating func removeAll() {
    status = 503
    contentType = .json
    fields.removeAll(keepingCapacity: true)
    body.removeAll(keepingCapacity: true)
    closesConnection = false
  }
}
