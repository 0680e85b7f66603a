import Foundation
import MediaTokenSystem
import Testing

@testable import MediaToken

/// Connections to real processes.
@Suite(.enabled(if: NodeServer.isInstalled, NodeServer.absent), .steadyMachine)
struct RedisNodeTests {
  private let server: NodeServer
  private var now: Int64 { Int64(Date().timeIntervalSince1970) }

  init() throws { server = try NodeServer() }

  /// A node that votes for tokens issued now.
  private func voting(_ fleet: NodeFixture) throws -> NodeHarness {
    let node = try NodeHarness(fleet)
    try node.connect()
    try server.ask("HSET", "{mt2:test}", "from", "0", "high", "-1")
    return node
  }

  @Test func `a node is connected to, started and asked`() throws {
    let fleet = try NodeFixture(at: [server.path])
    let node = try NodeHarness(fleet)
    #expect(!node.isUsable)
    try node.connect()
    #expect(try node.ask([(1, now)]) == [.forgotten])
    let from = try #require(Int64(try server.ask("HGET", "{mt2:test}", "from").wholeText))
    #expect(from >= now + 60)
    #expect(fleet.clock.highestSecond(ofNode: 1) >= now - 1)
  }

  @Test func `votes come back in order, one for each claim of each batch`() throws {
    let node = try voting(NodeFixture(at: [server.path]))
    let first = node.send([(1, now), (2, now)], ballot: 1)
    let second = node.send([(1, now), (3, now), (4, now + 300)], ballot: 2)
    #expect(try node.reply(to: first) == [.new, .new])
    #expect(try node.reply(to: second) == [.present(NodeHarness.ballot(1)), .new, .ahead])
    #expect(node.replies.map(\.batch) == [first, second])
  }

  @Test func `a network address leads there too, in numbers and by name`() throws {
    for (host, address) in [("127.0.0.1", "127.0.0.1"), ("localhost", "127.0.0.1"), ("[::1]", "::1")] {
      let server = try NodeServer(at: address)
      let port = try #require(server.port)
      let node = try NodeHarness(NodeFixture(at: ["\(host):\(port)"]))
      try node.connect()
      #expect(try node.ask([(1, now)]) == [.forgotten])
      withExtendedLifetime(server) {}
    }
  }

  @Test func `scripts that were flushed are loaded again, and the same batch is answered`() throws {
    let node = try voting(NodeFixture(at: [server.path]))
    try server.ask("SCRIPT", "FLUSH")
    let first = node.send([(1, now)])
    let second = node.send([(1, now)], ballot: 2)
    #expect(try node.reply(to: first) == [.new])
    #expect(try node.reply(to: second) == [.present(NodeHarness.ballot(1))])
  }

  @Test func `a node that lost its epoch is started again, and the same batch is answered`() throws {
    let node = try voting(NodeFixture(at: [server.path]))
    #expect(try node.ask([(1, now)]) == [.new])
    try server.ask("FLUSHALL")
    #expect(try node.ask([(2, now)]) == [.forgotten])
    #expect(try server.ask("EXISTS", "{mt2:test}").values[0].number == 1)
  }

  @Test func `a node that has no memory for a claim is down until it has`() throws {
    let node = try voting(NodeFixture(at: [server.path]))
    try server.ask("CONFIG", "SET", "maxmemory", "1")
    #expect(try node.ask([(1, now), (2, now)]) == nil)
    #expect(!node.isUsable && node.writeWords == "OOM command not allowed when used memory > 'maxmemory'")
    try server.ask("CONFIG", "SET", "maxmemory", "0")
    node.pass(milliseconds: 1000)
    try node.connect()
    #expect(try node.ask([(1, now), (2, now)]) == [.new, .new])
  }

