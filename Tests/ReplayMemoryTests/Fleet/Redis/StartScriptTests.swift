import Foundation
import MediaTokenSystem
import Testing

@testable import MediaToken

/// Starts and who a node is, rule by rule, on a real process.
@Suite(.enabled(if: NodeServer.isInstalled, NodeServer.absent), .steadyMachine)
struct StartScriptTests {
  private let server: NodeServer
  private let node: NodeConversation
  private let now: Int64
  /// Tokens may be issued 60 seconds ahead of the host's clock; a floor is twelve more above the latest clock.
  private let floor: Int64 = 72

  init() throws {
    server = try NodeServer()
    node = try NodeConversation(server)
    now = Int64(Date().timeIntervalSince1970)
  }

  // MARK: names

  @Test(arguments: [NodeScripts.claims, NodeScripts.start, NodeScripts.probe, NodeScripts.retire])
  func `a script is known by the SHA-1 of its text`(script: NodeScripts.Script) throws {
    #expect(try server.ask("SCRIPT", "LOAD", script.text).wholeText == script.name)
  }

  // MARK: start

  /// A former version had the node's number in another field, and its data under another key.
  @Test func `data of another version are neither believed nor changed, under whatever name`() throws {
    let replication = try server.ask("INFO", "replication").wholeText
    let owner = try #require(replication.firstMatch(of: #/master_replid:(\w+)/#)?.1)
    for (key, refusal) in [(node.key, "MTFLEET another fleet"), (node.key.replacing("mt2", with: "mt1"), nil)] {
      let epoch = ["owner", String(owner), "seat", node.name, "from", "0", "high", "\(now)"]
      try server.ask(["HSET", key] + epoch)
      #expect(try node.startError(at: now) == refusal)
      #expect(try server.ask("HGETALL", key).texts.compactMap { $0 } == epoch)
      let from = try server.ask("HGET", node.key, "from").wholeText
      #expect(try #require(Int64(from)) >= (refusal == nil ? now + floor : 0))
      try server.ask("DEL", key)
    }
  }

  @Test(arguments: [60, 61, 86_400] as [Int64])
  func `a start's floor is above what its host has heard, and more than a minute is too much`(lead: Int64)
    throws
  {
    let (time, error) = try node.inOneSecond { time in
      try server.ask("DEL", node.key)
      return try node.startError(at: time, highest: time + lead)
    }
    #expect(error == (lead > 60 ? "MTCLOCK \(time)" : nil))
    let from = try server.ask("HGET", node.key, "from").wholeText
    #expect(from == (lead > 60 ? "" : "\(time + 60 + floor)"))
    // The later one of both clocks counts.
    try server.ask("DEL", node.key)
    #expect(try node.startEpoch(at: time + 4, highest: time + 64).from == time + 64 + floor)
  }

