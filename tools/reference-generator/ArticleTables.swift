internal import MediaTokenCommandLine
internal import MediaTokenFormats

extension MarkdownTable {
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
}
