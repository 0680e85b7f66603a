internal import MediaToken

/// A decision without a token: there is no verdict, and nothing may be played for it.
package struct NoToken: Sendable, Hashable {
  /// The command line prints this in place of a verdict.
  package static let firstLine = "NO_TOKEN"
  /// The daemon's name for it, for programs.
  package static let name = "no-token-in-decision"
  package static let detail = "the decision has no token, denies playback, or reports an error"

  /// Adobe's code, if there is one; `-` in place of one that does not look like a code.
  package let code: String?

  /// As it came: unsigned, and of any length.
  init(code: String?) { self.code = code.map { Self.isPlain($0) ? $0 : "-" } }

  /// Adobe's codes are words with `_` between them.
  private static func isPlain(_ code: String) -> Bool {
    (1...128).contains(code.utf8.count) && code.utf8.allSatisfy(\.isNameByte)
  }
}

extension JSONWriter {
  /// The members `error`, `detail`, `decisionError` if there is one, and `action`, which is ours and never Adobe's.
  package mutating func members(of noToken: NoToken) {
    member("error", NoToken.name)
    member("detail", NoToken.detail)
    if let code = noToken.code { member("decisionError", code) }
    member("action", Action.newToken.rawValue)
  }
}
