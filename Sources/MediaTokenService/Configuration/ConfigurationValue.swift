internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenSystem

/// A value in the configuration, and the keys that lead to it: what messages name.
struct ConfigurationValue {
  let json: JSONTree
  /// For example `tenants[0].requestor`; empty for the whole file.
  let key: String

  init(_ json: JSONTree, key: String = "") { (self.json, self.key) = (json, key) }

  /// The value as text that is not empty.
  func text(_ kind: SettingKind) throws(Problem) -> String {
    guard case .string(let text) = json.value else { throw wrongType(kind) }
    guard !text.isEmpty else { throw error("the text is empty; write it like this: \(written(kind))") }
    return text
  }

  /// The elements of an array.
  func elements(_ kind: SettingKind) throws(Problem) -> [ConfigurationValue] {
    guard case .array(let elements) = json.value else { throw wrongType(kind) }
    return elements.enumerated().map { ConfigurationValue($1, key: "\(key)[\($0)]") }
  }

  /// - Throws: if two elements of this array are the same text.
  func checkForRepetition(_ elements: [ConfigurationValue]) throws(Problem) {
    var texts: Set<ExactText> = []
    for (index, element) in elements.enumerated() {
      guard case .string(let text) = element.json.value, !texts.insert(ExactText(text)).inserted else { continue }
      throw error("entry \(index) is given twice")
    }
  }

  /// - Throws: if this is not an object, or has a member of another name.
  func checkMembers(_ kind: SettingKind) throws(Problem) {
    guard case .object(let members) = json.value else { throw wrongType(kind) }
    let names = kind.members.map(\.name)
    for member in members where !names.contains(where: { $0.hasSameBytes(as: member.name) }) {
      let nearest = Spelling.nearest(to: Array(member.name.utf8), among: names)
      throw Problem.setting(
        key(of: "\(MemberName(member.name))"),
        "unknown key; \(nearest.map { "did you mean \($0)? " } ?? "")"
          + "the keys here are \(names.joined(separator: ", "))")
    }
  }

  /// The member of an object that has this name, or nil.
  func member(_ name: String) -> ConfigurationValue? {
    guard case .object(let members) = json.value else { return nil }
    return members.first { name.hasSameBytes(as: $0.name) }.map { ConfigurationValue($0.value, key: key(of: name)) }
  }

  /// An error in this value.
  func error(_ problem: String) -> Problem {
    Problem.setting(key, problem)
  }

  /// An error at a setting below this, `routes[0].prefix`.
  func error(at path: String, _ problem: String) -> Problem {
    Problem.setting(key(of: path), problem)
  }

  /// An error for a value of another kind, or for a number outside of its range.
  func wrongType(_ kind: SettingKind) -> Problem {
    let fact = "expected \(kind.expected), found \(json.value.kind)"
    if case (.integer, .integer) = (json.value, kind) { return error(fact) }
    return error("\(fact); write it like this: \(written(kind))")
  }

  /// How a value of this kind is written: a member with its name, an element and the whole file without one.
  private func written(_ kind: SettingKind) -> String {
    let name = key.split(separator: ".").last.flatMap { $0.last == "]" ? nil : "\"\($0)\": " }
    return (name ?? "") + kind.example
  }

  private func key(of name: String) -> String { key.isEmpty ? name : "\(key).\(name)" }
}
