package import MediaToken
internal import MediaTokenSystem

/// The way in which a value is written and read.
package struct ValueForm<Value: Sendable>: Sendable {
  package let kind: ValueKind
  package let read: @Sendable (GivenText) throws(Problem) -> Value
  /// A text that is read as the value; for defaults in the help.
  let write: @Sendable (Value) -> String

  package init(
    _ kind: ValueKind, write: @escaping @Sendable (Value) -> String = { "\($0)" },
    _ read: @escaping @Sendable (GivenText) throws(Problem) -> Value
  ) {
    (self.kind, self.read, self.write) = (kind, read, write)
  }
}

extension ValueForm where Value == String {
  package static func text(_ kind: ValueKind) -> Self {
    Self(kind) { (given) throws(Problem) in given.text }
  }
}

extension ValueForm where Value: FixedWidthInteger {
  package static func number(_ range: ClosedRange<Value>, _ unit: SettingUnit = .none) -> Self {
    let kind = ValueKind.number(Int64(range.lowerBound)...Int64(range.upperBound), unit)
    return Self(kind) { (given) throws(Problem) in
      let digits = given.text.utf8
      let isNumber = (1...19).contains(digits.count) && digits.allSatisfy { (0x30...0x39).contains($0) }
      guard isNumber, let number = Value(given.text), range.contains(number) else {
        throw given.isNot("a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
  }
}

extension ValueForm where Value: FixedWidthInteger {
  package static func number(_ setting: Setting) -> Self {
    number(Value(setting.range.lowerBound)...Value(setting.range.upperBound), setting.unit)
  }
}

extension ValueForm where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of the words of an enumeration. Where they are too many for their place, `kind` names them in the help, whose
  /// sentence lists them then.
  package static func words(_: Value.Type, called kind: ValueKind? = nil) -> Self {
    let words = Value.allCases.map(\.rawValue)
    return Self(kind ?? .words(words), write: \.rawValue) { (given) throws(Problem) in
      guard let word = Value(rawValue: given.text) else {
        throw given.isNot("one of \(words.joined(separator: ", "))")
      }
      return word
    }
  }
}

/// The value of an option as it was typed, which a form reads.
package struct GivenText: Sendable, Redacted {
  /// Never empty.
  package let text: String
  /// The option and the name of its value: `--at TIME`.
  package let usage: String
  /// The words that lead to the command's help.
  let invocation: String

  /// The text is not `what`, and `cure` says how to get that. The text is not repeated, because it may be a secret.
  package func isNot(_ what: String, cure: String? = nil) -> Problem {
    problem("the value of \(usage) is not \(what)" + (cure.map { "; \($0)" } ?? ""))
  }

  package func problem(_ message: String) -> Problem { .usage(message, see: invocation) }
}
