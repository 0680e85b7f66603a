internal import MediaTokenCommandLine

/// What shells need to complete a program's command line.
struct Completion {
  let table: CommandTable

  init(_ table: CommandTable) { self.table = table }

  /// A file for each shell. Its name is the one by which the shell finds it when the program is typed.
  var all: [GeneratedFile] {
    [
      GeneratedFile(path: "deploy/completions/\(table.program).bash", text: bash),
      GeneratedFile(path: "deploy/completions/_\(table.program)", text: zsh),
      GeneratedFile(path: "deploy/completions/\(table.program).fish", text: fish),
    ]
  }

  /// The first words of the commands, in order, each once; none in a program that does one thing.
  var firstWords: [String] {
    table.commands.compactMap(\.words.first).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The commands of two words, by the first one.
  func group(_ word: String) -> [Command] { table.commands.filter { $0.words.count > 1 && $0.words[0] == word } }

  /// The options of a command, with the one that all have.
  func options(of command: Command) -> [any CommandOption] {
    command.options + [Flag("help", "print the options and exit")]
  }

  /// The one-line summary of what begins with a word.
  func summary(of word: String) -> String {
    let group = group(word)
    guard group.isEmpty else { return group.map { $0.words[1] }.joined(separator: ", ") }
    let summary = table.commands.first { $0.words == [word] }?.summary ?? ""
    return summary.hasSuffix(".") ? String(summary.dropLast()) : summary
  }

  /// The comment that each file begins with, after the shell's own first line.
  var comment: String {
    "# Completes the command line of \(table.program). Written by tools/reference from the program's table; change that, then run it.\n"
  }

  /// Where a daemon's configuration is by default; it names the requestors that are served.
  static let configuration = "/etc/mediatoken/mediatokend.json"

  /// Prints the requestors that the daemon's configuration names.
  static let requestors =
    #"grep -o '"requestor": *"[^"\\]*"' "# + configuration + #" 2>/dev/null | sed 's/.*: *"//; s/"$//' | sort -u"#

  /// Prints the fingerprints among the lines of `mediatoken keys list`.
  static let fingerprints = "sed -n 's/^fingerprint: //p'"
}
