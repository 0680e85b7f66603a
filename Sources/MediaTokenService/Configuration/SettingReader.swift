internal import MediaToken
internal import MediaTokenFormats

/// The settings of one object in the file.
protocol SettingSection: Sendable, Hashable {
  /// Declares every setting with the property that it fills, and then checks what must be true of several together. Until
  /// then the property holds the default; of what is required, a value with which nothing is served.
  mutating func settings(_ reader: inout SettingReader) throws(Problem)
}

extension SettingSection {
  /// What its settings are.
  var described: [SettingDescription] { visited(.describing).descriptions }

  /// What only a restart takes, here and below.
  var fixed: [(key: String, value: AnyHashable)] { visited(.comparing).fixed }

  private func visited(_ purpose: SettingReader.Purpose) -> SettingReader {
    var (section, reader) = (self, SettingReader(purpose))
    do throws(Problem) {
      try section.settings(&reader)
    } catch {
      preconditionFailure("nothing is read, and so nothing is wrong: \(error)")
    }
    return reader
  }
}

/// What a section declares its settings to: it reads them, describes them, or compares them. So there is one list of them.
struct SettingReader {
  fileprivate enum Purpose {
    case reading(ConfigurationValue)
    case describing
    case comparing
  }

  private let purpose: Purpose
  fileprivate private(set) var descriptions: [SettingDescription] = []
  fileprivate private(set) var fixed: [(key: String, value: AnyHashable)] = []

  fileprivate init(_ purpose: Purpose) { self.purpose = purpose }

  /// What is read; nil if nothing is.
  var section: ConfigurationValue? { if case .reading(let section) = purpose { section } else { nil } }

  /// A setting that must be written.
  ///
  /// - Parameter sentence: what it is for, in lower case and without a full stop.
  mutating func required<Value>(
    _ name: String, _ property: inout Value, _ values: @autoclosure () -> SettingValues<Value>,
    reload: Reload = .taken, _ sentence: String
  ) throws(Problem) {
    try setting(name, &property, values, isRequired: true, nil, reload, sentence)
  }

  /// A setting that may be left out: the property keeps its value, the default.
  ///
  /// - Parameter absence: what holds without it, where the property's value doesn't say that.
  mutating func optional<Value>(
    _ name: String, _ property: inout Value, _ values: @autoclosure () -> SettingValues<Value>,
    without absence: String? = nil, reload: Reload = .taken, _ sentence: String
  ) throws(Problem) {
    try setting(name, &property, values, isRequired: false, absence, reload, sentence)
  }

  /// A setting that may be left out: the property is nil then.
  mutating func optional<Value>(
    _ name: String, _ property: inout Value?, _ values: @autoclosure () -> SettingValues<Value>,
    without absence: String, reload: Reload = .taken, _ sentence: String
  ) throws(Problem) {
    try setting(name, &property, { values().optional }, isRequired: false, absence, reload, sentence)
  }

  /// The same for a number that other doors have, too.
  ///
  /// - Parameter note: what is to be said about it here alone.
  mutating func optional<Value: FixedWidthInteger>(
    _ setting: Setting, _ property: inout Value, reload: Reload = .taken, _ note: String? = nil
  ) throws(Problem) {
    try optional(setting.name, &property, .integer(setting), reload: reload, setting.sentence(note))
  }

  /// The same where the property is nil then.
  mutating func optional<Value: FixedWidthInteger>(
    _ setting: Setting, _ property: inout Value?, without absence: String, _ note: String
  ) throws(Problem) {
    try optional(setting.name, &property, .integer(setting), without: absence, setting.sentence(note))
  }

  private mutating func setting<Value>(
    _ name: String, _ property: inout Value, _ values: () -> SettingValues<Value>, isRequired: Bool,
    _ absence: String?, _ reload: Reload, _ sentence: String
  ) throws(Problem) {
    switch purpose {
    case .reading(let section):
      if let member = section.member(name) {
        property = try values().read(member)
      } else if isRequired {
        let example = "\"\(name)\": \(values().kind.example)"
        throw section.error(at: name, "this key is missing; add it like this: \(example) (\(sentence))")
      }
    case .describing:
      let values = values()
      descriptions.append(
        SettingDescription(
          name: name, key: name, kind: values.kind, isRequired: isRequired,
          standard: isRequired ? nil : values.written(property), absence: absence, reload: reload,
          sentence: sentence, needsRestart: reload == .needsRestart))
    case .comparing:
      if reload == .needsRestart {
        fixed.append((name, AnyHashable(property)))
      } else if let below = property as? any SettingSection {
        fixed += below.fixed.map { ("\(name).\($0.key)", $0.value) }
      }
    }
  }
}

extension SettingValues where Value: SettingSection {
  /// An object.
  ///
  /// - Parameter blank: what holds before anything is read.
  static func section(_ blank: Value) -> SettingValues {
    let kind = SettingKind.section(blank.described)
    return SettingValues(
      kind: kind,
      read: { value throws(Problem) in
        try value.checkMembers(kind)
        var (section, reader) = (blank, SettingReader(.reading(value)))
        try section.settings(&reader)
        return section
      })
  }
}
