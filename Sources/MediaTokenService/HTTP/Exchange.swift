/// One request and its answer, from the request's first line until the answer is written.
///
/// A worker uses such an object for one request after another, and only on its own thread; so it keeps its memory.
final class Exchange {
  var request = HTTPRequest()
  var response = HTTPResponse()
  /// The answer's body while the library sends it.
  let outgoing = OutgoingBytes()
  /// One field's value while it is handed over.
  let fieldText = OutgoingBytes()
  var stage = Stage.head
  /// Why the request is not looked at, if it is not.
  var refusal: HTTPRefusal?
  /// Whether the body is collected or forgotten.
  var collectsBody = false
  /// How long the head says that a body is that is collected.
  var bodyBytes = 0
  /// The connection that it came by, while there is one.
  var connection: OpenConnection?

  /// How far it is.
  enum Stage {
    case head, body, answered
  }

  /// Forgets the request and the answer, and all memory but what the next ones will probably need.
  func reset() {
    request.removeAll()
    response.removeAll()
    if request.body.capacity > HTTPLimits.keptBytes { request.body = [] }
    if response.body.capacity > HTTPLimits.keptBytes { response.body = [] }
    outgoing.shrink()
    fieldText.shrink()
    stage = .head
    refusal = nil
    collectsBody = false
    connection = nil
  }
}
