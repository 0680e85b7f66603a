/// The texts of `--help`.
extension CommandTable {
  /// `PROGRAM --help`.
  var overview: String {
    let ways = [("\(program) COMMAND --help", "the options of a command"), ("\(program) --version", "the version")]
    return """
      \(purpose)

      usage: \(program) COMMAND [OPTION...]

      commands:
      \(Self.lines(commands.map { ("  \($0.name)", $0.summary) }, gap: 2))
      \(Self.lines(ways, gap: 3))
      exit status: \(exitStatus)

      """
  }

  /// `PROGRAM keys --help`.
  func help(ofGroup group: [Command]) -> String {
    """
    commands:
    \(Self.lines(group.map { ("  \($0.name)", $0.summary) }, gap: 2))
    \(program) COMMAND --help   the options of a command

    """
  }

  /// `PROGRAM COMMAND --help`.
  func help(of command: Command) -> String {
    var text = "usage: \(invocation(of: command))"
    if let operand = command.operand {
      text += operand.isOptional ? " [\(operand.kind.placeholder)]" : " \(operand.kind.placeholder)"
    }
    text += " [OPTION...]\n\n" + Self.wrapped(command.summary, indent: 0) + "\noptions:\n"
    let options = command.options + [Flag("help", "print this and exit")]
    let width = min(options.map(\.usage.utf8.count).max() ?? 0, 24)
    for option in options {
      let lines = Self.wrapped(option.sentence, indent: width + 4)
      if option.usage.utf8.count <= width {
        text += "  \(Self.padded(option.usage, width))  " + lines.drop { $0 == " " }
      } else {
        text += "  \(option.usage)\n" + lines
      }
    }
    for note in command.notes { text += "\n" + Self.wrapped(Self.paragraph(note), indent: 0) }
    return text
  }

  private static func paragraph(_ note: Command.Note) -> String {
    switch note {
    case .text(let text): text
    case .exitStatus(let text): "Exit status: \(text)"
    case .example(let lines): "Example:" + lines.split(separator: "\n").map { "\n  \($0)" }.joined()
    }
  }

  private static func lines(_ rows: [(String, String)], gap: Int) -> String {
    let width = (rows.map(\.0.utf8.count).max() ?? 0) + gap
    return rows.map { "\(padded($0.0, width))\($0.1)\n" }.joined()
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.utf8.count))
  }

  /// The text in lines of at most 80 columns. Lines that are indented in the text stay as they are.
  private static func wrapped(_ text: String, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if paragraph.hasPrefix(" ") {
        lines.append(String(paragraph))
        continue
      }
      var line = ""
      for word in paragraph.split(separator: " ") {
        if !line.isEmpty, indent + line.utf8.count + 1 + word.utf8.count > 80 {
          lines.append(line)
          line = ""
        }
        line += (line.isEmpty ? "" : " ") + word
      }
      lines.append(line)
    }
    return lines.map { margin + $0 + "\n" }.joined()
  }
}
