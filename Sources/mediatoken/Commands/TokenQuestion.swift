internal import MediaTokenJSON
internal import MediaTokenSystem

/// A request about one token and what it must be for.
struct TokenQuestion {
  let target: String
  let type: String
  let body: [UInt8]

  /// - Parameter names: what the token must be for, by the names that the article HTTPInterface has.
  init(_ token: [UInt8], _ names: [(name: StaticString, text: String)], to path: String) {
    let parameters = names.map { "\($0.name)=\(Self.percentEncoded($0.text))" }.joined(separator: "&")
    // A document does not fit into a request line, and what is no text does not fit into JSON.
    if parameters.utf8.count > Self.longestQuery, let text = String(validating: token, as: UTF8.self) {
      var writer = JSONWriter()
      writer.object { object in
        object.member("token", text)
        for (name, text) in names { object.member(name, text) }
      }
      (target, type, body) = (path, "application/json", writer.bytes)
    } else {
      (target, type, body) = (path + (names.isEmpty ? "" : "?" + parameters), "text/plain", token)
    }
  }

  /// Far below what a request line may have.
  private static let longestQuery = 1024

  private static func percentEncoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.appendPercentEncoding(of: text.utf8Span.span)
    return String(decoding: bytes, as: UTF8.self)
  }
}