  @Test func `a node that takes no writes is found out without a claim`() throws {
    let node = try voting(NodeFixture(at: [server.path]))
    try server.ask("CONFIG", "SET", "min-replicas-to-write", "1")
    node.pass(milliseconds: 1000)
    try node.until("the node is not refused") { $0.refusal != nil }
    #expect(!node.isUsable && node.writeWords == "NOREPLICAS Not enough good replicas to write")
    // A host that comes now is not let in either.
    let other = try NodeHarness(NodeFixture(at: [server.path]))
    try other.until("the node is not refused") { $0.refusal != nil }
    #expect(!other.isUsable && other.record.reading(at: 0).state == .down)
    try server.ask("CONFIG", "SET", "min-replicas-to-write", "0")
    for node in [node, other] {
      node.pass(milliseconds: 1000)
      try node.connect()
      #expect(try node.ask([(1, now)])?.count == 1)
    }
    #expect(try server.ask("EXISTS", "{mt2:test}:probe").values[0].number == 0)
  }

  @Test(arguments: ["-script|load", "-evalsha", "-info", "-time", "-hset", "resetkeys"])
  func `a node whose ACL lacks what is needed is refused, in the ballots of any version`(rule: String) throws {
    try server.ask("ACL", "SETUSER", "default", rule)
    let node = try NodeHarness(NodeFixture(at: [server.path]))
    try node.until("the node is not refused") { $0.refusal != nil }
    #expect(node.deniedWords != nil)
  }

  @Test func `a node refuses a user whom it does not have, and a password that is wrong`() throws {
    try server.ask("ACL", "SETUSER", "known", "on", ">right", "~*", "+@all")
    for user in ["unknown right", "known wrong"] {
      let credentials = try FleetCredentials(parsing: Array("1 \(user)\n".utf8), of: "nodes", nodes: 3)
      let node = try NodeHarness(NodeFixture(at: [server.path], credentials: credentials))
      try node.until("the node is not refused") { $0.refusal != nil }
      #expect(node.deniedWords?.hasPrefix("WRONGPASS ") == true)
    }
  }

  @Test func `a node that becomes a replica is refused, and looked at again after five seconds`() throws {
    let node = try voting(NodeFixture(at: [server.path]))
    try server.ask("REPLICAOF", "127.0.0.1", "1")
    #expect(try node.ask([(1, now)]) == nil)
    #expect(!node.isUsable)
    #expect(node.node.nextDeadline.map { $0 > node.time + 4_000_000_000 } == true)
    node.pass(milliseconds: 5000)
    for _ in 0..<20 { node.turn() }
    #expect(!node.isUsable)
    try server.ask("REPLICAOF", "NO", "ONE")
    node.pass(milliseconds: 5000)
    try node.connect()
    #expect(try node.ask([(1, now)]) == [.forgotten])
  }

  @Test func `a node whose socket others may exchange is given nothing, until they may not`() throws {
    try server.setFolderMode(0o777)
    let dialled = try NodeHarness(NodeFixture(at: [server.path]))
    for _ in 0..<5 { dialled.turn() }
    guard case .exchangeableSocket(let place)? = dialled.refusal else {
      Issue.record("\(String(describing: dialled.refusal))")
      return
    }
    #expect(place.mode == 0o777 && place.path == Array(server.folder.path.utf8))
    #expect(!dialled.isUsable && !dialled.node.isConnected)
    try server.setFolderMode(0o755)
    #expect(try server.ask("DBSIZE").values[0].number == 0)
    // A connection is warming: the next one is not made, and the node is left.
    let node = try voting(NodeFixture(at: [server.path]))
    try server.setFolderMode(0o777)
    node.pass(milliseconds: 4500)
    for _ in 0..<5 { node.turn() }
    #expect(node.refusal?.description.hasSuffix("; run: chmod go-w \(server.folder.path)") == true)
    #expect(!node.isUsable && !node.node.isConnected)
    try server.setFolderMode(0o755)
    node.pass(milliseconds: 5000)
    try node.connect()
  }

  @Test func `a node that goes and comes back is dialled again`() throws {
    let node = try voting(NodeFixture(at: [server.path]))
    server.stop()
    try node.until("a node without a process is usable") { !$0.isUsable }
    for _ in 0..<5 { node.turn() }
    try server.start()
    try node.connect()
    #expect(try node.ask([(1, now)]) == [.forgotten])
  }
}
