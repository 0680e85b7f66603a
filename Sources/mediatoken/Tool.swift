internal import CommandLineOptions
internal import MediaToken

/// The command line: finds the command, runs it, and turns its failures into a message and an exit status.
enum Tool {
  /// Everything that `mediatoken` can do, in the order in which the help shows it.
  static let commands: [Command] = [
    .verify, .inspect, .explain, .issue, .keysList, .keysImport, .keysGenerate, .replayCreate, .replayGrow,
    .replayInfo, .replaySpend, .replayFound, .replaySeats, .replayDevFleet, .query,
  ]

  /// Runs the program on its arguments without its name.
  static func run(_ arguments: [[UInt8]]) -> Int32 {
    do throws(ToolError) {
      return try dispatch(arguments)
    } catch {
      StandardError.say(error.description)
      return error.exitStatus
    }
  }

  private static func dispatch(_ arguments: [[UInt8]]) throws(ToolError) -> Int32 {
    let words = arguments.prefix(3).map { String(decoding: $0, as: UTF8.self) }
    switch words.first {
    case nil: throw .usage("expected a command: \(list(commandWords))", command: nil)
    case "help" where words.count > 1: return try help(Array(words.dropFirst()))
    case "--help", "-h", "help":
      try StandardOutput.write(Help.overview)
      return ExitStatus.done
    case "--version":
      try StandardOutput.write("mediatoken \(Version.current)\n")
      return ExitStatus.done
    default: break
    }
    if let command = commands.first(where: { words.starts(with: $0.words) }) {
      return try run(command, Array(arguments.dropFirst(command.words.count)))
    }
    return try dispatchGroup(words)
  }

  /// `help verify` is `verify --help`, and `help keys` is `keys --help`.
  private static func help(_ words: [String]) throws(ToolError) -> Int32 {
    guard let command = commands.first(where: { words.starts(with: $0.words) }) else {
      return try dispatchGroup([words[0], words.count > 1 ? words[1] : "--help"])
    }
    try StandardOutput.write(Help.text(for: command))
    return ExitStatus.done
  }

  private static func run(_ command: Command, _ arguments: [[UInt8]]) throws(ToolError) -> Int32 {
    switch try OptionParser(command).parse(arguments) {
    case .helpWanted:
      try StandardOutput.write(Help.text(for: command))
      return ExitStatus.done
    case .arguments(let arguments):
      try ignoreOpenSSLConfiguration()
      return try command.run(arguments)
    }
  }

  /// Nothing in the environment has a say in a verdict.
  private static func ignoreOpenSSLConfiguration() throws(ToolError) {
    do throws(Fault) {
      try CryptoLibrary.ignoreConfigurationFiles()
    } catch {
      throw .unable("OpenSSL does not start: \(error.answer.wireName)")
    }
  }

  /// `keys` alone, or a word that is no command.
  private static func dispatchGroup(_ words: [String]) throws(ToolError) -> Int32 {
    let group = commands.filter { $0.words.count > 1 && $0.words.first == words.first }
    guard !group.isEmpty else {
      throw unknown(words.first, among: commandWords, "expected a command: \(list(commandWords))")
    }
    if let second = words.dropFirst().first, second == "--help" || second == "-h" {
      try StandardOutput.write(Help.text(forGroup: group))
      return ExitStatus.done
    }
    throw unknown(words.dropFirst().first, among: group.map { $0.words[1] }, "expected \(list(group.map(\.name)))")
  }

  /// The word is not repeated: it may be a token.
  private static func unknown(_ typed: String?, among words: [String], _ message: String) -> ToolError {
    let nearest = Spelling.nearest(to: Array((typed ?? "").utf8), among: words)
    return .usage(message + (nearest.map { "; did you mean \($0)" } ?? ""), command: nil)
  }

  private static var commandWords: [String] {
    commands.map { $0.words[0] }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}
