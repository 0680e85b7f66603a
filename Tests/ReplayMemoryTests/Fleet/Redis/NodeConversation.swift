import MediaTokenSystem
import Testing

@testable import MediaToken

/// Calls a node's scripts one by one.
final class NodeConversation {
  let key: String
  let name: String
  private let caller: RedisCaller
  private let server: NodeServer
  /// The owner that a fresh start names; nil: that of now.
  var freshOwner: String?

  /// What a start says.
  struct Epoch {
    let time: Int64
    let from: Int64
    let high: Int64
    let isNew: Bool
  }

  struct Unexpected: Error { let text: String }

  init(_ server: NodeServer, name: String = "test") throws {
    let fleet = try NodeFixture(at: [server.path, "/nowhere/2", "/nowhere/3"], name: name)
    self.server = server
    key = "{mt2:\(name)}"
    self.name = "\(fleet.digest):1"
    caller = try fleet.engine.caller(ofNode: 1)
    for script in [NodeScripts.claims, NodeScripts.start] { _ = try caller.ask { $0.load(script, into: &$1) } }
  }

  func bucket(_ second: Int64) -> String { "\(key):\(second)" }

  // MARK: start

  @discardableResult
  func startEpoch(at second: Int64, highest: Int64 = 0, isFresh: Bool = false) throws -> Epoch {
    let reply = try start(second, highest, isFresh)
    guard let numbers = reply.integers, numbers.count == 4 else { throw Unexpected(text: reply.wholeText) }
    return Epoch(time: numbers[0], from: numbers[1], high: numbers[2], isNew: numbers[3] == 1)
  }

  /// The error of a start.
  func bearing(at second: Int64, isFresh: Bool = false) throws -> String {
    guard let error = try startError(at: second, isFresh: isFresh) else { throw Unexpected(text: "a start") }
    return error
  }

  /// The error of a start, or nil if there was none.
  func startError(at second: Int64, highest: Int64 = 0, isFresh: Bool = false) throws -> String? {
    let reply = try start(second, highest, isFresh)
    return reply.kind == .error ? reply.wholeText : nil
  }

  /// Tries until the node's clock shows the same second before and after.
  func inOneSecond<Value>(_ body: (Int64) throws -> Value) throws -> (time: Int64, value: Value) {
    while true {
      let before = try time()
      let value = try body(before)
      if try time() == before { return (before, value) }
    }
  }

  private func time() throws -> Int64 {
    let reply = try caller.ask { _, output in
      var command = CommandBytes()
      command.add("TIME" as StaticString)
      command.finish(into: &output)
    }
    let seconds = try #require(reply.elements.first)
    var digits: [UInt8] = []
    digits.append(copying: reply[seconds])
    return try #require(Int64(String(decoding: digits, as: UTF8.self)))
  }

  private func start(_ second: Int64, _ highest: Int64, _ isFresh: Bool) throws -> Reply {
    let info = InfoText(try server.ask("INFO", "replication").wholeText)
    let owner = isFresh ? freshOwner ?? info["master_replid"] : nil
    return try caller.ask { $0.startEpoch(at: second, highestSecond: highest, freshOwner: owner, into: &$1) }
  }

  // MARK: claims

  func ballot(_ number: UInt64) -> Ballot { Ballot(Ballot.ID(number, 7), second: 1000) }

  func identity(_ number: UInt64) -> String {
    String(decoding: (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }, as: UTF8.self)
      + String(repeating: "\0", count: 8)
  }

  func claim(_ identity: UInt64, _ second: Int64, ballot: UInt64 = 1) -> ClaimBatch.Claim {
    ClaimBatch.Claim(
      TokenIdentity(digest: SHA256Digest(words: identity, 0, 0, 0)),
      issueTime: Instant(millisecondsSinceEpoch: second * 1000), ballot: self.ballot(ballot))
  }

  func spend(_ identity: UInt64, _ second: Int64, ballot: UInt64 = 1) throws -> [NodeAnswer] {
    var batch = ClaimBatch()
    batch.add(claim(identity, second, ballot: ballot))
    return try spend(batch)
  }

  func spend(_ batch: ClaimBatch) throws -> [NodeAnswer] {
    let reply = try caller.ask { $0.spend(batch, into: &$1) }
    guard let answers = ClaimsReply(reply, count: batch.claims.count) else {
      throw Unexpected(text: reply.wholeText)
    }
    return answers.answers
  }

  /// The error of a claim.
  func spending(_ identity: UInt64, _ second: Int64) throws -> String {
    var batch = ClaimBatch()
    batch.add(claim(identity, second))
    let reply = try caller.ask { $0.spend(batch, into: &$1) }
    guard reply.kind == .error else { throw Unexpected(text: "an answer") }
    return reply.wholeText
  }
}
