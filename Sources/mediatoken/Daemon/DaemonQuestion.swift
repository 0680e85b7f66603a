internal import MediaTokenFormats
internal import MediaTokenSystem

/// A question to a daemon: for its path alone, or with a body that is POSTed there.
struct DaemonQuestion: Redacted {
  let target: String
  var body: (type: String, bytes: [UInt8])?

  /// The token's expected names, as the article HTTPInterface calls them.
  typealias Names = [(name: StaticString, text: String)]
}

extension DaemonQuestion {
  init(about token: [UInt8], _ names: Names, to path: String) {
    let parameters = names.map { "\($0.name)=\(Self.percentEncoded($0.text))" }.joined(separator: "&")
    // A document does not fit into a request line, and what is no text does not fit into JSON.
    if parameters.utf8.count > Self.longestQuery, let text = String(validating: token, as: UTF8.self) {
      var writer = JSONWriter()
      writer.object { object in
        object.member("token", text)
        for (name, text) in names { object.member(name, text) }
      }
      self.init(target: path, body: ("application/json", writer.bytes))
    } else {
      self.init(target: path + (names.isEmpty ? "" : "?" + parameters), body: ("text/plain", token))
    }
  }

  /// In bytes; far below the limit of a request line.
  private static let longestQuery = 1024

  private static func percentEncoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.appendPercentEncoding(of: text.utf8Span.span)
    return String(decoding: bytes, as: UTF8.self)
  }
}
