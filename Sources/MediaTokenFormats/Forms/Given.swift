package import MediaToken
internal import MediaTokenSystem

/// A value that an operator has written, which a form reads: a setting in the daemon's file, or an option's value.
package struct Given: Sendable, Redacted {
  package let json: JSONTree
  private let place: Place

  private enum Place {
    /// The keys that lead to it, `tenants[0].requestor`; empty for the whole file.
    case setting(String)
    /// The option and the name of its value, `--at TIME`, and the words that lead to the command's help.
    case option(String, invocation: String)
  }

  /// A setting, or the whole file.
  package init(_ json: JSONTree, key: String = "") { (self.json, place) = (json, .setting(key)) }

  /// The text of an option, which is not empty.
  package init(_ text: String, of usage: String, _ invocation: String) {
    (json, place) = (JSONTree(value: .string(text)), .option(usage, invocation: invocation))
  }

  /// What messages call it.
  package var name: String {
    switch place {
    case .setting(let key): key
    case .option(let usage, _): usage
    }
  }

  /// Whether a token was written where a file's name belongs: messages repeat names of files, and a token is secret.
  package static func isToken(_ text: String) -> Bool {
    let bytes = text.utf8Span.span
    return Armor.form(of: bytes.extracting(Armor.trimmedRange(of: bytes))) != nil
  }

  /// Text that is not empty.
  package func text(_ kind: TextKind) throws(Problem) -> String { try text(.text(kind)) }

  func text(_ kind: FormKind) throws(Problem) -> String {
    guard case .string(let text) = json.value else { throw isNone(of: kind) }
    guard !text.isEmpty else { throw error("the text is empty", cure: "write it like this: \(written(kind))") }
    return text
  }

  /// A whole number, which is written in digits where everything is text.
  var number: Int64? {
    switch (json.value, place) {
    case (.integer(let number), _): number
    case (.string(let text), .option)
    where text.utf8.count <= 19 && text.utf8.allSatisfy({ (0x30...0x39).contains($0) }):
      Int64(text)
    default: nil
    }
  }

  /// The elements of an array.
  func elements(_ kind: FormKind) throws(Problem) -> [Given] {
    guard case .array(let elements) = json.value else { throw isNone(of: kind) }
    return elements.enumerated().map { Given($1, key: "\(name)[\($0)]") }
  }

  /// - Throws: if two elements of this array are the same text.
  func checkForRepetition(_ elements: [Given]) throws(Problem) {
    var texts: Set<ExactText> = []
    for (index, element) in elements.enumerated() {
      guard case .string(let text) = element.json.value, !texts.insert(ExactText(text)).inserted else { continue }
      throw error("entry \(index) is given twice")
    }
  }

  /// - Throws: if this is not an object, or has a member of another name.
  package func checkMembers(_ kind: FormKind) throws(Problem) {
    guard case .object(let members) = json.value else { throw isNone(of: kind) }
    let names = kind.members.map(\.name)
    for member in members where !names.contains(where: { $0.hasSameBytes(as: member.name) }) {
      let nearest = Spelling.nearest(to: Array(member.name.utf8), among: names)
      throw error(
        at: "\(MemberName(member.name))", "unknown key",
        cure: "\(nearest.map { "did you mean \($0)? " } ?? "")the keys here are \(names.joined(separator: ", "))")
    }
  }

  /// The member of an object that has this name, or nil.
  package func member(_ name: String) -> Given? { json[name].map { Given($0, key: key(of: name)) } }
}

extension Given {
  /// What is wrong with this value. A setting is named before it; an option's fact says by itself what it is about.
  package func error(_ fact: String, cure: String? = nil) -> Problem {
    switch place {
    case .setting(let key): Problem(fact, cure: cure).of(setting: key)
    case .option(_, let invocation): .usage(cure.map { "\(fact); \($0)" } ?? fact, see: invocation)
    }
  }

  /// An error at a setting below this, `routes[0].prefix`.
  package func error(at path: String, _ fact: String, cure: String? = nil) -> Problem {
    Problem(fact, cure: cure).of(setting: key(of: path))
  }

  /// The same problem, of this value.
  package func error(_ problem: Problem) -> Problem {
    switch place {
    case .setting(let key): problem.of(setting: key)
    case .option(let usage, let invocation): .usage("\(usage): \(problem)", see: invocation)
    }
  }

  /// The value is not `what`, and `cure` says how to get that. An option's text is not repeated, because it may be a secret.
  package func isNot(_ what: String, cure: String? = nil) -> Problem {
    switch place {
    case .setting: error("not \(what)", cure: cure)
    case .option(let usage, _): error("the value of \(usage) is not \(what)", cure: cure)
    }
  }

  /// A value of another kind, or a number outside of its range.
  package func isNone(of kind: FormKind) -> Problem {
    guard case .setting = place else { return isNot(kind.expected) }
    let fact = "expected \(kind.expected), found \(json.value.kind)"
    if case (.integer, .number) = (json.value, kind) { return error(fact) }
    return error(fact, cure: "write it like this: \(written(kind))")
  }

  /// How a value of this kind is written: a member with its name, an element and the whole file without one.
  private func written(_ kind: FormKind) -> String {
    let member = name.split(separator: ".").last.flatMap { $0.last == "]" ? nil : "\"\($0)\": " }
    return (member ?? "") + kind.example
  }

  private func key(of member: String) -> String { name.isEmpty ? member : "\(name).\(member)" }
}
