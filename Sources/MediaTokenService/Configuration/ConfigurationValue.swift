internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenSystem

/// A value in the configuration, and the keys that lead to it: what messages name.
struct ConfigurationValue {
  let json: LocatedJSON
  /// For example `tenants[0].requestor`; empty for the whole file.
  let key: String
  /// The key of the array that this is an element of.
  private let arrayKey: String?

  init(_ json: LocatedJSON, key: String, inArray arrayKey: String? = nil) {
    (self.json, self.key, self.arrayKey) = (json, key, arrayKey)
  }

  /// The value as text that is not empty.
  func text(_ expected: String) throws(ConfigurationError) -> String {
    guard case .string(let text) = json.value else { throw wrongType(expected) }
    guard !text.isEmpty else { throw error("the text is empty") }
    return text
  }

  /// The elements of an array.
  func elements() throws(ConfigurationError) -> [ConfigurationValue] {
    guard case .array(let elements) = json.value else { throw wrongType("an array") }
    return elements.enumerated().map { index, json in
      ConfigurationValue(json, key: "\(key)[\(index)]", inArray: key)
    }
  }

  /// - Throws: if two elements of this array are the same text.
  func checkForRepetition(_ elements: [ConfigurationValue]) throws(ConfigurationError) {
    var texts: Set<ExactText> = []
    for (index, element) in elements.enumerated() {
      guard case .string(let text) = element.json.value, !texts.insert(ExactText(text)).inserted else { continue }
      throw error("entry \(index) is given twice")
    }
  }

  /// The members of an object, which may only have these names.
  func members(named names: [String]) throws(ConfigurationError) -> [ConfigurationValue] {
    guard case .object(let members) = json.value else { throw wrongType("an object") }
    var known: [ConfigurationValue] = []
    for member in members {
      guard let name = names.first(where: { $0.hasSameBytes(as: member.name) }) else {
        throw ConfigurationError(
          line: member.value.line, key: key(of: "\(MemberName(member.name))"),
          "unknown key; the keys here are \(names.joined(separator: ", "))")
      }
      known.append(ConfigurationValue(member.value, key: key(of: name)))
    }
    return known
  }

  /// The member of an object that has this name, or nil.
  func member(_ name: some StringProtocol) -> ConfigurationValue? {
    guard case .object(let members) = json.value else { return nil }
    let name = String(name)
    return members.first { name.hasSameBytes(as: $0.name) }.map { ConfigurationValue($0.value, key: key(of: name)) }
  }

  /// The key of a member of this object.
  func key(of name: String) -> String { key.isEmpty ? name : "\(key).\(name)" }

  /// The result of a check. What is wrong with one text in a list is blamed on the list.
  func checked<Value>(
    _ text: String, _ check: (String) throws(ConfigurationError) -> Value
  ) throws(ConfigurationError) -> Value {
    try rethrow(check(text)) { (error: ConfigurationError) in
      ConfigurationError(line: json.line, key: arrayKey ?? key, error.problem)
    }
  }

  /// An error in this value.
  func error(_ problem: String) -> ConfigurationError {
    ConfigurationError(line: json.line, key: key, problem)
  }

  /// An error for a value of another kind.
  func wrongType(_ expected: String) -> ConfigurationError {
    error("expected \(expected), found \(json.value.kind)")
  }
}
