internal import MediaTokenFormats

/// The one declaration of a setting: its name, its values, what a reload does with it and what it is for. The parser, the
/// options of the command line, the restart rule, messages and documents read it here.
///
/// The default is the initial value of the property that holds the setting.
struct Setting<Owner: Sendable>: Sendable {
  /// The member's name in the file.
  let name: String
  /// The property that holds it; also what checks and messages call it by.
  let property: any PartialKeyPath<Owner> & Sendable
  let kind: SettingKind
  let isRequired: Bool
  /// What holds without the setting, where no value of its own can say it.
  let absence: String?
  let reload: Reload
  let sentence: String

  /// Takes what is written in the file.
  let read: @Sendable (ConfigurationValue, inout Owner) throws(ConfigurationError) -> Void
  /// What the property holds, as the file would say it; nil if it cannot.
  let written: @Sendable (Owner) -> LocatedJSON.Value?
  /// The key of what differs and needs a restart: this setting or one below it.
  let keyThatNeedsRestart: @Sendable (Owner, Owner) -> String?
  /// The setting below this one that a property of the section is held by; see ``SettingSection/find(_:below:)``.
  let find: @Sendable (AnyKeyPath, AnyKeyPath) -> FoundSetting?

  /// - Parameters:
  ///   - absence: what holds without it, where the property's value doesn't say that.
  ///   - sentence: what it is for, in lower case and without a full stop.
  init<Value>(
    _ name: String, _ property: any WritableKeyPath<Owner, Value> & Sendable, _ values: SettingValues<Value>,
    required: Bool = false, without absence: String? = nil, reload: Reload = .taken, _ sentence: String
  ) {
    (self.name, self.property, kind, isRequired) = (name, property, values.kind, required)
    (self.absence, self.reload, self.sentence) = (absence, reload, sentence)
    read = { value, owner throws(ConfigurationError) in owner[keyPath: property] = try values.read(value) }
    written = { values.written($0[keyPath: property]) }
    keyThatNeedsRestart = { old, new in
      let (old, new) = (old[keyPath: property], new[keyPath: property])
      guard reload != .needsRestart else { return old == new ? nil : name }
      return values.keyThatNeedsRestart(old, new).map { "\(name).\($0)" }
    }
    find = values.find
  }

  /// A setting whose absence is nil.
  init<Value>(
    _ name: String, _ property: any WritableKeyPath<Owner, Value?> & Sendable, _ values: SettingValues<Value>,
    required: Bool = false, without absence: String? = nil, reload: Reload = .taken, _ sentence: String
  ) {
    self.init(
      name, property, values.optional, required: required, without: absence, reload: reload, sentence)
  }

  /// What it is, for documents.
  func described(in owner: Owner) -> SettingDescription {
    SettingDescription(
      name: name, kind: kind, isRequired: isRequired, standard: isRequired ? nil : written(owner), absence: absence,
      reload: reload, sentence: sentence)
  }
}

/// A setting that was looked up by its property.
struct FoundSetting {
  /// With the keys that lead to it.
  let key: String
  let setting: SettingDescription
}
