import Foundation
import MediaTokenSystem
import Testing

@testable import MediaToken

/// Plays Redis as a test wants it, in the test's own thread.
final class ScriptedPeer {
  /// What it says to a command; nil: nothing.
  typealias Script = (_ words: [String], _ connection: Int) -> [UInt8]?

  let path: String
  /// What was asked, on all connections.
  private(set) var commands: [(words: [String], connection: Int)] = []
  var script: Script
  private let listener: FileDescriptor
  private var connections: [Connection] = []
  private let buffer = ReceiveBuffer(byteCount: 65536)

  final class Connection {
    var descriptor: Int32?
    var input: [UInt8] = []
    init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { if let descriptor { Sockets.close(descriptor) } }
  }

  init(_ script: @escaping Script = ScriptedPeer.good) throws {
    path =
      FileManager.default.temporaryDirectory.appendingPathComponent("mt-p-\(UInt32.random(in: 0 ... .max))").path
    self.script = script
    listener = try Sockets.stream(for: .local(path))
    try Sockets.bind(listener.number, to: .local(path))
    try Sockets.listen(listener.number, backlog: 16)
  }

  deinit { _ = unsafe unlink(path) }

  /// How many connections were made.
  var accepted: Int { connections.count }

  /// Which of them are open, as far as was looked.
  var open: [Int] { connections.indices.filter { connections[$0].descriptor != nil } }

  /// Whether the other side closes all but these. Its end comes late where a child that another test has just forked has a
  /// copy of the descriptor until its exec.
  func comesToHave(open expected: [Int]) -> Bool {
    let deadline = MonotonicTime.now + 60_000_000_000
    while open != expected, MonotonicTime.now < deadline {
      turn()
      usleep(1000)
    }
    return open == expected
  }

  /// Takes connections and commands, and answers.
  func turn() {
    while case .connection(let descriptor) = Sockets.accept(listener.number) {
      connections.append(Connection(descriptor))
    }
    for index in connections.indices {
      while let descriptor = connections[index].descriptor {
        guard take(index, descriptor) else { break }
      }
    }
  }

  private func take(_ index: Int, _ descriptor: Int32) -> Bool {
    switch buffer.receive(from: descriptor) {
    case .nothing: return false
    case .end:
      close(index)
      return false
    case .bytes:
      let buffer = buffer
      connections[index].input.append(copying: buffer.bytes)
    }
    while let words = Self.command(&connections[index].input) {
      commands.append((words, index))
      if let answer = script(words, index) { send(answer, on: index) }
    }
    return true
  }

  func send(_ bytes: [UInt8], on index: Int) {
    guard let descriptor = connections[index].descriptor else { return }
    var sent = 0
    while sent < bytes.count {
      guard case .bytes(let count) = Sockets.send(descriptor, bytes.span.extracting(sent...)), count > 0 else {
        return
      }
      sent += count
    }
  }

  /// Ends a connection, also where another test's child, between fork and exec, has a copy of it.
  func close(_ index: Int) {
    if let descriptor = connections[index].descriptor {
      Sockets.shutDownWriting(descriptor)
      Sockets.shutDownReading(descriptor)
      Sockets.close(descriptor)
    }
    connections[index].descriptor = nil
  }

  /// Takes a whole command out: `*2 $4 ECHO $1 x`.
  private static func command(_ input: inout [UInt8]) -> [String]? {
    var rest = input[...]
    func line() -> String? {
      guard let end = rest.firstIndex(of: 0x0A) else { return nil }
      defer { rest = rest[(end + 1)...] }
      return String(decoding: rest[..<(end - 1)], as: UTF8.self)
    }
    guard let head = line(), let count = Int(head.dropFirst()) else { return nil }
    var words: [String] = []
    for _ in 0..<count {
      guard let length = line().flatMap({ Int($0.dropFirst()) }), rest.count >= length + 2 else { return nil }
      words.append(String(decoding: rest.prefix(length), as: UTF8.self))
      rest = rest.dropFirst(length + 2)
    }
    input = Array(rest)
    return words
  }
}

extension ScriptedPeer {
  static func bulk(_ text: String) -> [UInt8] { Array("$\(text.utf8.count)\r\n\(text)\r\n".utf8) }

  /// What its clock shows.
  static var time: Int64 { Int64(Date().timeIntervalSince1970) }

  /// A node that was started long ago and stores everything.
  static func good(_ words: [String], _: Int) -> [UInt8]? {
    switch words[0] {
    case "AUTH": Array("+OK\r\n".utf8)
    case "TIME": bulk("its time")
    case "INFO":
      switch words[1] {
      case "server": bulk("# Server\r\nredis_version:7.0.15\r\nrun_id:0123456789abcdef\r\n")
      case "replication": bulk("# Replication\r\nrole:master\r\nconnected_slaves:0\r\n")
      default: bulk("# Cluster\r\ncluster_enabled:0\r\n")
      }
    case "SCRIPT": bulk(words[2] == NodeScripts.claims.text ? NodeScripts.claims.name : NodeScripts.start.name)
    case "EVALSHA" where words[1] == NodeScripts.probe.name: Array(":1\r\n".utf8)
    case "EVALSHA" where words[1] == NodeScripts.start.name: Array("*4\r\n:\(time)\r\n:5\r\n:900\r\n:0\r\n".utf8)
    default: claims(words)
    }
  }

  /// *New* for every claim.
  static func claims(_ words: [String]) -> [UInt8] {
    let count = (words.count - 7) / 3
    return Array(("*\(count + 1)\r\n:\(time)\r\n" + String(repeating: ":1\r\n", count: count)).utf8)
  }

  static func isStart(_ words: [String]) -> Bool { words[0] == "EVALSHA" && words[1] == NodeScripts.start.name }
  static func isProbe(_ words: [String]) -> Bool { words[0] == "EVALSHA" && words[1] == NodeScripts.probe.name }
  static func isClaims(_ words: [String]) -> Bool { words[0] == "EVALSHA" && words[1] == NodeScripts.claims.name }

  /// A good one that says this to claims.
  static func answeringClaims(_ text: String?) -> Script {
    { words, connection in isClaims(words) ? text.map { Array($0.utf8) } : good(words, connection) }
  }
}

extension ScriptedPeer {
  /// A node at its address, when neither side has anything more to do.
  func node(
    clock: FleetClock = FleetClock(), credentials: FleetCredentials = .none, in book: NodeBook = NodeBook(nodes: 7)
  ) throws -> NodeHarness {
    let node = try NodeHarness(
      NodeFixture(at: [path], clock: clock, credentials: credentials), in: book, with: self)
    node.settle()
    return node
  }

  /// A node that is connected to it.
  func connectedNode() throws -> NodeHarness {
    let node = try node()
    try #require(node.isUsable && node.node.isConnected)
    return node
  }
}
