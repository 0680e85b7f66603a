internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenSystem

/// A request about one token and what it must be for.
struct TokenQuestion: Redacted {
  let target: String
  let type: String
  let body: [UInt8]

  /// What a token must be for, by the names that the article HTTPInterface has.
  typealias Names = [(name: StaticString, text: String)]

  /// What the token must be for, as far as the command line says it with these options.
  static func names(
    _ arguments: Arguments, requestor: any CommandOption, resource: any CommandOption,
    document: any CommandOption, channel: any CommandOption
  ) -> Names {
    let options: [(StaticString, any CommandOption)] = [
      ("requestor", requestor), ("resource", resource), ("resourceDocument", document),
      ("resourceChannel", channel),
    ]
    return options.compactMap { name, option in arguments.texts(of: option).first.map { (name, $0) } }
  }

  init(_ token: [UInt8], _ names: Names, to path: String) {
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
