internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenService

extension MarkdownTable {
  /// Every setting of the daemon. Settings that differ in their keys alone are one row, at the place of the first.
  static var settings: MarkdownTable {
    var (keys, order) = ([[String]: [String]](), [[String]]())
    for setting in ConfigurationFile.settings {
      let cells = cells(of: setting)
      if keys[cells] == nil { order.append(cells) }
      keys[cells, default: []].append(code(setting.key))
    }
    return MarkdownTable(
      ["Key", "Is", "Values", "Default", "Reload"],
      order.map { cells in [(keys[cells] ?? []).joined(separator: ", ")] + cells })
  }

  /// A program's commands.
  static func commands(of table: CommandTable) -> MarkdownTable {
    MarkdownTable(
      ["Command", "Does"],
      table.commands.map { [code(table.invocation(of: $0)), prose($0.summary)] })
  }

  /// Options of a command.
  static func options(_ options: [any CommandOption]) -> MarkdownTable {
    MarkdownTable(["Option", "Is"], options.map { [code($0.usage), prose($0.sentence) + range($0.kind)] })
  }

  private static func range(_ kind: FormKind?) -> String {
    guard case .number(let range, _) = kind else { return "" }
    return ", \(number(range.lowerBound)) to \(number(range.upperBound))"
  }

  private static func cells(of setting: SettingDescription) -> [String] {
    [prose(setting.sentence), setting.kind.values, usual(setting), reload(of: setting)]
  }

  private static func usual(_ setting: SettingDescription) -> String {
    guard !setting.isRequired else { return "required" }
    if let absence = setting.absence { return prose(absence) }
    return switch setting.standard {
    case .integer(let value)?: number(value)
    case .array(let elements)?: elements.map { code($0.value.typed) }.joined(separator: ", ")
    case let value?: code(value.typed)
    case nil: ""
    }
  }

  /// Empty for what holds settings that a reload takes and others that it doesn't.
  private static func reload(of setting: SettingDescription) -> String {
    if setting.needsRestart { return "no" }
    if setting.members.contains(where: { $0.reload == .needsRestart }) { return "" }
    if case .takenWithin(let bound) = setting.reload { return "yes, " + prose(bound) }
    return "yes"
  }
}

extension FormKind {
  /// What may be written, in Markdown.
  fileprivate var values: String {
    switch self {
    case .boolean: MarkdownTable.choice(["true", "false"])
    case .number(let range, let unit):
      "\(MarkdownTable.number(range.lowerBound)) to \(MarkdownTable.number(range.upperBound))"
        + (unit == .none ? "" : " " + unit.rawValue)
    case .words(let words): MarkdownTable.choice(words)
    case .text(let text):
      MarkdownTable.prose(text.what) + (lengthToTell.map { Self.length($0) } ?? "")
    case .account(let kind): "a \(kind)'s name or number"
    case .list(let element, let least): "a list\(least > 0 ? " of at least \(least)" : ""), each \(element.values)"
    case .section: "an object"
    case .either(let short, let section): "\(short.values); or \(section.values)"
    }
  }

  private static func length(_ range: ClosedRange<Int>) -> String {
    let upper = MarkdownTable.number(Int64(range.upperBound))
    return range.lowerBound == 1 ? ", at most \(upper) bytes" : ", \(range.lowerBound) to \(upper) bytes"
  }
}
