internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenSystem

extension Command {
  static let replayDevFleet = Command(
    words: ["replay", "dev-fleet"],
    summary: "Try a fleet on this machine, of three Redis nodes or a PostgreSQL.",
    options: ReplayDevFleetCommand.options,
    notes: [
      """
      Starts three servers, or one PostgreSQL, on UNIX sockets in a folder that only its owner may enter, initialises the fleet dev, which \
      accepts all tokens at once, makes a key pair and the configurations a.json and b.json of two daemons, and prints \
      the address and commands to paste. Nothing is kept: it is for trying and for tests. The process id of node N is \
      in DIR/N.pid.
      """,
      """
      Ends with SIGINT (Ctrl-C), SIGTERM, SIGHUP, or when standard input is a pipe that is closed. Its servers \
      end with it, even if it is killed. The folder is removed, unless it is killed.
      """,
      .exitStatus(
        "0 ended as it was told to, 2 the command line is not understood, 3 the servers cannot be started."),
      .example("mediatoken replay dev-fleet --folder /tmp/fleet"),
    ],
    run: ReplayDevFleetCommand.run)
}

enum ReplayDevFleetCommand {
  private static let folder = Option(
    "folder", .text(.folder), described: "a new one in TMPDIR or /tmp",
    "the folder for the sockets, which is created and must not exist yet")
  private static let engine = Option(
    "engine", .words(DevFleet.Engine.self), default: .redis, "what the nodes are: three of Redis, or a PostgreSQL")
  private static let server = Option(
    "server", .text(.program), described: "redis-server, from PATH; PostgreSQL of Debian's newest version",
    "what is started, for example valkey-server; with --engine postgres the folder with initdb and postgres")

  static let options: [any CommandOption] = [folder, engine, server]

  /// The time that the servers have to answer, in milliseconds; they need about 20.
  private static let startLimit = 20_000
  /// The wait for a signal before looking after the servers, in milliseconds.
  private static let tick = 100

  static func run(_ arguments: Arguments) throws(Problem) -> Int32 {
    // From here on signals wait until they are asked for, so that servers and folder are removed whenever it ends.
    Signals.hold()
    let program = try arguments[server]
    var fleet = try DevFleet(try arguments[engine], in: try arguments[folder])
    do throws(Problem) {
      let isStarted = try fleet.start(program) { isToldToEnd }
      try fleet.makeFiles()
      if isStarted, try initialise(fleet) {
        try StandardOutput.write(text(about: fleet))
        wait(fleet)
      }
    } catch {
      fleet.end()
      throw error
    }
    fleet.end()
    return ExitStatus.done
  }

  /// Founds the fleet as soon as all nodes answer. False if it is to end already.
  private static func initialise(_ fleet: borrowing DevFleet) throws(Problem) -> Bool {
    let options = FleetOptions(address: fleet.address, policy: .standard)
    var administration = try rethrow(FleetAdministration(options)) { (error: Problem) in
      error.about("the fleet cannot be initialised")
    }
    administration.timeoutMilliseconds = startLimit
    for _ in 0..<(startLimit / tick) {
      if let index = fleet.servers.firstIndex(where: { $0.hasEnded() }) {
        throw Problem("node \(index + 1) ended at once:\(fleet.lastWords(ofNode: index + 1))")
      }
      if !administration.describe().contains(where: { $0.state == .down }) { break }
      if isToldToEnd { return false }
    }
    if let node = administration.initialise(fresh: true).first(where: { !$0.isInitialised }) {
      throw Problem("node \(node.number) does not vote: \(node.reason ?? node.state.rawValue)")
    }
    return try prepare(fleet)
  }

  /// Uses up random identities until one is decided; false if it is to end already. The first claim makes the nodes
  /// reserve room for an hour of tokens, which takes each about 20 ms, and more than a claim's deadline where three of
  /// them share a busy processor.
  private static func prepare(_ fleet: borrowing DevFleet) throws(Problem) -> Bool {
    let address = ReplayAddress.fleet(fleet.address)
    let settings = FleetSettings(deadlineMilliseconds: Int(Setting.deadline.range.upperBound))
    let choice = ReplayChoice(address: address, retryWindowMilliseconds: 0, fleet: settings)
    let store = try choice.open(policy: .standard)
    for _ in 0..<(startLimit / Int(Setting.deadline.range.upperBound)) {
      let digits = (0..<64).map { _ in String(Int.random(in: 0..<16), radix: 16) }.joined()
      guard let digest = SHA256Digest(hexadecimal: digits) else { break }
      let claim = UseClaim(
        identity: TokenIdentity(digest: digest), issueTime: .now, ttlMilliseconds: 1000, now: .now, request: nil)
      if (try? store.spend(claim)) != nil { return true }
      if isToldToEnd { return false }
    }
    throw Problem("the nodes do not vote in time")
  }

  /// Waits for one tick. True if a signal came, or the pipe on standard input was closed.
  private static var isToldToEnd: Bool {
    Signals.next(withinMilliseconds: tick) != nil || CurrentProcess.hasHungUp(StandardStreams.input)
  }

  /// Returns when it is to end. A server that ends does not end it, because a fleet outlives one: each is reported once.
  private static func wait(_ fleet: borrowing DevFleet) {
    var ended: Set<Int> = []
    while !isToldToEnd {
      for (index, server) in fleet.servers.enumerated() where !ended.contains(index) && server.hasEnded() {
        ended.insert(index)
        let left = fleet.servers.count - ended.count
        StandardError.say(
          "node \(index + 1) has ended; \(left) of \(fleet.servers.count) are left, and \(fleet.address.votesNeeded) decide"
        )
      }
    }
  }

  private static func text(about fleet: borrowing DevFleet) -> String {
    var text = "address: \(fleet.address)\n"
    for (index, server) in fleet.servers.enumerated() { text += "node \(index + 1): process \(server.id)\n" }
    let starts = DevFleet.hosts.map { "mediatokend --config \(shellWord(fleet.configuration(of: $0)))" }
    return text + """

      Two daemons that share it, each in a terminal of its own:

      \(starts.joined(separator: "\n"))

      A token, which plays at one of them, once:

      mediatoken issue --key \(shellWord(fleet.privateKey)) --requestor REF30 --resource TNT >token
      mediatoken query --socket a.sock --resource TNT - <token
      mediatoken query --socket b.sock --resource TNT - <token

      Stop with Ctrl-C.

      """
  }

  private static func shellWord(_ text: String) -> String { DisplayText.shellWord(Array(text.utf8)) }
}
