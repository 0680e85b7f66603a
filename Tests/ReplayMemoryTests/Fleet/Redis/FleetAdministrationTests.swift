import Foundation
import MediaTokenSystem
import Testing

@testable import MediaToken

/// What operators do, with real processes.
@Suite(.enabled(if: NodeServer.isInstalled, NodeServer.absent), .steadyMachine)
struct FleetAdministrationTests {
  private let servers: [NodeServer]
  private let fleet: NodeFixture
  private let administration: FleetAdministration
  private var now: Int64 { Int64(Date().timeIntervalSince1970) }

  init() throws {
    servers = try (0..<3).map { _ in try NodeServer() }
    fleet = try NodeFixture(at: servers.map(\.path))
    administration = FleetAdministration(fleet.address, fleet.digest, fleet.engine)
  }

  private func keys() throws -> [Int64] { try servers.map { try $0.ask("DBSIZE").values[0].number } }

  @Test func `nodes are described, and nothing is changed`() throws {
    let nodes = administration.describe()
    #expect(nodes.map(\.number) == [1, 2, 3])
    #expect(nodes.map(\.address) == servers.map(\.path))
    #expect(nodes.map(\.state) == [.uninitialised, .uninitialised, .uninitialised])
    #expect(try keys() == [0, 0, 0])
    for node in nodes {
      #expect(node.reason == nil && node.from == nil && node.high == nil)
      // The same machine's clock; a busy machine may take a while between.
      #expect(node.clockOffsetMilliseconds.map { abs($0) < 5000 } == true)
      #expect(node.roundTripMicroseconds.map { $0 > 0 } == true)
      #expect(node.usedMemoryBytes.map { $0 > 100_000 } == true)
      #expect(node.policy == "noeviction")
      #expect(node.version?.contains(".") == true)
      #expect(node.warnings == [])
    }
  }

  @Test func `initialisation gives each node a floor, and a second time changes nothing`() throws {
    let initialised = administration.initialise(fresh: false)
    #expect(initialised.map(\.state) == [.warming, .warming, .warming])
    for node in initialised {
      #expect(node.from.map { $0 > now + 50 } == true && node.high == node.from.map { $0 - 1 })
    }
    #expect(administration.initialise(fresh: false).map(\.from) == initialised.map(\.from))
    #expect(administration.describe().map(\.from) == initialised.map(\.from))
  }

  @Test func `a floor is above what its own node has shown the initialisation host`() throws {
    let floor = now + 50 + 72
    fleet.clock.note(second: now + 50, ofNode: 2, in: nil)
    fleet.clock.note(second: now + 5000, ofNode: 3, in: nil)
    let found = administration.initialise(fresh: false)
    #expect(found[0].from.map { $0 < floor } == true && found[1].from == floor)
    // Far above both clocks: another host may initialise it.
    #expect(found[2].state == .uninitialised && found[2].reason?.contains("mediatoken replay init") == true)
    let other = try NodeFixture(at: servers.map(\.path))
    let later = FleetAdministration(other.address, other.digest, other.engine).initialise(fresh: false)
    #expect(later.map(\.state) == [.warming, .warming, .warming] && later[1].from == floor)
  }

  @Test func `looking at nodes is seeing their clocks`() throws {
    let slow = FleetClock { Instant(millisecondsSinceEpoch: Instant.now.millisecondsSinceEpoch - 600_000) }
    let fleet = try NodeFixture(at: servers.map(\.path), clock: slow)
    _ = FleetAdministration(fleet.address, fleet.digest, fleet.engine).describe()
    #expect(slow.highestSecond(ofNode: 3) >= now - 60)
  }

  @Test func `nothing is initialised fresh where a node has an epoch, of whatever time`() throws {
    try servers[1].ask(
      "HSET", "{mt2:test}", "owner", "former", "node", "\(fleet.digest):2", "from", "1", "high", "2")
    let nodes = administration.initialise(fresh: true)
    #expect(nodes.map(\.state) == [.uninitialised, .uninitialised, .uninitialised])
    #expect(nodes[1].reason?.hasPrefix("it has an epoch") == true && nodes[0].reason == nil)
    #expect(try keys() == [0, 1, 0])
  }

