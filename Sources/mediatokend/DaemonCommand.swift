internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenService

/// `mediatokend`: its options, and its start.
enum DaemonCommand {
  static let config = Option(
    "config", .text(.file),
    "the configuration; instead of all other options but --check-config, --dev and --stand-in")
  static let socket = Option("socket", .text(.path), setting(\.socket.path).sentence)
  static let allowWeak = Option(
    "allow-rsa-1024", each: .text(.fingerprint), setting(\.allowRSA1024).sentence)
  static let requestor = Option("requestor", each: .text(.requestor), setting(\.tenants).sentence)
  static let replay = Option(
    "replay", .text(.replayAddress),
    "what remembers used tokens: " + setting(\.replay.address).sentence + "; must be chosen")
  static let retryWindow = SharedOptions.retryWindow("; X-Request-ID says which request it is")
  static let threads = Option(
    "threads", .number(Configuration.threadCounts), default: Configuration.usualThreads,
    described: setting(\.threads).usual, setting(\.threads).sentence)
  static let inspector = Option("inspector", .text(.listeningAddress), setting(\.inspector).sentence)
  static let checkConfig = Flag("check-config", "read configuration and keys, say what is wrong, and exit")
  static let development = Flag(
    "dev", "try it: a key for development, a table in memory, a socket here, and commands to paste")
  static let standIn = Option(
    "stand-in", .text(.listeningAddress),
    "with --dev: answer in Adobe Pass's place at 127.0.0.1:PORT or [::1]:PORT, with tokens of the development key")
  private static let version = Flag("version", "print the version and exit")

  /// What an option says instead of the file.
  private static func setting(_ property: PartialKeyPath<Configuration>) -> SettingDescription {
    FlagSettings.described(property)
  }

  /// The options that a file takes the place of.
  static let settings: [any CommandOption] =
    [socket, SharedOptions.keys, allowWeak, requestor] + PolicyTimes.all + [replay, retryWindow] + FleetOption.all
    + [threads, inspector]

  private static let command = Command(
    summary: "Verify Adobe Pass short media tokens for others, over HTTP on a UNIX socket.",
    options: [config] + settings + [checkConfig, development, standIn, version],
    notes: [
      "One tenant without proxies can be served with options alone; everything else is in the file.",
      """
      On SIGHUP, or when a file changes, the daemon reads configuration and keys again. On SIGTERM it finishes what \
      it has begun and exits with 0; a second SIGTERM ends it at once.
      """,
      .exitStatus(
        """
        0 stopped, 2 the command line is not understood, 3 the configuration, a key, the replay memory or the socket \
        cannot be used.
        """),
      .example(
        """
        mediatokend --socket /run/mediatokend/mediatokend.sock --keys adobe.pem \\
          --allow-rsa-1024 FINGERPRINT --requestor REF30 \\
          --replay 'shared:/var/lib/mediatoken/replay.table?capacity=1000000'
        """),
    ],
    run: start)

  /// The program's one command, with all its options.
  static let table = CommandTable(program: "mediatokend", version: Version.current, only: command)

  /// Runs the program on its arguments without its name.
  static func run(_ arguments: [[UInt8]]) -> Int32 {
    do throws(ToolError) {
      return try table.run(arguments)
    } catch {
      StandardError.sayLast(error.description, of: table.program)
      return error.exitStatus
    }
  }

  private static func start(_ arguments: Arguments) throws(ToolError) -> Int32 {
    if arguments.has(version) {
      try StandardOutput.write("\(table.program) \(table.version)\n")
      return ExitStatus.done
    }
    try Cryptography.prepare()
    return try Program.run(arguments)
  }
}
