internal import MediaToken
internal import MediaTokenFormats

/// The nodes of a fleet, for people and as JSON.
struct FleetText {
  /// Nil unless hosts move.
  var side: JointTally.Side?
  let fleet: FleetAddress
  let digest: String
  let nodes: [NodeDescription]

  /// Nodes that vote, or will once their floor has passed.
  var initialised: Int { nodes.count { $0.state == .voting || $0.state == .warming } }

  var retired: Int { nodes.count { $0.state == .retired } }

  var isRetired: Bool { retired >= fleet.votesNeeded }

  var isUsable: Bool { initialised >= fleet.votesNeeded }

  var text: String {
    var text = ""
    for node in nodes { text += block(node) }
    if let side { text += VerdictText.line("moving", side.rawValue) }
    return text + VerdictText.line("fleet", fleet.name) + VerdictText.line("digest", digest)
      + VerdictText.line("nodes", "\(nodes.count)") + VerdictText.line("votes", "\(fleet.votesNeeded)")
      + VerdictText.line("verdict", verdict)
  }

  /// For the whole fleet.
  private var verdict: String {
    let voting = nodes.count { $0.state == .voting }
    if isRetired { return "retired: hosts have left it for another fleet" }
    guard isUsable else {
      return
        "unusable: \(initialised) of \(nodes.count) nodes vote, and \(fleet.votesNeeded) are needed; every token is a"
        + " fault"
    }
    guard voting >= fleet.votesNeeded else {
      return side == .to
        ? "usable, but warming: it begins with tokens that are issued after until; hosts with both fleets play those before"
        : "usable, but warming: tokens are refused that were issued before the nodes vouch for them"
    }
    guard voting < nodes.count else { return "usable: every node votes" }
    func others(_ count: Int, _ what: String) -> String {
      count == 0 ? "" : ", \(count) \(count == 1 ? "is" : "are") \(what)"
    }
    return "usable: \(voting) of \(nodes.count) nodes vote" + others(initialised - voting, "warming")
      + others(nodes.count - initialised, "missing")
  }

  private func block(_ node: NodeDescription) -> String {
    var text = "node \(node.number): \(node.state.rawValue)\n"
    func line(_ name: String, _ value: String?) {
      if let value { text += "  " + VerdictText.line(name, value) }
    }
    line("address", node.address)
    line("reason", node.reason)
    line("from", node.from.map(Self.moment))
    line("high", node.high.map(Self.moment))
    line("seen", node.seen.map(Self.moment))
    line("clockOffset", node.clockOffsetMilliseconds.map { "\($0) ms" })
    line("roundTrip", node.roundTripMicroseconds.map { "\($0) us" })
    line("usedMemory", node.usedMemoryBytes.map { "\($0) bytes" })
    line("policy", node.policy)
    line("version", node.version)
    if let database = node.database {
      line("cluster", database.cluster ?? "not visible to this role")
      line("database", database.database)
    }
    // A version is known of each that answered.
    if fleet.hasGrace, node.version != nil {
      line("syncStandbys", node.syncStandbys.map { "\($0)" } ?? "not visible to this role")
    }
    for warning in node.warnings { line("warning", warning) }
    return text
  }

  /// A second since the epoch, and the same for people.
  static func moment(_ second: Int64) -> String {
    second <= 0 ? "\(second)" : "\(second) (\(Instant(millisecondsSinceEpoch: second * 1000)))"
  }

  var json: String {
    OutputOptions.line { writer in
      if let side { writer.member("moving", side.rawValue) }
      writer.member("fleet", fleet.name)
      writer.member("digest", digest)
      writer.member("votes", Int64(fleet.votesNeeded))
      writer.member("nodes", objects: nodes, Self.members)
    }
  }

  /// Every member is always there; unknown values are null.
  private static func members(_ node: NodeDescription, _ writer: inout JSONWriter) {
    writer.member("node", Int64(node.number))
    writer.member("address", node.address)
    writer.member("state", node.state.rawValue)
    writer.member("reason", orNull: node.reason)
    writer.member("from", orNull: node.from)
    writer.member("high", orNull: node.high)
    writer.member("seen", orNull: node.seen)
    writer.member("clockOffsetMilliseconds", orNull: node.clockOffsetMilliseconds)
    writer.member("roundTripMicroseconds", orNull: node.roundTripMicroseconds)
    writer.member("usedMemoryBytes", orNull: node.usedMemoryBytes)
    writer.member("version", orNull: node.version)
    writer.member("cluster", orNull: node.database?.cluster)
    writer.member("database", orNull: node.database?.database)
    writer.member("syncStandbys", orNull: node.syncStandbys)
    writer.member("warnings", node.warnings)
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: StaticString, orNull text: String?) {
    if let text { return member(name, text) }
    self.name(name)
    null()
  }

  fileprivate mutating func member(_ name: StaticString, orNull number: Int64?) {
    if let number { return member(name, number) }
    self.name(name)
    null()
  }
}
