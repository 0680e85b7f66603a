package import MediaToken
internal import MediaTokenFormats
internal import MediaTokenSystem

/// The commands and options of a program. Parser and help read it; whatever else describes the command line can walk it.
package struct CommandTable: Sendable {
  package let program: String
  package let version: String
  /// A sentence.
  package let purpose: String
  /// The meanings of the exit statuses; empty if the only command says them.
  package let exitStatus: String
  /// The commands in the order of the help. One without words is the only one.
  package let commands: [Command]
  /// Called before the work of any command.
  private let prepare: @Sendable () throws(Problem) -> Void

  package init(
    program: String, version: String, purpose: String, exitStatus: String, commands: [Command],
    prepare: @escaping @Sendable () throws(Problem) -> Void
  ) {
    (self.program, self.version, self.purpose) = (program, version, purpose)
    (self.exitStatus, self.commands, self.prepare) = (exitStatus, commands, prepare)
  }

  package init(program: String, version: String, only command: Command) {
    self.init(
      program: program, version: version, purpose: command.summary, exitStatus: "", commands: [command],
      prepare: {})
  }

  /// Finds the command that the arguments, without the program's name, lead to, and runs it. Returns the exit status.
  package func run(_ arguments: [[UInt8]]) throws(Problem) -> Int32 {
    let words = arguments.prefix(3).map { String(decoding: $0, as: UTF8.self) }
    if let command = commands.first(where: { words.starts(with: $0.words) }) {
      return try run(command, Array(arguments.dropFirst(command.words.count)))
    }
    switch words.first {
    case nil: throw usage("the command is missing; \(allFirstWords)")
    case "help" where words.count > 1: return try help(Array(words.dropFirst()))
    case "--help", "-h", "help": return try show(overview)
    case "--version": return try show("\(program) \(version)\n")
    default: return try runGroup(words)
    }
  }

  /// The words that lead to a command: `PROGRAM keys list`.
  package func invocation(of command: Command) -> String { ([program] + command.words).joined(separator: " ") }

  private func run(_ command: Command, _ arguments: [[UInt8]]) throws(Problem) -> Int32 {
    guard let arguments = try OptionParser(command, invocation: invocation(of: command)).parse(arguments) else {
      return try show(help(of: command))
    }
    try prepare()
    return try command.run(arguments)
  }

  /// `help verify` is `verify --help`, and `help keys` is `keys --help`.
  private func help(_ words: [String]) throws(Problem) -> Int32 {
    guard let command = commands.first(where: { words.starts(with: $0.words) }) else {
      return try runGroup([words[0], words.count > 1 ? words[1] : "--help"])
    }
    return try show(help(of: command))
  }

  /// `keys` alone, or a word that is not a command.
  private func runGroup(_ words: [String]) throws(Problem) -> Int32 {
    let group = commands.filter { $0.words.count > 1 && $0.words.first == words.first }
    guard !group.isEmpty else {
      throw unknown(words.first, among: firstWords, instead: allFirstWords)
    }
    let second = words.dropFirst().first
    if second == "--help" || second == "-h" { return try show(help(ofGroup: group)) }
    let all = "type \(Self.list(group.map(\.name), "or"))"
    guard let second else { throw usage("the second word is missing; \(all)") }
    throw unknown("\(group[0].words[0]) \(second)", among: group.map(\.name), instead: all)
  }

  private func show(_ text: String) throws(Problem) -> Int32 {
    try StandardOutput.write(text)
    return ExitStatus.done
  }

  /// The word is not repeated: it may be a token. `cure` is for the case that no word is like the one that was typed.
  private func unknown(_ typed: String?, among words: [String], instead cure: String) -> Problem {
    let nearest = Spelling.nearest(to: Array((typed ?? "").utf8), among: words)
    return usage("unknown command; " + (nearest.map { "did you mean \($0)" } ?? cure))
  }

  private func usage(_ message: String) -> Problem { .usage(message, see: program) }

  private var firstWords: [String] {
    commands.map { $0.words[0] }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private var allFirstWords: String { "the commands are \(Self.list(firstWords, "and"))" }

  private static func list(_ words: [String], _ conjunction: String) -> String {
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }
}
