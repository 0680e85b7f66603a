/// What `--help` prints, made from the same tables that the parser reads.
package enum Help {
  /// `mediatoken COMMAND --help`.
  package static func text(for command: Command) -> String {
    var text = "usage: \(command.invocation)"
    if let operand = command.operand {
      text += operand.isOptional ? " [\(operand.placeholder)]" : " \(operand.placeholder)"
    }
    text += " [OPTION...]\n\n" + wrapped(command.summary, indent: 0) + "\noptions:\n"
    let options = command.options + [.flag("help", "print this and exit")]
    let width = min(options.map(\.usage.utf8.count).max() ?? 0, 24)
    for option in options {
      let help = option.help + (option.isRepeatable ? " (repeatable)" : "")
      let lines = wrapped(help, indent: width + 4)
      if option.usage.utf8.count <= width {
        text += "  \(padded(option.usage, width))  " + lines.drop { $0 == " " }
      } else {
        text += "  \(option.usage)\n" + lines
      }
    }
    for note in command.notes { text += "\n" + wrapped(note, indent: 0) }
    return text
  }

  /// `mediatoken keys --help`.
  package static func text(forGroup commands: [Command]) -> String {
    let width = commands.map(\.name.utf8.count).max() ?? 0
    let lines = commands.map { "  \(padded($0.name, width))  \($0.summary)\n" }
    return "commands:\n\(lines.joined())\nmediatoken COMMAND --help   the options of a command\n"
  }

  /// The text, filled up with spaces.
  package static func padded(_ text: String, _ width: Int) -> String {
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