  @Test(arguments: [-6, -5, 5, 6] as [Int64])
  func `a clock more than five seconds off lets no node be started, unless it is already`(off: Int64) throws {
    let (time, error) = try node.inOneSecond { time in
      try server.ask("DEL", node.key)
      return try node.startError(at: time + off)
    }
    if abs(off) == 5 { return #expect(error == nil) }
    #expect(error.map { ErrorReply($0) } == .clock(second: time))
    #expect(try server.ask("EXISTS", node.key).values[0].number == 0)
    let started = try node.startEpoch(at: time)
    #expect(try node.startEpoch(at: time + 10 * off).from == started.from)
  }

  @Test func `a fresh node vouches for all tokens, and only one that has no epoch can be fresh`() throws {
    let fresh = try node.startEpoch(at: now, isFresh: true)
    #expect((fresh.from, fresh.high, fresh.isNew) == (0, fresh.time, true))
    #expect(try node.startEpoch(at: now, isFresh: true).isNew == false)
    try server.ask("HSET", node.key, "owner", "former")
    #expect(try node.bearing(at: now, isFresh: true).hasPrefix("MTOLD "))
    let started = try node.startEpoch(at: now)
    #expect(started.from == started.time + floor)
    try server.ask("DEL", node.key)
    try server.ask("HSET", node.key, "anything", "else")
    #expect(try node.bearing(at: now, isFresh: true).hasPrefix("MTOLD "))
  }

  @Test func `what was vouched for is what was seen, and nothing that was lost since then`() throws {
    let seen = try #require(InfoText(try server.ask("INFO", "replication").wholeText)["master_replid"])
    node.freshOwner = seen
    // REPLICAOF there and back: the data may be others.
    try server.ask("REPLICAOF", "127.0.0.1", "1")
    try server.ask("REPLICAOF", "NO", "ONE")
    #expect(try node.bearing(at: now, isFresh: true).hasPrefix("MTDATA "))
    #expect(try server.ask("EXISTS", node.key).values[0].number == 0)
    node.freshOwner = nil
    #expect(try node.startEpoch(at: now, isFresh: true).from == 0)
  }

  @Test func `a retired node says so to those whose it was, and to others that it is another's`() throws {
    try node.startEpoch(at: now, isFresh: true)
    for (name, refusal) in [(node.name, "MTRETIRED retired"), ("0123456789abcdef:1", "MTFLEET another fleet")] {
      try server.ask("HSET", node.key, "node", name + ":retired")
      #expect(try node.bearing(at: now) == refusal)
      #expect(try node.spending(1, now) == refusal)
    }
    #expect(ErrorReply("MTRETIRED retired") == .refused(.retired))
  }

  // MARK: buckets

  /// How many commands make buckets.
  private func deletions() throws -> Int {
    let field = InfoText(try server.ask("INFO", "commandstats").wholeText)["cmdstat_del"]
    return field.flatMap { Int($0.dropFirst("calls=".count).prefix { $0.isNumber }) } ?? 0
  }

  @Test func `the first claim of a fresh node, or after an idle hour, makes no bucket of a second that is over`()
    throws
  {
    let fresh = try node.startEpoch(at: now, isFresh: true)
    #expect(try deletions() == 101)
    #expect(try node.spend(1, fresh.time) == [.new])
    #expect(try deletions() == 101)
    // An hour in which no host came.
    try server.ask("HSET", node.key, "high", "\(fresh.time - 3600)")
    let again = try node.startEpoch(at: now)
    #expect((again.from, again.high, again.isNew) == (0, again.time, false))
    #expect(try deletions() == 202)
    #expect(try node.spend(1, fresh.time) == [.new])
    #expect(try deletions() == 202)
  }

  @Test func `a start makes no bucket again, and none where the clocks differ`() throws {
    let fresh = try node.startEpoch(at: now, isFresh: true)
    #expect(try node.spend(1, fresh.time) == [.new])
    try server.ask("DEL", node.bucket(fresh.time - 1))
    try node.startEpoch(at: now)
    #expect(try node.spend(1, fresh.time) == [.present(node.ballot(1))])
    #expect(try node.spend(1, fresh.time - 1) == [.forgotten])
    try server.ask("HSET", node.key, "high", "7")
    for off in [-60, 60] as [Int64] { #expect(try node.startEpoch(at: now + off).high == 7) }
  }

  @Test func `a node that has no memory for buckets says so to starts and claims`() throws {
    let fresh = try node.startEpoch(at: now, isFresh: true)
    try server.ask("HSET", node.key, "high", "\(fresh.time - 3600)")
    try server.ask("CONFIG", "SET", "maxmemory", "1")
    #expect(try node.bearing(at: now).hasPrefix("OOM "))
    #expect(try node.spending(1, fresh.time).hasPrefix("OOM "))
  }

  // MARK: who it is

  @Test func `a replica is no node, and after it was one the node is started again`() throws {
    try node.startEpoch(at: now, isFresh: true)
    #expect(try node.spend(1, now) == [.new])
    try server.ask("REPLICAOF", "127.0.0.1", "1")
    #expect(try node.spending(1, now).hasPrefix("MTROLE "))
    #expect(try node.bearing(at: now).hasPrefix("MTROLE "))
    try server.ask("REPLICAOF", "NO", "ONE")
    #expect(try node.spending(1, now).hasPrefix("MTEPOCH "))
    let started = try node.startEpoch(at: now)
    #expect(started.isNew && started.from >= now + floor)
    #expect(try node.spend(2, now) == [.forgotten])
  }

  @Test func `what a restart or FLUSHALL left is not vouched for`() throws {
    try node.startEpoch(at: now, isFresh: true)
    #expect(try node.spend(1, now) == [.new])
    try server.ask("FLUSHALL")
    #expect(try node.spending(1, now).hasPrefix("MTEPOCH "))
    try node.startEpoch(at: now)
    #expect(try node.spend(1, now, ballot: 2) == [.forgotten])
    server.stop()
    try server.start()
    let later = try NodeConversation(server)
    #expect(try later.spending(1, now).hasPrefix("MTEPOCH "))
  }
}
