internal import MediaToken
internal import MediaTokenSystem

/// What is sent in place of a token.
extension Unwrapping {
  static func inPlaceOfAToken(_ text: [UInt8]) -> (Wrapper, [UInt8]?)? {
    if text.count <= 64 {
      let word = String(decoding: text, as: UTF8.self)
      if let known = placeholders.first(where: { $0.lowercased() == word.lowercased() }) {
        return (.placeholder(known), nil)
      }
      if templates.contains(where: { isTemplate(word, $0.begin, $0.end) }) { return (.template, nil) }
    }
    if isJWT(text) { return (.jwt, nil) }
    if TextBytes.hasSeveralTokens(text) { return (.severalTokens, nil) }
    return nil
  }

  private static let placeholders = [
    "undefined", "null", "nil", "none", "(null)", "(nil)", "NaN", "true", "false", "[object Object]",
    "[object Promise]", "token", "<token>",
    "your_token", "TOKEN_HERE", "changeme", "test", "string",
  ]
  private static let templates: [(begin: String, end: String)] = [
    ("${", "}"), ("{{", "}}"), ("#{", "}"), ("%{", "}"), ("{", "}"), ("<%=", "%>"), ("$(", ")"),
    ("$", ""), ("%", "%"), (":", ""),
  ]

  /// Whether it is a name between the two, which may be a path of names.
  private static func isTemplate(_ word: String, _ begin: String, _ end: String) -> Bool {
    guard word.hasPrefix(begin), word.hasSuffix(end), word.utf8.count > begin.utf8.count + end.utf8.count else {
      return false
    }
    return word.utf8.dropFirst(begin.utf8.count).dropLast(end.utf8.count).allSatisfy {
      $0.isNameByte || $0 == UInt8(ascii: " ")
    }
  }

  /// Three texts of base64url with dots between them, the first of which begins as `{"` does.
  private static func isJWT(_ text: [UInt8]) -> Bool {
    guard text.span.begins(with: "eyJ") else { return false }
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return (3...5).contains(parts.count) && parts.allSatisfy { $0.allSatisfy(TextBytes.isBase64) }
  }
}
