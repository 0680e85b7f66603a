internal import MediaToken
package import MediaTokenFormats

/// The table's row of an option.
package protocol CommandOption: Sendable {
  /// Without the two hyphens.
  var name: String { get }
  /// The kind of its value; nil if it has none.
  var kind: FormKind? { get }
  var isRepeatable: Bool { get }
  /// The default, where it needs to be said.
  var usual: UsualValue? { get }
  var summary: String { get }
}

extension CommandOption {
  /// `--keys PATH`, for example.
  package var usage: String { kind.map { "--\(name) \($0.placeholder)" } ?? "--\(name)" }

  /// The option's work, its default, and whether it may be repeated.
  package var sentence: String {
    let usual =
      switch usual {
      case .typed(let text): " (default \(text))"
      case .described(let words): " (default: \(words))"
      case nil: ""
      }
    return summary + usual + (isRepeatable ? " (repeatable)" : "")
  }
}

/// The value of an option that is left out.
package enum UsualValue: Sendable, Hashable {
  /// As if this had been typed.
  case typed(String)
  /// Something that is not typed, in words.
  case described(String)
}

package struct Flag: CommandOption {
  package let name: String
  package let summary: String
  package var kind: FormKind? { nil }
  package var isRepeatable: Bool { false }
  package var usual: UsualValue? { nil }

  package init(_ name: String, _ summary: String) { (self.name, self.summary) = (name, summary) }
}

/// An option with a value. ``Arguments`` reads it by this declaration alone.
package struct Option<Value: Sendable>: CommandOption {
  package let name: String
  package let kind: FormKind?
  package let isRepeatable: Bool
  package let usual: UsualValue?
  package let summary: String
  /// The value of the texts that were given: none, one, or more if it is repeatable.
  let read: @Sendable ([Given]) throws(Problem) -> Value

  private init(
    _ name: String, _ kind: FormKind, isRepeatable: Bool, _ usual: UsualValue?, _ summary: String,
    _ read: @escaping @Sendable ([Given]) throws(Problem) -> Value
  ) {
    (self.name, self.kind, self.isRepeatable) = (name, kind, isRepeatable)
    (self.usual, self.summary, self.read) = (usual, summary, read)
  }

  /// An option that may be left out. `described` says what holds then, unless the summary does.
  package init<Given>(
    _ name: String, _ form: Form<Given>, described: String? = nil, _ summary: String
  ) where Value == Given? {
    self.init(name, form.kind, isRepeatable: false, described.map { .described($0) }, summary) {
      (given) throws(Problem) in
      guard let text = given.first else { return nil }
      return try form.read(text)
    }
  }

  /// `shown` is the default in the help, if it is not written as it is typed.
  package init(
    _ name: String, _ form: Form<Value>, default value: Value, shown: String? = nil, _ summary: String
  ) {
    self.init(name, form.kind, isRepeatable: false, .typed(shown ?? form.written(value)?.typed ?? ""), summary) {
      (given) throws(Problem) in
      guard let text = given.first else { return value }
      return try form.read(text)
    }
  }

  /// An option whose default is found when it is read, and described in words.
  package init(
    _ name: String, _ form: Form<Value>, default value: @escaping @autoclosure @Sendable () -> Value,
    described: String, _ summary: String
  ) {
    self.init(name, form.kind, isRepeatable: false, .described(described), summary) { (given) throws(Problem) in
      guard let text = given.first else { return value() }
      return try form.read(text)
    }
  }

  /// The values in the order in which they were typed.
  package init<Given>(_ name: String, each form: Form<Given>, _ summary: String) where Value == [Given] {
    self.init(name, form.kind, isRepeatable: true, nil, summary) { (given) throws(Problem) in
      try given.map { (text) throws(Problem) in try form.read(text) }
    }
  }
}
