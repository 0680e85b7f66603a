package import MediaToken

/// What the value of a setting or of an option may be: for messages, documents, and shells that complete it.
package indirect enum FormKind: Sendable {
  /// `true` or `false`.
  case boolean
  /// A whole number.
  case number(ClosedRange<Int64>, SettingUnit)
  /// One of a few words.
  case words([String])
  /// Text that is not empty.
  case text(TextKind)
  /// A number, or the name of an account: `user` or `group`.
  case account(String)
  /// An array of at least this many; texts and words only once each.
  case list(of: FormKind, least: Int)
  /// An object.
  case section([SettingDescription])
  /// A text, or an object that says more.
  case either(FormKind, FormKind)

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
    case .number(let range, _): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .words(let words): "one of \(words.joined(separator: ", "))"
    case .text: "a string"
    case .account(let kind): "a \(kind)'s name or number"
    case .list: "an array"
    case .section: "an object"
    case .either: "a string or an object"
    }
  }

  /// A value in JSON that shows the form: of an object what it must have, and in texts what they are.
  package var example: String {
    switch self {
    case .boolean: "true"
    case .number(let range, _): "\(range.lowerBound)"
    case .words(let words): "\"\(words.first ?? "")\""
    case .text(let kind): kind.what.hasPrefix("\"") ? String(kind.what.prefix { $0 != " " }) : "\"\(kind.what)\""
    case .account(let kind): "\"a \(kind)'s name\""
    case .list(let element, _): "[\(element.example)]"
    case .section(let members):
      "{" + members.filter(\.isRequired).map { "\"\($0.name)\": \($0.kind.example)" }.joined(separator: ", ") + "}"
    case .either(let short, _): short.example
    }
  }

  /// The name of an option's value in its help: `FILE|-`.
  package var placeholder: String {
    switch self {
    case .number(_, .milliseconds): "MS"
    case .number(_, .seconds): "SECONDS"
    case .words(let words): words.joined(separator: "|")
    case .text(let kind): kind.placeholder
    default: "N"
    }
  }

  /// What a shell offers for it.
  package var offer: TextKind.Offer {
    switch self {
    case .words(let words): .words(words)
    case .text(let kind): kind.offer
    default: .nothing
    }
  }

  /// Whether it names something in the file system, which messages repeat.
  package var namesFile: Bool { [.files, .folders, .programs].contains(offer) }

  /// Whether values are written as text alone.
  var isText: Bool {
    switch self {
    case .text, .words: true
    default: false
    }
  }

  /// Whether it is an array.
  package var isList: Bool { if case .list = self { true } else { false } }
}
