internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenIssuer
internal import MediaTokenSystem

/// Nodes to try a fleet with, in a folder of their own, and a key pair for tokens: three of Redis, which keep nothing
/// on disk, or a PostgreSQL.
struct DevFleet: ~Copyable {
  let folder: String
  let engine: Engine
  let address: FleetAddress
  private(set) var servers: [ChildProcess] = []

  enum Engine: String, CaseIterable {
    case redis, postgres
  }

  static let redisNodes = 3
  /// The time that a server has to end before it is killed, in milliseconds.
  private static let timeout = 20_000

  /// Makes the folder, with mode 0700; nil: a new one for temporary files.
  init(_ engine: Engine, in folder: String?) throws(Problem) {
    let path = folder.map(Self.absolute) ?? Self.temporary()
    let place =
      switch engine {
      case .redis: (1...Self.redisNodes).map { "\(path)/\($0).sock" }.joined(separator: ",")
      case .postgres: "\(path)/postgres"
      }
    let found = try rethrow(FleetAddress(scheme: engine.rawValue, "dev@\(place)")) { (_: Problem) in
      Problem(
        "\(VerdictText.shown(path)): the nodes' sockets cannot be in this folder, whose path is longer than 100 bytes or has"
          + " a comma or question mark", cure: "name another with --folder DIR")
    }
    try rethrow(SystemCall.makePrivateFolder(path)) { (error: SystemError) in
      Problem(
        "\(VerdictText.shown(path)): cannot be made: \(error.description)",
        cure: error == .exists ? "remove it if no fleet uses it, or name another with --folder DIR" : nil)
    }
    guard let address = found else { throw Problem("there is no such engine") }
    (self.folder, self.address, self.engine) = (path, address, engine)
  }

  /// `program`: `redis-server`, or one that understands the same options; the folder with PostgreSQL's programs. Nil:
  /// Debian's. `isToEnd` is asked while a server starts; false if it gave up.
  mutating func start(_ program: String?, unless isToEnd: () -> Bool) throws(Problem) -> Bool {
    switch engine {
    case .redis:
      for number in 1...Self.redisNodes { try start(program ?? "redis-server", ofNode: number) }
      return true
    case .postgres:
      let (address, logPath) = (address, path(1, "log"))
      let database = try DevDatabase(in: folder, program)
      let log = try log(ofNode: 1)
      let server = try database.start(log)
      servers = [server]
      try write("\(server.id)\n".utf8Span.span, to: path(1, "pid"))
      return try database.makeSchema(of: address) { () throws(Problem) in
        if server.hasEnded() { throw Problem("the server ended at once:\(Self.lastWords(in: logPath))") }
        return isToEnd()
      }
    }
  }

  private mutating func start(_ program: String, ofNode number: Int) throws(Problem) {
    let log = try log(ofNode: number)
    do throws(SystemError) {
      servers.append(try ChildProcess(starting: program, options(ofNode: number), output: log.number))
    } catch {
      let advice =
        error == .missing
        ? "; install it with apt-get install redis-server, or name another with --server PROGRAM" : ""
      throw Problem("\(VerdictText.shown(program)) cannot be started: \(error.description)\(advice)")
    }
  }

  private func log(ofNode number: Int) throws(Problem) -> FileDescriptor {
    do throws(SystemError) {
      return try FileDescriptor(opening: path(number, "log"), for: .writing, .new, mode: 0o600)
    } catch {
      throw unwritable(error)
    }
  }

  private func write(_ bytes: Span<UInt8>, to file: String) throws(Problem) {
    do throws(SystemError) {
      try NewFile.write(bytes, to: file, mode: 0o600)
    } catch {
      throw unwritable(error)
    }
  }

  private func unwritable(_ error: SystemError) -> Problem {
    Problem("\(VerdictText.shown(folder)): a file cannot be written: \(error.description)")
  }

  /// Nothing is written to disk, so that a node that is started again is empty, and is given its place again.
  private func options(ofNode number: Int) -> [String] {
    [
      "--port", "0", "--unixsocket", path(number, "sock"), "--unixsocketperm", "600", "--save", "", "--appendonly",
      "no", "--maxmemory-policy", "noeviction", "--lazyfree-lazy-expire", "yes", "--dir", folder, "--pidfile",
      path(number, "pid"), "--daemonize", "no",
    ]
  }

