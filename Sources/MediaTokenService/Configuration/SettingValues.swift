internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenSystem

/// The values that a setting may have, and how they are read and written.
struct SettingValues<Value: Hashable> {
  let kind: SettingKind
  let read: (ConfigurationValue) throws(Problem) -> Value
  /// A value as the file would say it; nil where it can't, or need not.
  var written: (Value) -> JSONTree.Value? = { _ in nil }

  /// These values, or none.
  var optional: SettingValues<Value?> {
    let values = self
    return SettingValues<Value?>(
      kind: kind, read: { value throws(Problem) in try values.read(value) },
      written: { value in value.flatMap { values.written($0) } })
  }

  /// These values as text, or an object that says more.
  func or(_ section: SettingValues) -> SettingValues {
    let short = self
    let either = SettingKind.either(kind, section.kind)
    return SettingValues(
      kind: either,
      read: { value throws(Problem) in
        switch value.json.value {
        case .string: try short.read(value)
        case .object: try section.read(value)
        default: throw value.wrongType(either)
        }
      }, written: short.written)
  }

  /// The set of what is listed.
  static func set<Element>(
    of element: SettingValues<Element>, least: Int = 0
  ) -> SettingValues where Value == Set<Element> {
    let list = SettingValues<[Element]>.list(of: element, least: least)
    return SettingValues(
      kind: list.kind, read: { value throws(Problem) in Set(try list.read(value)) },
      written: { list.written($0.sorted { "\($0)" < "\($1)" }) })
  }

  /// Text that passes a check.
  ///
  /// - Parameters:
  ///   - what: what the text is, for documents.
  ///   - bytes: how many it may have; the check enforces that.
  ///   - written: the text of a value; needed only where there is a default.
  ///   - check: throws what is wrong, without the key, which it does not know.
  static func text(
    _ what: String, bytes: ClosedRange<Int>? = nil, written: @escaping (Value) -> String? = { _ in nil },
    _ check: @escaping (String) throws(Problem) -> Value
  ) -> SettingValues {
    let kind = SettingKind.text(what, bytes: bytes)
    return SettingValues(
      kind: kind,
      read: { value throws(Problem) in
        let text = try value.text(kind)
        return try rethrow(check(text)) { (problem: Problem) in problem.of(setting: value.key) }
      },
      written: { value in written(value).map { .string($0) } })
  }

  /// Text that something can be made of.
  ///
  /// - Parameter problem: what is said where `make` returns nil.
  static func text(
    _ what: String, bytes: ClosedRange<Int>? = nil, written: @escaping (Value) -> String? = { _ in nil },
    else problem: String, _ make: @escaping (String) -> Value?
  ) -> SettingValues {
    text(what, bytes: bytes, written: written) { text throws(Problem) in
      guard let value = make(text) else { throw Problem(problem) }
      return value
    }
  }

  /// An array.
  ///
  /// - Parameters:
  ///   - least: how many there must be.
  ///   - cure: what to do instead of writing an empty one.
  static func list<Element>(
    of element: SettingValues<Element>, least: Int = 0, orElse cure: String? = nil
  ) -> SettingValues where Value == [Element] {
    let kind = SettingKind.list(of: element.kind, least: least)
    return SettingValues(
      kind: kind,
      read: { value throws(Problem) in
        let elements = try value.elements(kind)
        guard elements.count >= least else {
          throw value.error("expected at least \(least) entry, found none\(cure.map { "; \($0)" } ?? "")")
        }
        let values = try elements.map { value throws(Problem) in try element.read(value) }
        if element.kind.isText { try value.checkForRepetition(elements) }
        return values
      },
      written: { values in
        guard values.count >= least else { return nil }
        let written = values.compactMap { element.written($0) }
        return written.count == values.count ? .array(written.map { JSONTree(value: $0) }) : nil
      })
  }
}

extension SettingValues<Bool> {
  /// `true` or `false`.
  static var boolean: SettingValues {
    SettingValues(
      kind: .boolean,
      read: { value throws(Problem) in
        guard case .boolean(let isOn) = value.json.value else { throw value.wrongType(.boolean) }
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
      read: { value throws(Problem) in
        guard case .integer(let number) = value.json.value, let exact = Value(exactly: number),
          range.contains(exact)
        else { throw value.wrongType(kind) }
        return exact
      }, written: { .integer(Int64($0)) })
  }
}

extension SettingValues where Value: FixedWidthInteger {
  static func integer(_ setting: Setting) -> SettingValues {
    .integer(Value(setting.range.lowerBound)...Value(setting.range.upperBound), setting.unit)
  }
}

extension SettingValues where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of a few words.
  static var word: SettingValues {
    let kind = SettingKind.word(Value.allCases.map(\.rawValue))
    return SettingValues(
      kind: kind,
      read: { value throws(Problem) in
        guard let word = Value(rawValue: try value.text(kind)) else {
          throw value.error("not \(kind.expected)")
        }
        return word
      }, written: { .string($0.rawValue) })
  }
}
