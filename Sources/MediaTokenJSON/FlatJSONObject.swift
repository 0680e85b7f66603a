internal import MediaTokenSystem

/// One JSON object whose members are strings, and integers where they are allowed.
///
/// Strict: no member twice, none that is not expected, no NUL, UTF-8 only, nothing after the object.
package struct FlatJSONObject: ~Copyable {
  private let document: JSONDocument

  /// Reads `text`, which may have no other members than `members`. Each of them may be absent, and those of `integers`
  /// may be an integer from −2⁶³ to 2⁶³ − 1.
  ///
  /// - Throws: ``JSONError``, which names a member but never a value.
  package init(parsing text: Span<UInt8>, members: [String], integers: [String] = []) throws(JSONError) {
    guard !Self.isCrowded(text) else { throw JSONError(.tooDeep) }
    let document = try JSONDocument(parsing: text)
    guard document.isObject else { throw JSONError(.notAnObject) }
    var problem: JSONError.Problem?
    document.forEachMember { name, kind in
      if problem != nil { return }
      if !members.contains(name) {
        problem = .unknown(MemberName(name))
      } else if integers.contains(name) {
        if kind == .other { problem = .neitherStringNorInteger(MemberName(name)) }
      } else if kind != .string {
        problem = .notAString(MemberName(name))
      }
    }
    if let problem { throw JSONError(problem) }
    self.document = document
  }

  /// Bytes outside of strings, without white space, of a text that is looked at: a flat object of ten members has 50.
  private static let mostPunctuation = 256

  /// Whether a text has so much outside of its strings that it is no flat object of a few members, whatever it is. A
  /// tree of all its entries would take up to fifty times as long as reading one string of its length, and as much more
  /// memory.
  private static func isCrowded(_ text: Span<UInt8>) -> Bool {
    var (index, punctuation) = (0, 0)
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): break
      case UInt8(ascii: "\""): index = endOfString(text, from: index)
      default: punctuation += 1
      }
      if punctuation > mostPunctuation { return true }
      index += 1
    }
    return false
  }

  /// Where the string ends that begins at `start`; the text's end if it does not.
  private static func endOfString(_ text: Span<UInt8>, from start: Int) -> Int {
    var end = start
    while let quote = text.firstIndex(of: UInt8(ascii: "\""), from: end + 1) {
      var backslashes = 0
      while text[quote - 1 - backslashes] == UInt8(ascii: "\\") { backslashes += 1 }
      if backslashes % 2 == 0 { return quote }
      end = quote
    }
    return text.count
  }

  /// Whether the object has a member.
  package func has(_ name: String) -> Bool { document.has(name) }

  /// The UTF-8 bytes of a member's text, or nil if the object does not have it.
  @_lifetime(borrow self)
  package func bytes(of name: String) -> Span<UInt8>? {
    document.text(of: name)
  }

  /// A member's integer, or nil if the object does not have it or it is a text.
  package func integer(_ name: String) -> Int64? { document.integer(name) }

  /// A member's text, or nil if the object does not have it or it is an integer.
  package func string(_ name: String) -> String? {
    document.string(name)
  }
}
