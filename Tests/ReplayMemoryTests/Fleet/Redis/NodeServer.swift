import Foundation
import MediaTokenSystem
import Testing

@testable import MediaToken

/// A real process of Redis or Valkey in a temporary folder: `MEDIATOKEN_NODE_SERVER` names the program.
final class NodeServer {
  static let program = ProcessInfo.processInfo.environment["MEDIATOKEN_NODE_SERVER"] ?? "redis-server"
  /// The program's file, if there is one.
  static let file: String? = {
    if program.contains("/") { return FileManager.default.isExecutableFile(atPath: program) ? program : nil }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }()
  static var isInstalled: Bool { file != nil }
  static let absent = Comment(rawValue: "\(program) is not installed")

  let folder: URL
  private var process: Process?
  /// Where it listens.
  var path: String { folder.appendingPathComponent("s").path }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "mt-node-\(UInt32.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try start()
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Starts the process and waits until it answers.
  func start() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.file))
    process.arguments =
      ["--port", "0", "--unixsocket", path, "--save", "", "--dir", folder.path, "--loglevel", "warning"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
    let deadline = MonotonicTime.now + 60_000_000_000
    while (try? ask("PING")) == nil {
      try #require(process.isRunning && MonotonicTime.now < deadline, "the node does not start")
      WorkerThread.sleep(milliseconds: 5)
    }
  }

  /// Kills the process, which loses everything.
  func stop() {
    guard let process else { return }
    self.process = nil
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// SIGSTOP or SIGCONT.
  func signal(_ signal: Int32) { _ = process.map { kill($0.processIdentifier, signal) } }

  /// What it says to a command.
  @discardableResult
  func ask(_ words: String...) throws -> Reply { try ask(words) }

  @discardableResult
  func ask(_ words: [String]) throws -> Reply {
    try NodeFixture(at: [path]).engine.caller(ofNode: 1).ask { _, output in
      var command = CommandBytes()
      for word in words { command.add(word) }
      command.finish(into: &output)
    }
  }
}

/// A fleet of nodes at these places, and what its hosts have.
struct NodeFixture {
  let address: FleetAddress
  let digest: FleetDigest
  let clock: FleetClock
  let credentials: Monitor<FleetCredentials>
  let engine: RedisEngine

  /// - Parameters:
  ///   - nodes: the places; more are made up until there are as many as a fleet can have.
  ///   - clock: by default the machine's.
  init(
    at nodes: [String], name: String = "test", clock: FleetClock = FleetClock(),
    credentials: FleetCredentials = .none
  ) throws {
    var nodes = nodes
    while nodes.count == 2 { nodes.append("/nowhere/\(nodes.count)") }
    let places = try RedisAddress("\(name)@\(nodes.joined(separator: ","))")
    address = .redis(places)
    // A life of 100 seconds: 101 buckets; 60 seconds ahead.
    let policy = FleetPolicy(try Policy(maxTTLMilliseconds: 99_000))
    digest = try FleetDigest(of: address, policy)
    self.clock = clock
    self.credentials = Monitor(credentials)
    engine = RedisEngine(
      fleet: places, policy: policy, digest: digest, clock: clock, credentials: self.credentials, chance: { 0.5 })
  }
}

extension RedisEngine {
  /// A stream to a node whose first questions are answered.
  func caller(ofNode number: Int) throws -> RedisCaller {
    let caller = try RedisCaller(self, node: number, within: Timeout(milliseconds: 60_000))
    for _ in 0..<3 { _ = try caller.next() }
    return caller
  }
}
