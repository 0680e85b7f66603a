internal import MediaTokenSystem

struct NodeCommands {
  private let key: String
  /// `DIGEST:NUMBER`, as its epoch names it.
  let node: String
  private let policy: FleetPolicy
  private var command = CommandBytes()

  /// The number is from 1.
  init(fleet: String, _ policy: FleetPolicy, _ digest: FleetDigest, number: Int) {
    key = "{mt2:\(fleet)}"
    node = "\(digest):\(number)"
    self.policy = policy
  }

  mutating func authenticate(_ credential: FleetCredentials.Credential, into output: inout [UInt8]) {
    words("AUTH", credential.user, credential.password, into: &output)
  }

  /// One section of `INFO` only, because before 7.0 it takes no more.
  mutating func info(_ section: String, into output: inout [UInt8]) {
    words("INFO", section, into: &output)
  }

  mutating func load(_ script: NodeScripts.Script, into output: inout [UInt8]) {
    words("SCRIPT", "LOAD", script.text, into: &output)
  }

  /// The second is the host's clock, rounded up; `highestSecond` is that of ``FleetClock/highestSecond(ofNode:)``.
  /// `freshOwner` is the owner of data in which, as the operator vouches, no token was ever used; nil: the operator vouches
  /// for none.
  mutating func startEpoch(
    at second: Int64, highestSecond: Int64, freshOwner: String? = nil, into output: inout [UInt8]
  ) {
    begin(NodeScripts.start)
    command.add(policy.lifeSeconds)
    command.add(second)
    command.add(highestSecond)
    command.add(freshOwner ?? "")
    command.finish(into: &output)
  }

  /// Writes and takes back a key that is for nothing else.
  mutating func probe(into output: inout [UInt8]) {
    words("EVALSHA", NodeScripts.probe.name, "1", "\(key):probe", into: &output)
  }

  mutating func retire(into output: inout [UInt8]) {
    begin(NodeScripts.retire)
    command.finish(into: &output)
  }

  mutating func spend(_ batch: ClaimBatch, into output: inout [UInt8]) {
    begin(NodeScripts.claims)
    command.add(policy.lifeSeconds)
    for claim in batch.claims {
      command.add(claim.identity.bytes)
      command.add(claim.issueSecond)
      command.add(claim.ballot.bytes)
    }
    command.finish(into: &output)
  }

  // MARK: looking

  mutating func time(into output: inout [UInt8]) { words("TIME", into: &output) }

  mutating func epoch(into output: inout [UInt8]) {
    words("HMGET", key, "owner", "node", "from", "high", into: &output)
  }

  /// The owner of a token's bucket, and the ballot there.
  mutating func standing(_ claim: ClaimBatch.Claim, into output: inout [UInt8]) {
    command.add("HMGET" as StaticString)
    command.add("\(key):\(claim.issueSecond)")
    command.add("" as StaticString)
    command.add(claim.identity.bytes)
    command.finish(into: &output)
  }

  private mutating func words(_ words: String..., into output: inout [UInt8]) {
    for word in words { command.add(word) }
    command.finish(into: &output)
  }

  private mutating func begin(_ script: NodeScripts.Script) {
    command.add("EVALSHA" as StaticString)
    command.add(script.name)
    command.add("1" as StaticString)
    command.add(key)
    command.add(node)
    command.add(policy.aheadSeconds)
  }
}

struct SentCommand {
  let question: Question
  /// The time of sending.
  let time: UInt64

  /// The question that a reply answers.
  enum Question {
    case authentication
    case server, replication, cluster
    case script
    case probe
    case start
    /// An operator's command reads the reply.
    case look
    /// `isAgain`: the batch is sent for the second time.
    case claims(TakenClaims, isAgain: Bool)

    var isProbe: Bool { if case .probe = self { true } else { false } }
  }
}

extension ClaimBatch.IdentityPrefix {
  fileprivate var bytes: InlineArray<16, UInt8> {
    var bytes = InlineArray<16, UInt8>(repeating: 0)
    var output = bytes.mutableSpan
    output.store(first, at: 0)
    output.store(second, at: 8)
    return bytes
  }
}
