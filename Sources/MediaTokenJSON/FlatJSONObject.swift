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
    guard Self.bounds.problem(in: text) == nil else { throw JSONError(.tooDeep) }
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

  /// A flat object of ten members has 50 bytes outside of its strings.
  private static let bounds = JSONBounds(punctuation: 256)

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
