/// What a setting is, without what reads it: for messages, documents and tests.
package struct SettingDescription: Sendable {
  /// The member's name in the file.
  package let name: String
  /// With the keys that lead to it, `auth.routes[].prefix`; in a description of its section alone only the name.
  package private(set) var key: String
  package let kind: FormKind
  package let isRequired: Bool
  /// What holds without it, as the file would say it; nil where no value says it.
  package let standard: JSONTree.Value?
  /// What holds without it, in words, where ``standard`` doesn't say it.
  package let absence: String?
  package let reload: Reload
  /// What it is for, in lower case and without a full stop.
  package let sentence: String
  /// Whether a change of it needs a restart, by its own declaration or that of what it is in.
  package private(set) var needsRestart: Bool

  package init(
    _ name: String, _ kind: FormKind, isRequired: Bool, standard: JSONTree.Value?, absence: String?,
    _ reload: Reload,
    _ sentence: String
  ) {
    (self.name, key, self.kind, self.isRequired) = (name, name, kind, isRequired)
    (self.standard, self.absence, self.reload, self.sentence) = (standard, absence, reload, sentence)
    needsRestart = reload == .needsRestart
  }

  /// The settings below it, if it is an object or a list of objects.
  package var members: [SettingDescription] { kind.members }

  /// The setting, and all below it.
  package func all(in path: String = "", needsRestart isFixed: Bool = false) -> [SettingDescription] {
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
