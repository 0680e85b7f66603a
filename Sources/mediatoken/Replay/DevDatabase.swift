internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenSystem

/// A PostgreSQL to try a fleet with: a server of its own, with data and socket in the fleet's folder, which its owner
/// alone may enter.
struct DevDatabase {
  let folder: String
  /// The folder of `initdb`, `postgres` and `psql`.
  let programs: String

  /// The longest time for making the data, and for making the schema, in milliseconds. A slow disk needs some seconds.
  private static let limit = 60_000

  /// `programs` nil: those of the newest version that Debian has installed. PostgreSQL does not run as root.
  init(in folder: String, _ programs: String?) throws(Problem) {
    guard CurrentProcess.effectiveUserID != 0 else {
      throw Problem(
        "PostgreSQL does not run as root",
        cure: "start this as another user: runuser -u USER -- mediatoken replay dev-fleet ..."
      )
    }
    // Debian's places, from a version that is to come to the oldest that will do.
    let places = programs.map { [$0] } ?? (13...30).reversed().map { "/usr/lib/postgresql/\($0)/bin" }
    guard let found = places.first(where: { (try? FileStatus(ofLinkAt: "\($0)/initdb")) != nil }) else {
      throw Problem(
        "\(VerdictText.shown(programs ?? "/usr/lib/postgresql")): expected PostgreSQL's initdb here;"
          + " install it with apt-get install postgresql, or name its folder of programs with --server FOLDER")
    }
    (self.folder, self.programs) = (folder, found)
  }

  private var data: String { "\(folder)/data" }

  /// Makes the data and starts the server. Both write to the log.
  func start(_ log: borrowing FileDescriptor) throws(Problem) -> ChildProcess {
    let form = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
    guard try child("initdb", ["-D", data] + form, log.number).status(withinMilliseconds: Self.limit) == 0 else {
      throw Problem("\(VerdictText.shown(data)): initdb cannot make the data")
    }
    return try child("postgres", ["-D", data, "-k", folder, "-c", "listen_addresses="], log.number)
  }

  private func child(_ program: String, _ arguments: [String], _ log: Int32) throws(Problem) -> ChildProcess {
    try rethrow(ChildProcess(starting: "\(programs)/\(program)", arguments, output: log)) { (error: SystemError) in
      Problem("\(VerdictText.shown("\(programs)/\(program)")) cannot be started: \(error.description)")
    }
  }

  /// Makes the fleet's schema as soon as the server takes it. `isToEnd` is asked before each attempt; false if it gave
  /// up.
  func makeSchema(of fleet: FleetAddress, unless isToEnd: () throws(Problem) -> Bool) throws(Problem) -> Bool {
    let policy = FleetPolicy(.standard)
    let digest = try ReplayTableOptions.memory(rethrow(FleetDigest(of: fleet, policy), as: Problem.digest))
    let file = "\(folder)/schema.sql"
    do throws(SystemError) {
      try NewFile.write(
        NodeSchema.text(fleet: fleet.name, policy, digest, isUnlogged: false).utf8Span.span, to: file, mode: 0o600)
    } catch {
      throw Problem("\(VerdictText.shown(file)): cannot be written: \(error.description)")
    }
    let arguments = [
      "-XqAt1", "-v", "ON_ERROR_STOP=1", "-U", "postgres", "-h", folder, "-d", "postgres", "-f", file,
    ]
    while try !isToEnd() {
      if try Self.quietly("\(programs)/psql", arguments) == 0 { return true }
    }
    return false
  }

  static func remove(from folder: String) {
    _ = try? quietly("/bin/rm", ["-rf", "--", "\(folder)/data", "\(folder)/schema.sql"])
    for file in [".s.PGSQL.5432", ".s.PGSQL.5432.lock"] { try? SystemCall.unlink("\(folder)/\(file)") }
  }

  private static func quietly(_ program: String, _ arguments: [String]) throws(Problem) -> Int32? {
    do throws(SystemError) {
      let nothing = try FileDescriptor(opening: "/dev/null", for: .writing)
      return try ChildProcess(starting: program, arguments, output: nothing.number).status(
        withinMilliseconds: limit)
    } catch {
      throw Problem("\(VerdictText.shown(program)) cannot be started: \(error.description)")
    }
  }
}
