internal import MediaToken
internal import MediaTokenFormats

/// The settings of one object in the file.
protocol SettingSection: Sendable, Hashable {
  /// Every setting, with the property that it fills. Until then the property holds the default; of what is required, a value
  /// with which nothing is served.
  @SettingRows var rows: [SettingRow<Self>] { get }

  /// Checks what must be true of several settings together.
  mutating func check(_ section: Given) throws(Problem)
}

/// A setting: one row, by which the file is read, documents are written, and a reload is compared with what runs.
struct SettingRow<Section: Sendable>: Sendable {
  let description: SettingDescription
  /// The property's value.
  fileprivate let value: any Hashable & Sendable
  fileprivate let read: @Sendable (inout Section, Given) throws(Problem) -> Void
}

@resultBuilder
enum SettingRows {
  static func buildExpression<Section>(_ row: SettingRow<Section>) -> [SettingRow<Section>] { [row] }

  static func buildBlock<Section>(_ rows: [SettingRow<Section>]...) -> [SettingRow<Section>] {
    rows.flatMap(\.self)
  }

  static func buildOptional<Section>(_ rows: [SettingRow<Section>]?) -> [SettingRow<Section>] { rows ?? [] }
}

extension SettingSection {
  mutating func check(_ section: Given) throws(Problem) {}

  /// What only a restart takes, here and below.
  var fixed: [(key: String, value: AnyHashable)] {
    rows.flatMap { row -> [(key: String, value: AnyHashable)] in
      if row.description.reload == .needsRestart { return [(row.description.name, AnyHashable(row.value))] }
      let below = (row.value as? any SettingSection)?.fixed ?? []
      return below.map { ("\(row.description.name).\($0.key)", $0.value) }
    }
  }

  /// A setting that must be written.
  ///
  /// - Parameter sentence: what it is for, in lower case and without a full stop.
  func required<Value: Hashable>(
    _ name: String, _ property: any WritableKeyPath<Self, Value> & Sendable, _ form: Form<Value>,
    reload: Reload = .taken, _ sentence: String
  ) -> SettingRow<Self> {
    row(
      property, form,
      SettingDescription(name, form.kind, isRequired: true, standard: nil, absence: nil, reload, sentence))
  }

  /// A setting that may be left out: the property keeps its value, the default.
  ///
  /// - Parameter absence: what holds without it, where the property's value doesn't say that.
  func optional<Value: Hashable>(
    _ name: String, _ property: any WritableKeyPath<Self, Value> & Sendable, _ form: Form<Value>,
    without absence: String? = nil, reload: Reload = .taken, _ sentence: String
  ) -> SettingRow<Self> {
    let standard = form.written(self[keyPath: property])
    return row(
      property, form,
      SettingDescription(
        name, form.kind, isRequired: false, standard: standard, absence: absence, reload, sentence))
  }

  /// The same where the property is nil then.
  func optional<Value: Hashable>(
    _ name: String, _ property: any WritableKeyPath<Self, Value?> & Sendable, _ form: Form<Value>,
    without absence: String = "none", reload: Reload = .taken, _ sentence: String
  ) -> SettingRow<Self> {
    optional(name, property, form.optional, without: absence, reload: reload, sentence)
  }

  /// The same for a number that other doors have, too.
  ///
  /// - Parameter note: what is to be said about it here alone.
  func optional<Value: FixedWidthInteger & Sendable>(
    _ setting: Setting, _ property: any WritableKeyPath<Self, Value> & Sendable, reload: Reload = .taken,
    _ note: String? = nil
  ) -> SettingRow<Self> {
    optional(setting.name, property, .number(setting), reload: reload, setting.sentence(note))
  }

  private func row<Value: Hashable>(
    _ property: any WritableKeyPath<Self, Value> & Sendable, _ form: Form<Value>, _ description: SettingDescription
  ) -> SettingRow<Self> {
    SettingRow(description: description, value: self[keyPath: property]) { (section, given) throws(Problem) in
      if let member = given.member(description.name) {
        section[keyPath: property] = try form.read(member)
      } else if description.isRequired {
        let example = "\"\(description.name)\": \(form.kind.example)"
        throw given.error(
          at: description.name, "this key is missing",
          cure: "add it like this: \(example) (\(description.sentence))")
      }
    }
  }
}

extension Form where Value: SettingSection {
  /// An object.
  ///
  /// - Parameters:
  ///   - blank: what holds before anything is read.
  ///   - needed: the only required settings that have to be there; nil: all of them.
  static func section(_ blank: Value, needing needed: Set<String>? = nil) -> Form {
    let rows = blank.rows
    let kind = FormKind.section(rows.map(\.description))
    return Form(kind) { (given) throws(Problem) in
      try given.checkMembers(kind)
      var section = blank
      for row in rows
      where needed?.contains(row.description.name) != false || given.member(row.description.name) != nil {
        try row.read(&section, given)
      }
      try section.check(given)
      return section
    }
  }
}
