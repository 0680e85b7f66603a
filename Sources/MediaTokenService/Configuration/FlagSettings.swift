internal import MediaTokenFormats

/// Settings that are said one by one, as options of a command line say them. The rules of the file read them.
package struct FlagSettings {
  private var json = LocatedJSON(line: 1, value: .object([]))

  package init() {}

  /// The key in the file of the setting that a property holds.
  package static func key(_ property: PartialKeyPath<Configuration>) -> String { Settings.file.key(property) }

  /// What the setting that a property holds is.
  package static func described(_ property: PartialKeyPath<Configuration>) -> SettingDescription {
    Settings.file.found(property).setting
  }

  /// Says a setting that is one text.
  package mutating func set(_ property: PartialKeyPath<Configuration>, to text: String) {
    set(property, to: .string(text))
  }

  /// Says a setting that is a number.
  package mutating func set(_ property: PartialKeyPath<Configuration>, to number: Int64) {
    set(property, to: .integer(number))
  }

  /// Says a setting that is a list of texts; or of objects that need just one text, which is then what these are.
  package mutating func set(_ property: PartialKeyPath<Configuration>, to texts: [String]) {
    let needed = Self.described(property).members.first { $0.isRequired }
    let elements = texts.map { text -> LocatedJSON.Value in
      guard let needed else { return .string(text) }
      return .object([LocatedJSON.Member(name: needed.name, value: LocatedJSON(line: 1, value: .string(text)))])
    }
    set(property, to: .array(elements.map { LocatedJSON(line: 1, value: $0) }))
  }

  /// The configuration that these settings make.
  ///
  /// - Throws: ``ConfigurationError``, whose key begins with that of the setting to blame; its line means nothing.
  package func configuration() throws(ConfigurationError) -> Configuration {
    try ConfigurationFile.configuration(json)
  }

  private mutating func set(_ property: PartialKeyPath<Configuration>, to value: LocatedJSON.Value) {
    json = json.setting(Self.key(property).split(separator: ".").map { String($0) }[...], to: value)
  }
}

extension LocatedJSON {
  /// The same with a value under these names, one in the other.
  fileprivate func setting(_ names: ArraySlice<String>, to new: Value) -> LocatedJSON {
    guard let name = names.first else { return LocatedJSON(line: line, value: new) }
    guard case .object(var members) = value else { return self }
    let index = members.firstIndex { $0.name == name }
    let old = index.map { members.remove(at: $0).value } ?? LocatedJSON(line: line, value: .object([]))
    members.append(Member(name: name, value: old.setting(names.dropFirst(), to: new)))
    return LocatedJSON(line: line, value: .object(members))
  }
}
