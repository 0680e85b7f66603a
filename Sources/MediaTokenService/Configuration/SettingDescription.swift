package import MediaToken
package import MediaTokenFormats

/// What a setting is, without what reads it: for messages, documents and tests.
package struct SettingDescription: Sendable {
  /// The member's name in the file.
  package let name: String
  /// With the keys that lead to it, `auth.routes[].prefix`; in a description of its section alone only the name.
  package var key: String
  package let kind: SettingKind
  package let isRequired: Bool
  /// What holds without it, as the file would say it; nil where no value says it.
  package let standard: JSONTree.Value?
  /// What holds without it, in words, where ``standard`` doesn't say it.
  package let absence: String?
  package let reload: Reload
  /// What it is for, in lower case and without a full stop.
  package let sentence: String
  /// Whether a change of it needs a restart, by its own declaration or that of what it is in.
  package var needsRestart: Bool

  /// The settings below it, if it is an object or a list of objects.
  package var members: [SettingDescription] { kind.members }

  /// The setting, and all below it.
  func all(in path: String = "", needsRestart isFixed: Bool = false) -> [SettingDescription] {
    var placed = self
    placed.key = path + name
    placed.needsRestart = needsRestart || isFixed
    let below = placed.key + (kind.isList ? "[]." : ".")
    return [placed] + members.flatMap { $0.all(in: below, needsRestart: placed.needsRestart) }
  }
}

/// What a reload does with a changed value.
package enum Reload: Sendable, Hashable {
  /// It takes effect.
  case taken
  /// It takes effect within a bound, which the text names.
  case takenWithin(String)
  /// The reload fails: only a restart takes it. True also of all settings below.
  case needsRestart
}

/// The values of a setting.
package indirect enum SettingKind: Sendable {
  /// `true` or `false`.
  case boolean
  /// A whole number.
  case integer(ClosedRange<Int64>, SettingUnit)
  /// One of a few words.
  case word([String])
  /// Text that is not empty: what it is, and how many bytes it may have, if that is bounded.
  case text(String, bytes: ClosedRange<Int>?)
  /// A number, or the name of an account: `user` or `group`.
  case account(String)
  /// An array of at least this many; texts and words only once each.
  case list(of: SettingKind, least: Int)
  /// An object.
  case section([SettingDescription])
  /// A text, or an object that says more.
  case either(SettingKind, SettingKind)

  /// The settings of an object, or of each object of a list.
  package var members: [SettingDescription] {
    switch self {
    case .section(let members): members
    case .list(let element, _): element.members
    case .either(_, let section): section.members
    default: []
    }
  }

  /// What a message expects.
  var expected: String {
    switch self {
    case .boolean: "true or false"
    case .integer(let range, _): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .word(let words): "one of \(words.joined(separator: ", "))"
    case .text: "a string"
    case .account(let kind): "a \(kind)'s name or number"
    case .list: "an array"
    case .section: "an object"
    case .either: "a string or an object"
    }
  }

  /// A value in JSON that shows the form: of an object what it must have, and in texts what they are.
  var example: String {
    switch self {
    case .boolean: "true"
    case .integer(let range, _): "\(range.lowerBound)"
    case .word(let words): "\"\(words.first ?? "")\""
    case .text(let what, _): what.hasPrefix("\"") ? String(what.prefix { $0 != " " }) : "\"\(what)\""
    case .account(let kind): "\"a \(kind)'s name\""
    case .list(let element, _): "[\(element.example)]"
    case .section(let members):
      "{" + members.filter(\.isRequired).map { "\"\($0.name)\": \($0.kind.example)" }.joined(separator: ", ") + "}"
    case .either(let short, _): short.example
    }
  }

  /// Whether values are written as text alone.
  var isText: Bool {
    switch self {
    case .text, .word: true
    default: false
    }
  }

  /// Whether it is an array.
  var isList: Bool { if case .list = self { true } else { false } }
}
