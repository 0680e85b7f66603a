package import MediaToken
internal import MediaTokenSystem

/// The values that a setting or an option may have, and how they are read and written.
package struct Form<Value: Sendable>: Sendable {
  package let kind: FormKind
  package let read: @Sendable (Given) throws(Problem) -> Value
  /// A value as the file would say it, or as it is typed; nil where it can't, or need not.
  package let written: @Sendable (Value) -> JSONTree.Value?

  package init(
    _ kind: FormKind, read: @escaping @Sendable (Given) throws(Problem) -> Value,
    written: @escaping @Sendable (Value) -> JSONTree.Value? = { _ in nil }
  ) {
    (self.kind, self.read, self.written) = (kind, read, written)
  }

  /// Text that something can be made of.
  ///
  /// - Parameters:
  ///   - what: what it is not where `make` returns nil, unless that is what it has to be.
  ///   - make: throws what is wrong otherwise, without the name of what it reads.
  package static func text(
    _ kind: TextKind, isNot what: String? = nil, cure: String? = nil,
    _ make: @escaping @Sendable (String) throws(Problem) -> Value?
  ) -> Form {
    Form(.text(kind)) { (given) throws(Problem) in
      let text = try given.text(kind)
      guard let value = try rethrow(make(text), as: given.error) else {
        throw given.isNot(what ?? kind.what, cure: cure)
      }
      return value
    }
  }

  /// The same, written as a text; needed only where there is a default.
  package func written(_ write: @escaping @Sendable (Value) -> String) -> Form {
    Form(kind, read: read, written: { .string(write($0)) })
  }
}

extension Form<String> {
  /// Any text; it may be looked at together with others.
  package static func text(_ kind: TextKind) -> Form { text(kind) { $0 }.written(\.self) }
}

extension Form<Bool> {
  /// `true` or `false`.
  package static var boolean: Form {
    Form(
      .boolean,
      read: { (given) throws(Problem) in
        guard case .boolean(let isOn) = given.json.value else { throw given.isNone(of: .boolean) }
        return isOn
      }, written: { .boolean($0) })
  }
}

extension Form where Value: FixedWidthInteger {
  /// A whole number.
  package static func number(_ range: ClosedRange<Value>, _ unit: SettingUnit = .none) -> Form {
    let kind = FormKind.number(Int64(range.lowerBound)...Int64(range.upperBound), unit)
    return Form(
      kind,
      read: { (given) throws(Problem) in
        guard let number = given.number.flatMap({ Value(exactly: $0) }), range.contains(number) else {
          throw given.isNone(of: kind)
        }
        return number
      }, written: { .integer(Int64($0)) })
  }

  package static func number(_ setting: Setting) -> Form {
    number(Value(setting.range.lowerBound)...Value(setting.range.upperBound), setting.unit)
  }
}

extension Form where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of the words of an enumeration. Where they are too many for their place, `kind` names them in the help, whose
  /// sentence lists them then.
  package static func words(_: Value.Type = Value.self, called kind: TextKind? = nil) -> Form {
    let words = FormKind.words(Value.allCases.map(\.rawValue))
    return Form(
      kind.map { .text($0) } ?? words,
      read: { (given) throws(Problem) in
        guard let word = Value(rawValue: try given.text(words)) else { throw given.isNot(words.expected) }
        return word
      }, written: { .string($0.rawValue) })
  }
}
