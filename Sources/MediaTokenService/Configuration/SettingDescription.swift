package import MediaTokenFormats

/// What a setting is, without what reads it: for messages, help, documents and tests.
package struct SettingDescription: Sendable {
  /// The member's name in the file.
  package let name: String
  package let kind: SettingKind
  package let isRequired: Bool
  /// What holds without it, as the file would say it; nil where no value says it.
  package let standard: LocatedJSON.Value?
  /// What holds without it, in words, where ``standard`` doesn't say it.
  package let absence: String?
  package let reload: Reload
  /// What it is for, in lower case and without a full stop.
  package let sentence: String

  /// What holds without it, in words or as the file would say it; empty for what is required and for an object.
  package var usual: String { absence ?? standard.map { Self.text($0) } ?? "" }

  private static func text(_ value: LocatedJSON.Value) -> String {
    switch value {
    case .integer(let number): "\(number)"
    case .string(let text): text
    case .boolean(let isOn): "\(isOn)"
    case .array(let elements): elements.map { text($0.value) }.joined(separator: ", ")
    case .object, .real, .null: value.kind
    }
  }

  /// The settings below it, if it is an object or a list of objects.
  package var members: [SettingDescription] { kind.members }
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

/// What a number counts.
package enum SettingUnit: String, Sendable, Hashable {
  case milliseconds = "ms"
  case seconds = "s"
  case bytes, lines, connections, threads, hours
  /// Nothing: it is a name, such as a port.
  case none = ""
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

  /// What a message expects.
  package var expected: String {
    switch self {
    case .boolean: "true or false"
    case .integer(let range, _): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .word(let words): "one of \(words.joined(separator: ", "))"
    case .text: "a string"
    case .account(let kind): "a \(kind)'s name or number"
    case .list: "an array"
    case .section: "an object"
    case .either(let short, let section): "\(short.expected) or \(section.expected)"
    }
  }

  /// How many bytes a text may have, for documents; nil where what it is says that: digits by their number, or quoted values.
  package var lengthToTell: ClosedRange<Int>? {
    guard case .text(let what, let bytes?) = self, bytes.count > 1, !what.hasPrefix("\"") else { return nil }
    return bytes
  }

  /// The settings of an object, or of each object of a list.
  package var members: [SettingDescription] {
    switch self {
    case .section(let members): members
    case .list(let element, _): element.members
    case .either(_, let section): section.members
    default: []
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
  package var isList: Bool {
    if case .list = self { return true }
    return false
  }
}

/// A setting with the keys that lead to it.
package struct PlacedSetting: Sendable {
  /// For example `auth.routes[].prefix`.
  package let key: String
  package let setting: SettingDescription
  /// Whether a change of it needs a restart, by its own declaration or that of what it is in.
  package let needsRestart: Bool
}

extension Settings {
  /// Every setting, each after what it is in, in the order of the declarations.
  package static var all: [PlacedSetting] { all(file.described, in: "", needRestart: false) }

  private static func all(
    _ settings: [SettingDescription], in path: String, needRestart: Bool
  ) -> [PlacedSetting] {
    settings.flatMap { setting in
      let needsRestart = needRestart || setting.reload == .needsRestart
      let placed = PlacedSetting(key: path + setting.name, setting: setting, needsRestart: needsRestart)
      let below = path + setting.name + (setting.kind.isList ? "[]." : ".")
      return [placed] + all(setting.members, in: below, needRestart: needsRestart)
    }
  }
}
