internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenSystem

/// A value in the configuration, and the keys that lead to it: what messages name.
struct ConfigurationValue {
  let json: LocatedJSON
  /// For example `tenants[0].requestor`; empty for the whole file.
  let key: String

  init(_ json: LocatedJSON, key: String = "") { (self.json, self.key) = (json, key) }

  /// The value as text that is not empty.
  func text(_ expected: String) throws(ConfigurationError) -> String {
    guard case .string(let text) = json.value else { throw wrongType(expected) }
    guard !text.isEmpty else { throw error("the text is empty") }
    return text
  }

  /// The elements of an array.
  func elements() throws(ConfigurationError) -> [ConfigurationValue] {
    guard case .array(let elements) = json.value else { throw wrongType("an array") }
    return elements.enumerated().map { ConfigurationValue($1, key: "\(key)[\($0)]") }
  }

  /// - Throws: if two elements of this array are the same text.
  func checkForRepetition(_ elements: [ConfigurationValue]) throws(ConfigurationError) {
    var texts: Set<ExactText> = []
    for (index, element) in elements.enumerated() {
      guard case .string(let text) = element.json.value, !texts.insert(ExactText(text)).inserted else { continue }
      throw error("entry \(index) is given twice")
    }
  }

  /// - Throws: if this is not an object, or has a member of another name.
  func checkMembers(named names: [String]) throws(ConfigurationError) {
    guard case .object(let members) = json.value else { throw wrongType("an object") }
    for member in members where !names.contains(where: { $0.hasSameBytes(as: member.name) }) {
      throw ConfigurationError(
        line: member.value.line, key: key(of: "\(MemberName(member.name))"),
        "unknown key; the keys here are \(names.joined(separator: ", "))")
    }
  }

  /// The member of an object that has this name, or nil.
  func member(_ name: String) -> ConfigurationValue? {
    guard case .object(let members) = json.value else { return nil }
    return members.first { name.hasSameBytes(as: $0.name) }.map { ConfigurationValue($0.value, key: key(of: name)) }
  }

  /// An error in this value.
  func error(_ problem: String) -> ConfigurationError {
    ConfigurationError(line: json.line, key: key, problem)
  }

  /// An error at a setting below this, `routes[0].prefix`; the line is that of what it is in, if it is absent.
  func error(at path: String, _ problem: String) -> ConfigurationError {
    var deepest = json
    walk: for step in path.split(whereSeparator: { $0 == "." || $0 == "[" }) {
      switch deepest.value {
      case .object(let members):
        guard let next = members.first(where: { step == $0.name }) else { break walk }
        deepest = next.value
      case .array(let elements):
        guard let index = Int(step.dropLast()), elements.indices.contains(index) else { break walk }
        deepest = elements[index]
      default: break walk
      }
    }
    return ConfigurationError(line: deepest.line, key: key(of: path), problem)
  }

  /// An error for a value of another kind.
  func wrongType(_ expected: String) -> ConfigurationError {
    error("expected \(expected), found \(json.value.kind)")
  }

  private func key(of name: String) -> String { key.isEmpty ? name : "\(key).\(name)" }
}
