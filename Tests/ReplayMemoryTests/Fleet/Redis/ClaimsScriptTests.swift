import Foundation
import MediaTokenSystem
import Testing

@testable import MediaToken

/// Votes and buckets, rule by rule, on a real process.
@Suite(.enabled(if: NodeServer.isInstalled, NodeServer.absent), .steadyMachine)
struct ClaimsScriptTests {
  private let server: NodeServer
  private let node: NodeConversation
  private let now: Int64

  init() throws {
    server = try NodeServer()
    node = try NodeConversation(server)
    now = Int64(Date().timeIntervalSince1970)
  }

  // MARK: votes

  @Test func `a node votes for one ballot of an identity and tells it to all others`() throws {
    try node.startEpoch(at: now, isFresh: true)
    #expect(try node.spend(1, now, ballot: 1) == [.new])
    #expect(try node.spend(1, now, ballot: 2) == [.present(node.ballot(1))])
    #expect(try node.spend(1, now, ballot: 1) == [.present(node.ballot(1))])
    #expect(try node.spend(2, now, ballot: 2) == [.new])
    // The same identity issued in another second is another bucket's.
    #expect(try node.spend(1, now + 1, ballot: 3) == [.new])
  }

  @Test func `a batch is answered in order, each claim for itself`() throws {
    try node.startEpoch(at: now, isFresh: true)
    var batch = ClaimBatch()
    for (identity, second, ballot) in [
      (1, now, 1), (1, now, 2), (2, now + 3000, 3), (3, now - 200, 4), (1, now, 1), (4, now + 5, 5),
    ] as [(UInt64, Int64, UInt64)] {
      batch.add(node.claim(identity, second, ballot: ballot))
    }
    #expect(
      try node.spend(batch) == [
        .new, .present(node.ballot(1)), .ahead, .forgotten, .present(node.ballot(1)), .new,
      ])
    var full = ClaimBatch()
    while !full.isFull { full.add(node.claim(UInt64(100 + full.claims.count), now, ballot: 1)) }
    #expect(try node.spend(full) == Array(repeating: .new, count: 64))
  }

  @Test(arguments: ["", "0", "first 39 digits", "digits of another"])
  func `what is not the process's own name owns no epoch`(owner: String) throws {
    try node.startEpoch(at: now, isFresh: true)
    let own = try server.ask("HGET", node.key, "owner").wholeText
    let written =
      switch owner {
      case "first 39 digits": String(own.dropLast())
      case "digits of another": String(own.reversed())
      default: owner
      }
    try server.ask("HSET", node.key, "owner", written)
    #expect(try node.spending(1, now).hasPrefix("MTEPOCH "))
  }

  @Test func `a token issued too far ahead of the node's clock has neither a vote nor a refusal`() throws {
    try node.startEpoch(at: now, isFresh: true)
    let (time, answers) = try node.inOneSecond { time in
      try server.ask("HSET", node.key, "high", "-1")
      let ahead = try node.spend(1, time + 66)
      #expect(try server.ask("HGET", node.key, "high").wholeText == "-1")
      return try ahead + node.spend(1, time + 65)
    }
    #expect(answers == [.ahead, .new])
    #expect(try server.ask("HGET", node.key, "high").wholeText == "\(time + 65)")
  }

  // MARK: buckets

  @Test func `every second up to the latest has its bucket, which ends with its tokens`() throws {
    try node.startEpoch(at: now, isFresh: true)
    #expect(try node.spend(1, now) == [.new])
    let replid = try #require(InfoText(try server.ask("INFO", "replication").wholeText)["master_replid"])
    let time = Int64(Date().timeIntervalSince1970)
    // A life of 100 s: from 100 s ago on; a second may pass between the clocks.
    for second in [time - 99, now - 50, now] {
      #expect(try server.ask("HGET", node.bucket(second), "").wholeText == replid)
      let ttl = try server.ask("PTTL", node.bucket(second)).values[0].number
      #expect(abs(ttl - (second + 106 - time) * 1000) <= 2000)
    }
    #expect(try server.ask("EXISTS", node.bucket(now - 102)).values[0].number == 0)
    #expect(try server.ask("EXISTS", node.bucket(now + 50)).values[0].number == 0)
    #expect(try node.spend(2, now + 60) == [.new])
    #expect(try server.ask("EXISTS", node.bucket(now + 50)).values[0].number == 1)
  }

  @Test func `a bucket that is gone, or another's, is a second that the node has forgotten`() throws {
    try node.startEpoch(at: now, isFresh: true)
    #expect(try node.spend(1, now) == [.new])
    try server.ask("DEL", node.bucket(now))
    #expect(try node.spend(1, now, ballot: 2) == [.forgotten])
    #expect(try node.spend(2, now, ballot: 2) == [.forgotten])
    try server.ask("HSET", node.bucket(now - 1), "", "another")
    #expect(try node.spend(3, now - 1) == [.forgotten])
    try server.ask("HDEL", node.bucket(now - 2), "")
    #expect(try node.spend(3, now - 2) == [.forgotten])
    #expect(try node.spend(3, now - 3) == [.new])
    // It is not made again when the latest second moves on.
    #expect(try node.spend(4, now + 1) == [.new])
    #expect(try node.spend(2, now, ballot: 2) == [.forgotten])
  }

  @Test func `an error between leaves seconds that are forgotten, never empty ones`() throws {
    try node.startEpoch(at: now, isFresh: true)
    // The script trips over this key when it makes the bucket: DEL is what this user may not do.
    try server.ask("ACL", "SETUSER", "default", "-del")
    #expect(try !node.spending(1, now + 50).isEmpty)
    #expect(try server.ask("HGET", node.key, "high").wholeText == "\(now + 50)")
    try server.ask("ACL", "SETUSER", "default", "+del")
    #expect(try node.spend(1, now + 50) == [.forgotten])
  }

  @Test func `a node without memory has no answer, and keeps what it has`() throws {
    try node.startEpoch(at: now, isFresh: true)
    #expect(try node.spend(1, now) == [.new])
    try server.ask("CONFIG", "SET", "maxmemory", "1")
    #expect(try node.spending(2, now).hasPrefix("OOM "))
    try server.ask("CONFIG", "SET", "maxmemory", "0")
    #expect(try node.spend(1, now, ballot: 2) == [.present(node.ballot(1))])
    #expect(try node.spend(2, now) == [.new])
  }

  @Test func `the rights that the deployment names are enough`() throws {
    let name = "f\(UInt32.random(in: 0 ... .max))"
    try server.ask(
      ["ACL", "SETUSER", "default", "resetkeys", "resetchannels", "~{mt2:\(name)}", "~{mt2:\(name)}:*", "-@all"]
        + "+evalsha +script|load +info +time +exists +hmget +hset +del +expireat +auth +ping".split(
          separator: " "
        ).map { String($0) })
    let node = try NodeConversation(server, name: name)
    try node.startEpoch(at: now, isFresh: true)
    #expect(try node.spend(1, now) == [.new])
    #expect(try node.spend(1, now, ballot: 2) == [.present(node.ballot(1))])
    let other = try NodeConversation(server, name: "other")
    let error = try other.bearing(at: now)
    #expect(ErrorReply(error) == .refused(.denied(ErrorReply.words(of: error))))
  }

  @Test(arguments: ["-script|load", "-evalsha", "-info", "-time", "-hset", "resetkeys"])
  func `a node whose ACL lacks what is needed is refused, in the words of any version`(rule: String) throws {
    try server.ask("ACL", "SETUSER", "default", rule)
    let node = try NodeHarness(NodeFixture(at: [server.path]))
    try node.until("the node is not refused") { $0.refusal != nil }
    #expect(node.deniedWords != nil)
  }
}
