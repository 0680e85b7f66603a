internal import CommandLineOptions
internal import MediaToken
internal import MediaTokenService

/// `mediatokend`: what it can be told, and what it does with it.
enum DaemonCommand {
  static let config = Option.value(
    "config", "FILE", "the configuration; instead of all other options but --check-config")
  static let socket = Option.value("socket", "PATH", "the UNIX socket to answer on")
  static let keys = Option.value(
    "keys", "PATH", repeatable: true,
    "trusted public keys: a PEM or DER file, a certificate, a JKS keystore, or a folder of them")
  static let allowWeak = Option.value(
    "allow-rsa-1024", "FINGERPRINT", repeatable: true, "consent to a key of less than 2048 bits, such as Adobe's")
  static let requestor = Option.value("requestor", "ID", repeatable: true, "a requestor that is served")
  static let replay = Option.value(
    "replay", "ADDRESS",
    "what remembers used tokens: shared:PATH, shared:PATH?capacity=N to make it if it is missing,"
      + " redis:FLEET@SEAT,SEAT,… for hosts that share seats, or none:, which enforces nothing; must be chosen")
  static let retryWindow = Option.value(
    "retry-window", "MS",
    "for how long a request that is repeated under the same X-Request-ID gets its first answer (default 0)")
  static let threads = Option.value("threads", "N", "how many threads answer (default: one for each processor)")
  static let checkConfig = Option.flag("check-config", "read configuration and keys, say what is wrong, and exit")
  static let development = Option.flag(
    "dev", "try it: a key for development, a table in memory, a socket here, and commands to paste")
  static let version = Option.flag("version", "print the version and exit")

  private static let command = Command(
    program: "mediatokend", words: [],
    summary: "Answer whether Adobe Pass short media tokens are genuine, over HTTP on a UNIX socket.", operand: nil,
    options: [
      config, socket, keys, allowWeak, requestor,
    ] + PolicyTimes.all + [replay, retryWindow] + FleetOption.all + [threads, checkConfig, development, version],
    notes: [
      "One tenant without proxies can be served with options alone; everything else is in the file.",
      "SIGHUP reads configuration and keys anew, as does a changed file; SIGTERM finishes what was begun and exits 0; a"
        + " second SIGTERM does not wait.",
      "Exit status: 0 stopped, 2 the command line is not understood, 3 unusable configuration, keys, replay memory or socket.",
      "Example:\n  mediatokend --socket /run/mediatokend/socket --keys adobe.pem \\\n"
        + "    --allow-rsa-1024 FINGERPRINT --requestor REF30 \\\n    --replay shared:/var/lib/mediatoken/table?capacity=1000000",
    ],
    run: start)

  /// Runs the program on its arguments without its name.
  static func run(_ arguments: [[UInt8]]) -> Int32 {
    do throws(ToolError) {
      switch try OptionParser(command).parse(arguments) {
      case .helpWanted:
        try StandardOutput.write(Help.text(for: command))
        return ExitStatus.done
      case .arguments(let arguments): return try command.run(arguments)
      }
    } catch {
      StandardError.sayLast(error.description, of: command.program)
      return error.exitStatus
    }
  }

  private static func start(_ arguments: Arguments) throws(ToolError) -> Int32 {
    if arguments.has(version) {
      try StandardOutput.write("mediatokend \(Version.current)\n")
      return ExitStatus.done
    }
    do throws(Fault) {
      try CryptoLibrary.ignoreConfigurationFiles()
    } catch {
      throw .unable("OpenSSL does not start: \(error.answer.wireName)")
    }
    return try Program.run(arguments)
  }
}
