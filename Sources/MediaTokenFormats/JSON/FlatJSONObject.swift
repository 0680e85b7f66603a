internal import MediaTokenSystem

/// One JSON object whose members are strings, integers where they are allowed, and at most one value of any kind.
///
/// Strict: no member twice in any object, none that is not expected, no NUL, UTF-8 only, nothing after the object.
package struct FlatJSONObject: ~Copyable {
  private let document: JSONDocument

  /// Each of `members` may be absent, and those of `integers` may be an integer from −2⁶³ to 2⁶³ − 1. An error names a
  /// member but never a value.
  package init(parsing text: Span<UInt8>, members: [String], integers: [String] = []) throws(JSONError) {
    try self.init(parsing: text, members, integers, tree: nil)
  }

  /// The same, with a member more whose value is a ``Tree``.
  package init(parsing text: Span<UInt8>, members: [String], tree: Tree) throws(JSONError) {
    try self.init(parsing: text, members, [], tree: tree)
  }

  /// A member of any kind, and the bounds of what is in it.
  package struct Tree: Sendable {
    let name: String
    let bounds: JSONBounds

    /// `levels` bounds the objects and arrays inside each other, `punctuation` the bytes outside of its strings, without
    /// white space.
    package init(_ name: String, levels: Int, punctuation: Int) {
      self.name = name
      bounds = JSONBounds(punctuation: FlatJSONObject.mostPunctuation + punctuation, levels: 1 + levels)
    }
  }

  private init(
    parsing text: Span<UInt8>, _ members: [String], _ integers: [String], tree: Tree?
  ) throws(JSONError) {
    if let tree {
      try tree.bounds.check(text)
    } else if (try? JSONBounds(punctuation: Self.mostPunctuation).check(text)) == nil {
      throw JSONError(.tooDeep)
    }
    let document = try JSONDocument(parsing: text)
    guard document.isObject else { throw JSONError(.notAnObject) }
    var problem: JSONError.Flaw?
    document.forEachMember { name, kind in
      if problem != nil || tree.map({ name.hasSameBytes(as: $0.name) }) == true { return }
      if !members.contains(name) {
        problem = .unknown(name, among: members + (tree.map { [$0.name] } ?? []))
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
  private static let mostPunctuation = 256

  package func has(_ name: String) -> Bool { document.has(name) }

  /// UTF-8; nil if the object does not have the member.
  package subscript(name: String) -> Span<UInt8>? { document[textOf: name] }

  /// Nil if the object does not have the member or it is a text.
  func integer(_ name: String) -> Int64? { document.integer(name) }

  /// Nil if the object does not have the member or it is an integer.
  package func string(_ name: String) -> String? {
    document.string(name)
  }

  /// Nil if the object does not have the tree.
  package func value(of tree: Tree) -> JSONTree? { has(tree.name) ? document.tree[tree.name] : nil }
}
