/// The settings of one object in the file, and what must be true of several of them together.
struct SettingSection<Owner: Sendable & Equatable>: Sendable {
  /// What holds before anything is read: the defaults, and for what is required a value with which nothing is served.
  let blank: Owner
  let settings: [Setting<Owner>]
  private let check: @Sendable (Owner, SectionReading<Owner>) throws(ConfigurationError) -> Void

  init(
    _ blank: Owner, _ settings: [Setting<Owner>],
    check: @escaping @Sendable (Owner, SectionReading<Owner>) throws(ConfigurationError) -> Void = { _, _ in }
  ) {
    (self.blank, self.settings, self.check) = (blank, settings, check)
  }

  /// What the file says.
  ///
  /// - Throws: ``ConfigurationError`` for an unknown key, for one that is missing, and for a wrong value.
  func read(_ value: ConfigurationValue) throws(ConfigurationError) -> Owner {
    _ = try value.members(named: settings.map(\.name))
    var owner = blank
    for setting in settings {
      if let member = value.member(setting.name) {
        try setting.read(member, &owner)
      } else if setting.isRequired {
        throw ConfigurationError(
          line: value.json.line, key: value.key(of: setting.name),
          "this key is missing; add it: \(setting.sentence)")
      }
    }
    try check(owner, SectionReading(section: self, value: value))
    return owner
  }

  /// The key of the first setting that differs and that a running daemon cannot exchange; nil if it can take them all.
  func keyThatNeedsRestart(_ old: Owner, _ new: Owner) -> String? {
    for setting in settings {
      if let key = setting.keyThatNeedsRestart(old, new) { return key }
    }
    return nil
  }

  /// The key of the setting that a property holds, with the keys from here to it.
  func key(_ property: PartialKeyPath<Owner>) -> String { found(property).key }

  /// The setting that a property holds.
  func found(_ property: PartialKeyPath<Owner>) -> FoundSetting {
    guard let found = find(property, below: nil) else {
      preconditionFailure("no setting is held by this property")
    }
    return found
  }

  /// - Parameter path: from the property's root to this section's owner; nil if that is the same.
  func find(_ property: AnyKeyPath, below path: AnyKeyPath?) -> FoundSetting? {
    for setting in settings {
      let own: AnyKeyPath = setting.property
      // Nothing leads through an optional section: there may be none.
      guard let here = path.map({ $0.appending(path: own) }) ?? own else { continue }
      if here == property { return FoundSetting(key: setting.name, setting: setting.described(in: blank)) }
      if let below = setting.find(property, here) {
        return FoundSetting(key: "\(setting.name).\(below.key)", setting: below.setting)
      }
    }
    return nil
  }

  /// What its settings are, for documents.
  var described: [SettingDescription] { settings.map { $0.described(in: blank) } }
}

/// A section that was read, for a check of several settings: with the place of each of them.
struct SectionReading<Owner: Sendable & Equatable> {
  let section: SettingSection<Owner>
  let value: ConfigurationValue

  /// Whether the file says something of a setting.
  func has(_ property: PartialKeyPath<Owner>) -> Bool { value.member(section.key(property)) != nil }

  /// An error at a setting, on its line; if it is absent, on the line of what it would be in.
  func error(_ property: PartialKeyPath<Owner>, _ problem: String) -> ConfigurationError {
    let key = section.key(property)
    var deepest = value
    for name in key.split(separator: ".") {
      guard let next = deepest.member(name) else { break }
      deepest = next
    }
    return ConfigurationError(line: deepest.json.line, key: value.key(of: key), problem)
  }

  /// The section that a setting is, or one of the list that it is.
  func inside<Inner>(
    _ property: PartialKeyPath<Owner>, at index: Int? = nil, _ inner: SettingSection<Inner>
  ) throws(ConfigurationError) -> SectionReading<Inner> {
    guard let member = value.member(section.key(property)) else {
      throw error(property, "this key is missing; add it")
    }
    guard let index else { return SectionReading<Inner>(section: inner, value: member) }
    return SectionReading<Inner>(section: inner, value: try member.elements()[index])
  }
}
