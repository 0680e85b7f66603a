internal import MediaTokenFormats

/// The values that a setting may have, and how they are read and written.
struct SettingValues<Value: Sendable & Equatable>: Sendable {
  let kind: SettingKind
  let read: @Sendable (ConfigurationValue) throws(ConfigurationError) -> Value
  /// A value as the file would say it; nil where it can't, or need not.
  let written: @Sendable (Value) -> LocatedJSON.Value?
  /// The key, from here, of a setting below that differs and needs a restart.
  var keyThatNeedsRestart: @Sendable (Value, Value) -> String? = { _, _ in nil }
  /// The setting below that a property holds; see ``SettingSection/find(_:below:)``.
  var find: @Sendable (AnyKeyPath, AnyKeyPath) -> FoundSetting? = { _, _ in nil }

  /// These values, or none.
  var optional: SettingValues<Value?> {
    let values = self
    return SettingValues<Value?>(
      kind: kind, read: { value throws(ConfigurationError) in try values.read(value) },
      written: { value in value.flatMap { values.written($0) } },
      keyThatNeedsRestart: { old, new in
        guard let old, let new else { return nil }
        return values.keyThatNeedsRestart(old, new)
      })
  }

  /// These values as text, or an object that says more.
  func or(_ section: SettingValues) -> SettingValues {
    let (short, kind) = (self, SettingKind.either(kind, section.kind))
    return SettingValues(
      kind: kind,
      read: { value throws(ConfigurationError) in
        switch value.json.value {
        case .string: try short.read(value)
        case .object: try section.read(value)
        default: throw value.wrongType(kind.expected)
        }
      }, written: short.written, keyThatNeedsRestart: section.keyThatNeedsRestart, find: section.find)
  }

  /// What is made of these values.
  func making<New>(
    _ make: @escaping @Sendable (Value, ConfigurationValue) throws(ConfigurationError) -> New,
    written: @escaping @Sendable (New) -> LocatedJSON.Value? = { _ in nil }
  ) -> SettingValues<New> {
    let values = self
    return SettingValues<New>(
      kind: kind,
      read: { value throws(ConfigurationError) in try make(try values.read(value), value) }, written: written)
  }

  /// Text that passes a check.
  ///
  /// - Parameters:
  ///   - what: what the text is, for documents.
  ///   - bytes: how many it may have; the check enforces that.
  ///   - written: the text of a value; needed only where there is a default.
  ///   - check: throws what is wrong, without the line and the key, which it does not know.
  static func text(
    _ what: String, bytes: ClosedRange<Int>? = nil,
    written: @escaping @Sendable (Value) -> String? = { _ in nil },
    _ check: @escaping @Sendable (String) throws(ConfigurationError) -> Value
  ) -> SettingValues {
    let kind = SettingKind.text(what, bytes: bytes)
    return SettingValues(
      kind: kind,
      read: { value throws(ConfigurationError) in try value.checked(try value.text(kind.expected), check) },
      written: { value in written(value).map { .string($0) } })
  }

  /// An object.
  static func section(_ section: SettingSection<Value>) -> SettingValues {
    SettingValues(
      kind: .section(section.described),
      read: { value throws(ConfigurationError) in try section.read(value) }, written: { _ in nil },
      keyThatNeedsRestart: { section.keyThatNeedsRestart($0, $1) }, find: { section.find($0, below: $1) })
  }

  /// An array.
  ///
  /// - Parameters:
  ///   - least: how many there must be.
  ///   - cure: what to do instead of writing an empty one.
  static func list<Element>(
    of element: SettingValues<Element>, least: Int = 0, orElse cure: String? = nil
  ) -> SettingValues where Value == [Element] {
    SettingValues(
      kind: .list(of: element.kind, least: least),
      read: { value throws(ConfigurationError) in
        let elements = try value.elements()
        guard elements.count >= least else {
          throw value.error("expected at least \(least) entry, found none\(cure.map { "; \($0)" } ?? "")")
        }
        let values = try elements.map { value throws(ConfigurationError) in try element.read(value) }
        if element.kind.isText { try value.checkForRepetition(elements) }
        return values
      },
      written: { values in
        guard values.count >= least else { return nil }
        let written = values.compactMap { element.written($0) }
        return written.count == values.count ? .array(written.map { LocatedJSON(line: 1, value: $0) }) : nil
      })
  }
}

extension SettingValues<Bool> {
  /// `true` or `false`.
  static var boolean: SettingValues {
    SettingValues(
      kind: .boolean,
      read: { value throws(ConfigurationError) in
        guard case .boolean(let isOn) = value.json.value else {
          throw value.wrongType(SettingKind.boolean.expected)
        }
        return isOn
      }, written: { .boolean($0) })
  }
}

extension SettingValues where Value: FixedWidthInteger {
  /// A whole number.
  static func integer(_ range: ClosedRange<Value>, _ unit: SettingUnit = .none) -> SettingValues {
    let kind = SettingKind.integer(Int64(range.lowerBound)...Int64(range.upperBound), unit)
    return SettingValues(
      kind: kind,
      read: { value throws(ConfigurationError) in
        guard case .integer(let number) = value.json.value, let exact = Value(exactly: number),
          range.contains(exact)
        else { throw value.wrongType(kind.expected) }
        return exact
      }, written: { .integer(Int64($0)) })
  }
}

extension SettingValues where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of a few words.
  static var word: SettingValues {
    let kind = SettingKind.word(Value.allCases.map(\.rawValue))
    return SettingValues(
      kind: kind,
      read: { value throws(ConfigurationError) in
        try value.checked(try value.text(kind.expected)) { text throws(ConfigurationError) in
          guard let word = Value(rawValue: text) else { throw ConfigurationError("not \(kind.expected)") }
          return word
        }
      }, written: { .string($0.rawValue) })
  }
}

extension SettingValues<UInt32> {
  /// A user or group: its number, or its name if the system knows it.
  static func account(_ kind: String, named search: @escaping @Sendable (String) -> UInt32?) -> SettingValues {
    SettingValues(
      kind: .account(kind),
      read: { value throws(ConfigurationError) in
        switch value.json.value {
        // chown(2) reads 4294967295 as "leave it as it is".
        case .integer(let number) where (0..<Int64(UInt32.max)).contains(number): return UInt32(number)
        case .string(let name):
          guard !name.isEmpty, !name.utf8.contains(0), let id = search(name) else {
            throw value.error("the system knows no \(kind) of this name")
          }
          return id
        default: throw value.wrongType(SettingKind.account(kind).expected)
        }
      }, written: { .integer(Int64($0)) })
  }
}
