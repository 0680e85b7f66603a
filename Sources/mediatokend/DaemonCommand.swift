internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenService

/// `mediatokend`: its options, and its start.
enum DaemonCommand {
  static let config = Option("config", .text(.file), "the configuration, which says everything")
  static let checkConfig = Flag(
    "check-config", "try each step of the start, print what is ok, a warning or failed, with the cure, and exit")
  static let user = Option(
    "user", .text(.text), described: "mediatokend, for root, where there is that user",
    "with --check-config: the user that tries the start")
  static let development = Flag(
    "dev", "try it: a key for development, a table in memory, a socket here, and commands to paste")
  static let socket = Option(
    "socket", .text(.path), described: "mediatokend.sock",
    "with --dev and no --config: the UNIX socket to answer on, which is made at the start")
  static let inspector = Option(
    "inspector", .inspectorAddress,
    "with --dev and no --config: where refusals are explained: 127.0.0.1:PORT, [::1]:PORT or the path of a socket")
  static let initial = Flag(
    "init", "write a first configuration, never over another file, and print the commands that come next")
  private static let version = Flag("version", "print the version and exit")

  private static let command = Command(
    summary: "Verify Adobe Pass short media tokens for others, over HTTP on a UNIX socket.",
    options: [config, checkConfig, user, development, socket, inspector, initial] + InitCommand.options
      + [version],
    notes: [
      """
      On SIGHUP, or when a file changes, the daemon reads configuration and keys again. On SIGTERM it finishes what \
      it has begun and exits with 0; a second SIGTERM ends it at once.
      """,
      .exitStatus(
        """
        0 stopped, 2 the command line is not understood, 3 the configuration, a key, the replay memory or the socket \
        cannot be used.
        """),
      .example("mediatokend --check-config --config /etc/mediatoken/mediatokend.json"),
      .example("mediatokend --dev --inspector 127.0.0.1:8099"),
      .example("mediatokend init --requestor REF30 --resource TNT --resource TBS --proxy nginx"),
    ],
    run: start)

  static let table = CommandTable(program: "mediatokend", version: Version.current, only: command)

  /// Without the program's name.
  static func run(_ arguments: [[UInt8]]) -> Int32 {
    do throws(Problem) {
      guard arguments.first == Array("init".utf8) else { return try table.run(arguments) }
      // The word is easier to remember than the option. It may be asked about, too.
      let rest = Array(arguments.dropFirst())
      return try table.run(rest == [Array("--help".utf8)] ? rest : [Array("--init".utf8)] + rest)
    } catch {
      StandardError.sayLast(error.description, of: table.program)
      return error.exitStatus
    }
  }

  private static func start(_ arguments: Arguments) throws(Problem) -> Int32 {
    if arguments.has(version) {
      try StandardOutput.write("\(table.program) \(table.version)\n")
      return ExitStatus.done
    }
    try Cryptography.prepare()
    return try Program.run(arguments)
  }
}