  @Test func `a node that loses its data while it is initialised fresh is not`() throws {
    let owner = try #require(administration.describe()[0].owner)
    servers[0].stop()
    try servers[0].start()
    let place = NodePlace(number: 1, address: fleet.address.nodes[0])
    let error = try #require(throws: NodeError.self) {
      try fleet.engine.initialise(place, freshOwner: owner, within: Timeout(milliseconds: 60_000))
    }
    let node = NodeDescription(place, error)
    #expect(node.state == .uninitialised && node.reason?.contains("lost its data since") == true)
    #expect(try keys() == [0, 0, 0])
  }

  @Test func `a node that does not answer is down, and the others are not kept waiting`() throws {
    servers[0].signal(SIGSTOP)
    defer { servers[0].signal(SIGCONT) }
    let nodes = administration.describe()
    #expect(nodes.map(\.state) == [.down, .uninitialised, .uninitialised])
    #expect(nodes[0].reason == "it does not answer within 5 s")
  }

  @Test func `a replica, a node of another number and another fleet's node are refused with the reason`() throws {
    try servers[0].ask("REPLICAOF", "127.0.0.1", "1")
    try servers[1].ask("HSET", "{mt2:test}", "owner", "x", "node", "\(fleet.digest):3")
    try servers[2].ask("HSET", "{mt2:test}", "owner", "x", "node", "0123456789abcdef:3")
    let nodes = administration.initialise(fresh: false)
    #expect(nodes.map(\.state) == [.refused, .refused, .refused])
    #expect(
      nodes.map(\.reason) == [NodeRefusal.replica, .otherNode, .otherFleet].map(\.description))
    #expect(try servers[1].ask("HGET", "{mt2:test}", "owner").wholeText == "x")
  }

  @Test func `nodes with an epoch can be retired, and then refuse all that hosts ask until their data are lost`()
    throws
  {
    _ = administration.initialise(fresh: true)
    try servers[2].ask("FLUSHALL")
    for _ in 1...2 {
      #expect(administration.retire() == nil)
      let nodes = administration.describe()
      #expect(nodes.map(\.state) == [.retired, .retired, .uninitialised])
      #expect(nodes.map(\.reason) == [NodeRefusal.retired.description, NodeRefusal.retired.description, nil])
    }
    #expect(try keys()[2] == 0)
    #expect(administration.initialise(fresh: true).map(\.state) == [.retired, .retired, .uninitialised])
    let claim = claim(1)
    #expect(administration.peek(at: claim.identity, issueTime: claim.issueTime).map(\.answer) == [nil, nil, nil])
    // Another list of nodes is a mistake, and no retirement.
    let other = try NodeFixture(at: [servers[0].path, servers[1].path, "/nowhere/3"])
    #expect(
      FleetAdministration(other.address, other.digest, other.engine).describe().prefix(2).map(\.reason)
        == [NodeRefusal.otherFleet.description, NodeRefusal.otherFleet.description])
    try servers[0].ask("DEL", "{mt2:test}")
    #expect(administration.initialise(fresh: false).map(\.state) == [.uninitialised, .retired, .uninitialised])
  }

  @Test func `one process at two addresses is refused, and nothing is initialised`() throws {
    let (server, link) = (servers[1], servers[1].path + "2")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: server.path)
    let fleet = try NodeFixture(at: [servers[0].path, server.path, link])
    let nodes = FleetAdministration(fleet.address, fleet.digest, fleet.engine).initialise(fresh: true)
    #expect(nodes.map(\.state) == [.uninitialised, .uninitialised, .refused])
    #expect(nodes[2].reason == NodeRefusal.sameProcess(asNode: 2).description)
    #expect(try server.ask("DBSIZE").values[0].number == 0)
  }

  @Test(arguments: ["time", "hmget", "script|load"])
  func `a node that lets its user look at less is refused with the reason`(command: String) throws {
    for server in servers { try server.ask("ACL", "SETUSER", "default", "-\(command)") }
    let nodes = administration.describe()
    #expect(nodes.map(\.state) == [.refused, .refused, .refused])
    // The command that its user may not run is named.
    #expect(nodes.allSatisfy { $0.reason?.contains("'\(command)' command") == true })
  }

  @Test func `a node that takes no writes is down, with the reason and its numbers, and is not initialised`() throws
  {
    let initialised = administration.initialise(fresh: false).map(\.from)
    for server in servers { try server.ask("CONFIG", "SET", "min-replicas-to-write", "1") }
    let nodes = administration.describe()
    #expect(nodes.map(\.state) == [.down, .down, .down] && nodes.map(\.from) == initialised)
    #expect(nodes.allSatisfy { $0.reason?.contains("it takes no writes: NOREPLICAS Not enough good") == true })
    for server in servers { try server.ask("CONFIG", "SET", "min-replicas-to-write", "0") }
    try servers[0].ask("DEL", "{mt2:test}")
    try servers[0].ask("CONFIG", "SET", "min-replicas-to-write", "1")
    let again = administration.initialise(fresh: false)
    #expect(again.map(\.state) == [.down, .warming, .warming] && again[0].reason?.contains("NOREPLICAS") == true)
    #expect(try keys()[0] == 0)
  }

  @Test func `what a node should not do is a warning`() throws {
    try servers[0].ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    try servers[1].ask("CONFIG", "SET", "appendonly", "yes")
    let nodes = administration.describe()
    #expect(nodes[0].warnings.count == 1 && nodes[0].warnings[0].hasPrefix("maxmemory-policy is allkeys-lru"))
    #expect(nodes[0].policy == "allkeys-lru")
    #expect(nodes[1].warnings.count == 1 && nodes[1].warnings[0].hasPrefix("the append-only file"))
    #expect(nodes[2].warnings == [])
  }

  @Test func `a clock that is off is a warning, and lets no node be initialised`() throws {
    let clock = FleetClock { Instant(millisecondsSinceEpoch: Instant.now.millisecondsSinceEpoch - 60_000) }
    let fleet = try NodeFixture(at: servers.map(\.path), clock: clock)
    let administration = FleetAdministration(fleet.address, fleet.digest, fleet.engine)
    for node in administration.describe() {
      #expect(node.warnings.count == 1 && node.warnings[0].hasPrefix("its clock is "))
      #expect(node.clockOffsetMilliseconds.map { (55_000...120_000).contains($0) } == true)
    }
    for node in administration.initialise(fresh: false) {
      #expect(node.state == .uninitialised && node.reason?.contains("more than 5 s is too much") == true)
    }
    #expect(try keys() == [0, 0, 0])
  }

  @Test func `a node with an epoch whose clock is off is refused, and keeps its numbers`() throws {
    let initialised = administration.initialise(fresh: false).map(\.from)
    let clock = FleetClock { Instant(millisecondsSinceEpoch: Instant.now.millisecondsSinceEpoch + 60_000) }
    let fleet = try NodeFixture(at: servers.map(\.path), clock: clock)
    let administration = FleetAdministration(fleet.address, fleet.digest, fleet.engine)
    for nodes in [administration.describe(), administration.initialise(fresh: false)] {
      #expect(nodes.map(\.state) == [.refused, .refused, .refused] && nodes.map(\.from) == initialised)
      #expect(nodes.allSatisfy { $0.reason?.contains("more than 5 s is too much") == true })
    }
    // The others are initialised all the same, or were.
    try servers[2].ask("DEL", "{mt2:test}")
    let nodes = administration.initialise(fresh: false)
    #expect(nodes.map(\.state) == [.refused, .refused, .uninitialised] && nodes[2].reason != nil)
  }

  @Test func `a look says what a claim would hear, and claims nothing`() throws {
    func peek(_ second: Int64) -> [NodeAnswer?] {
      administration.peek(
        at: TokenIdentity(digest: SHA256Digest(words: 1, 0, 0, 0)),
        issueTime: Instant(millisecondsSinceEpoch: second * 1000)
      ).map(\.answer)
    }
    #expect(peek(now) == [nil, nil, nil])
    let initialised = administration.initialise(fresh: true)
    #expect(initialised.map(\.state) == [.voting, .voting, .voting])
    let second = now
    #expect(peek(second) == [.new, .new, .new])
    #expect(peek(second + 3000) == [.ahead, .ahead, .ahead])
    let node = try NodeHarness(fleet, number: 2)
    try node.connect()
    #expect(try node.ask([(1, second)], ballot: 5) == [.new])
    #expect(peek(second) == [.new, .present(NodeHarness.ballot(5)), .new])
    let fields = try servers[1].ask("HKEYS", "{mt2:test}:\(second)").texts.compactMap { $0 }
    try servers[1].ask("HSET", "{mt2:test}:\(second)", try #require(fields.first { !$0.isEmpty }), "no ballot")
    #expect(peek(second) == [.new, nil, .new])
    try servers[1].ask("DEL", "{mt2:test}:\(second)")
    #expect(peek(second) == [.new, .forgotten, .new])
    try servers[0].ask("HSET", "{mt2:test}", "from", "\(second + 1)", "high", "\(second)")
    #expect(peek(second) == [.forgotten, .forgotten, .new])
    #expect(try servers[2].ask("HLEN", "{mt2:test}:\(second)").values[0].number <= 1)
  }
}
