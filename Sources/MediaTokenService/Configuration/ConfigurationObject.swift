internal import MediaToken
internal import MediaTokenJSON

/// An object of the configuration, whose keys are all known. Reads values of one type and names line and key otherwise.
struct ConfigurationObject {
  private let path: String
  private let line: Int
  private let members: [LocatedJSON.Member]

  /// - Parameters:
  ///   - path: the keys that lead here; empty for the whole file.
  ///   - keys: the keys that it may have.
  init(_ json: LocatedJSON, at path: String, keys: [String]) throws(ConfigurationError) {
    guard case .object(let members) = json.value else {
      throw ConfigurationError(line: json.line, key: path, "expected an object, found \(json.value.kind)")
    }
    for member in members where !keys.contains(where: { $0.utf8.elementsEqual(member.name.utf8) }) {
      throw ConfigurationError(
        line: member.value.line, key: Self.joined(path, "\(MemberName(member.name))"),
        "unknown key; expected only \(keys.joined(separator: ", "))")
    }
    self.path = path
    self.line = json.line
    self.members = members
  }

  /// A text, or nil if the key is absent.
  func string(_ key: String) throws(ConfigurationError) -> String? {
    guard let json = member(key) else { return nil }
    guard case .string(let text) = json.value else { throw wrongType(json, name(key), "a string") }
    guard !text.isEmpty else { throw error(key, "expected text, found an empty string") }
    return text
  }

  /// A text that is compared byte by byte, or nil if the key is absent.
  func exactText(_ key: String) throws(ConfigurationError) -> ExactText? { try string(key).map { ExactText($0) } }

  /// A whole number in a range, or nil if the key is absent.
  func integer(_ key: String, in range: ClosedRange<Int64>) throws(ConfigurationError) -> Int64? {
    guard let json = member(key) else { return nil }
    let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    guard case .integer(let number) = json.value else { throw wrongType(json, name(key), expected) }
    guard range.contains(number) else { throw error(key, "expected \(expected), found \(number)") }
    return number
  }

  /// `true` or `false`, or nil if the key is absent.
  func boolean(_ key: String) throws(ConfigurationError) -> Bool? {
    guard let json = member(key) else { return nil }
    guard case .boolean(let value) = json.value else { throw wrongType(json, name(key), "true or false") }
    return value
  }

  /// One of a few words, or nil if the key is absent.
  func word<Words: RawRepresentable & CaseIterable>(
    _ key: String, of words: Words.Type
  ) throws(ConfigurationError) -> Words? where Words.RawValue == String {
    guard let text = try string(key) else { return nil }
    guard let word = Words(rawValue: text) else {
      throw error(key, "expected one of \(Words.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return word
  }

  /// Texts that are not empty, no two alike, or nil if the key is absent.
  func strings(_ key: String) throws(ConfigurationError) -> [String]? {
    try elements(key)?.map { element throws(ConfigurationError) in
      guard case .string(let text) = element.json.value else {
        throw wrongType(element.json, element.key, "a string")
      }
      guard !text.isEmpty else {
        throw ConfigurationError(
          line: element.json.line, key: element.key, "expected text, found an empty string")
      }
      return text
    }.checkedForRepetition { second throws(ConfigurationError) in
      throw self.error(key, "expected every entry once, found entry \(second) twice")
    }
  }

  /// An object, or nil if the key is absent.
  func object(_ key: String, keys: [String]) throws(ConfigurationError) -> ConfigurationObject? {
    guard let json = member(key) else { return nil }
    return try ConfigurationObject(json, at: name(key), keys: keys)
  }

  /// Objects, or nil if the key is absent.
  func objects(_ key: String, keys: [String]) throws(ConfigurationError) -> [ConfigurationObject]? {
    try elements(key)?.map { element throws(ConfigurationError) in
      try ConfigurationObject(element.json, at: element.key, keys: keys)
    }
  }

  /// The elements of an array, with the key that names each, or nil if the key is absent.
  func elements(_ key: String) throws(ConfigurationError) -> [(key: String, json: LocatedJSON)]? {
    guard let json = member(key) else { return nil }
    guard case .array(let elements) = json.value else { throw wrongType(json, name(key), "an array") }
    return elements.enumerated().map { index, json in ("\(name(key))[\(index)]", json) }
  }

  /// A value as it stands, or nil if the key is absent.
  func value(_ key: String) -> LocatedJSON? { member(key) }

  /// Whether the key is there.
  func has(_ key: String) -> Bool { member(key) != nil }

  /// What `value` is, or an error if the key was absent.
  func required<Value>(_ key: String, _ value: Value?, _ expected: String) throws(ConfigurationError) -> Value {
    guard let value else {
      throw ConfigurationError(line: line, key: name(key), "expected \(expected), found no such key")
    }
    return value
  }

  /// Runs a check of a value; its problem becomes an error at the key.
  func checked<Value>(
    _ key: String, _ check: () throws(SettingProblem) -> Value
  ) throws(ConfigurationError) -> Value {
    do throws(SettingProblem) {
      return try check()
    } catch {
      throw self.error(key, error.text)
    }
  }

  /// An error at a key, or at this object where the key is absent.
  func error(_ key: String, _ problem: String) -> ConfigurationError {
    ConfigurationError(line: member(key)?.line ?? line, key: name(key), problem)
  }

  /// - Parameter key: with the keys that lead to it.
  private func wrongType(_ json: LocatedJSON, _ key: String, _ expected: String) -> ConfigurationError {
    ConfigurationError(line: json.line, key: key, "expected \(expected), found \(json.value.kind)")
  }

  private func member(_ key: String) -> LocatedJSON? {
    members.first { $0.name.utf8.elementsEqual(key.utf8) }?.value
  }

  private func name(_ key: String) -> String { Self.joined(path, key) }

  private static func joined(_ path: String, _ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}

extension [String] {
  /// These texts, if no two have the same bytes; `complain` is told which entry, from 0, repeats an earlier one.
  func checkedForRepetition<Failure: Error>(_ complain: (Int) throws(Failure) -> Never) throws(Failure) -> [String]
  {
    for (index, text) in enumerated()
    where self[..<index].contains(where: { $0.utf8.elementsEqual(text.utf8) }) {
      try complain(index)
    }
    return self
  }
}