  private func path(_ number: Int, _ kind: String) -> String { "\(folder)/\(number).\(kind)" }

  /// The key that signs tokens, and the one that daemons trust. Daemons refuse the repository's, which anyone can sign with.
  var privateKey: String { "\(folder)/key.private.pem" }
  var publicKey: String { "\(folder)/key.pem" }

  /// The names of two daemons that share the fleet.
  static let hosts = ["a", "b"]

  /// The configuration of a daemon, which makes its socket where it is started.
  func configuration(of host: String) -> String { "\(folder)/\(host).json" }

  func makeFiles() throws(Problem) {
    let written: Result<Void, SystemError>
    do throws(Problem) {
      let pair = try DevelopmentKeyPair.generate()
      let publicPEM = try pair.publicKeyPEM()
      let (privateKey, publicKey) = (privateKey, publicKey)
      let configurations = Self.hosts.map { (configuration(of: $0), configurationText(of: $0)) }
      written = try pair.withPrivateKeyPEM { pem throws(SystemError) in
        try NewFile.write(pem, to: privateKey, mode: 0o600)
        try NewFile.write(publicPEM.utf8Span.span, to: publicKey, mode: 0o644)
        for (file, bytes) in configurations { try NewFile.write(bytes.span, to: file, mode: 0o600) }
      }
    } catch {
      throw error
    }
    if case .failure(let error) = written {
      throw Problem("\(VerdictText.shown(folder)): keys and configurations cannot be written: \(error.description)")
    }
  }

  private func configurationText(of host: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { file in
      file.member("socket") { $0.member("path", "\(host).sock") }
      file.member("keys", [publicKey])
      file.member("tenants", objects: ["REF30"]) { $1.member("requestor", $0) }
      file.member("replay") { replay in
        replay.member("address", address.description)
        // Three nodes and two daemons on one machine may be slow.
        replay.member("fleet") { $0.member("deadlineMilliseconds", Setting.deadline.range.upperBound) }
      }
    }
    writer.endLine()
    return writer.bytes
  }

  /// For the message that the server did not start.
  func lastWords(ofNode number: Int) -> String { Self.lastWords(in: path(number, "log")) }

  private static func lastWords(in log: String) -> String {
    guard let log = try? FileDescriptor(opening: log, for: .reading) else { return "" }
    let bytes = (try? ByteSource(log.number).bytes(atMost: 64 * 1024)) ?? []
    let lines = bytes.split(separator: UInt8(ascii: "\n")).suffix(3)
    return lines.map { "\n  " + VerdictText.shown(String(decoding: $0, as: UTF8.self)) }.joined()
  }

  consuming func end() {
    // PostgreSQL waits for those who are connected, unless it is told to end by SIGINT.
    for server in servers {
      server.end(by: engine == .redis ? .terminate : .interrupt, withinMilliseconds: Self.timeout)
    }
    if engine == .postgres { DevDatabase.remove(from: folder) }
    for number in 1...Self.redisNodes {
      for kind in ["sock", "log", "pid"] { try? SystemCall.unlink(path(number, kind)) }
    }
    for file in [privateKey, publicKey] + Self.hosts.map({ configuration(of: $0) }) { try? SystemCall.unlink(file) }
    do throws(SystemError) {
      try SystemCall.removeFolder(folder)
    } catch {
      StandardError.say("\(VerdictText.shown(folder)): cannot be removed: \(error.description)")
    }
  }

  private static func absolute(_ folder: String) -> String {
    var folder = folder
    while folder.hasSuffix("/"), folder != "/" { folder.removeLast() }
    guard !folder.hasPrefix("/"), let here = SystemCall.workingDirectory else { return folder }
    return here + "/" + folder
  }

  private static func temporary() -> String {
    let place = CurrentProcess.variable("TMPDIR").map { absolute(String(decoding: $0, as: UTF8.self)) } ?? "/tmp"
    return "\(place)/mediatoken-fleet-\(UInt32.random(in: 0...UInt32.max))"
  }
}
