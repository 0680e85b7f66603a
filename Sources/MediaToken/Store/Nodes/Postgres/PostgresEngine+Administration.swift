internal import MediaTokenSystem

extension PostgresEngine: NodeAdministration {
  func describe(_ node: NodePlace, within timeout: Timeout) throws(NodeError) -> NodeDescription {
    try PrimarySearch(self, within: timeout).withPrimary { (handshake) throws(NodeError) in
      try description(of: node, handshake)
    }
  }

  func initialise(
    _ node: NodePlace, freshOwner: String?, within timeout: Timeout
  ) throws(NodeError) -> NodeDescription {
    try PrimarySearch(self, within: timeout).withPrimary { (handshake) throws(NodeError) in
      _ = try handshake.startEpoch(isFresh: freshOwner != nil)
      return try description(of: node, handshake)
    }
  }

  func retire(_ node: NodePlace, within timeout: Timeout) -> String? { statements.retirement }

  func peek(at claim: ClaimBatch.Claim, on node: NodePlace, within timeout: Timeout) throws(NodeError)
    -> NodeAnswer?
  {
    let data = try PrimarySearch(self, within: timeout).withPrimary {
      (handshake) throws(NodeError) in try look(at: claim, handshake.caller)
    }
    guard data.isOurs, let since = data.since, let high = data.high else { return nil }
    return answer(claim, data, since: since, high: high)
  }

  /// The function's answer to a first claim.
  private func answer(_ claim: ClaimBatch.Claim, _ data: NodeData, since: Int64, high: Int64) -> NodeAnswer {
    let minute = claim.issueSecond / policy.slotSeconds
    if claim.issueSecond < since || minute <= high - NodeSchema.slots(policy) || data.clock < since - 5 {
      return .forgotten
    }
    if claim.issueSecond > data.clock + policy.aheadSeconds + 5 || minute > high { return .ahead }
    guard data.isSlotMade else { return .forgotten }
    return data.standing.map { .present($0) } ?? .new
  }

  /// An error if the data are retired.
  private func look(
    at claim: ClaimBatch.Claim, _ caller: DatabaseCaller, within timeout: Timeout? = nil
  ) throws(NodeError) -> NodeData {
    let start = MonotonicTime.now
    let rows = try caller.rows(
      of: caller.answer(to: statements.look, statements.parametersOfLook(at: claim), within: timeout))
    guard let data = NodeData(rows, policy.graceSeconds, roundTrip: MonotonicTime.now &- start) else {
      throw .refused(.protocolUnknown)
    }
    if data.digest == statements.retiredDigest { throw .refused(.retired) }
    clock.note(second: data.clock, ofNode: 1, in: nil)
    return data
  }

  /// The reason why data are another fleet's: perhaps ours is retired, which the schema's functions do not tell apart.
  func refusal(of caller: DatabaseCaller) throws(NodeError) -> NodeRefusal {
    _ = try look(at: Self.nothing, caller, within: Timeout(milliseconds: 2000))
    return .otherFleet
  }

  private static let nothing = ClaimBatch.Claim(
    identity: ClaimBatch.IdentityPrefix(first: 0, second: 0), issueSecond: 0)

  private func description(of node: NodePlace, _ handshake: PostgresHandshake) throws(NodeError) -> NodeDescription
  {
    let data = try look(at: Self.nothing, handshake.caller)
    var description = NodeDescription(number: node.number, address: node.address, state: .uninitialised)
    if data.isOurs, let since = data.since, let high = data.high {
      description.state = clock.now().millisecondsSinceEpoch < since * 1000 ? .warming : .voting
      (description.from, description.high) = (since, (high + 1) * policy.slotSeconds - 1)
    }
    (description.seen, description.syncStandbys) = (data.seen, data.syncStandbys)
    description.lastsUntil = data.seen.map { $0 + policy.graceSeconds }
    description.hasEpoch = data.digest != nil
    (description.process, description.owner) = (handshake.server, handshake.timeline)
    description.database = handshake.database
    description.roundTripMicroseconds = Int64(data.roundTrip / 1000)
    let offset = clock.offset(of: data.clock, askedAgo: data.roundTrip)
    description.clockOffsetMilliseconds = offset * 1000
    description.usedMemoryBytes = data.bytes
    description.version = "PostgreSQL \(data.version), timeline \(handshake.timeline)"
    description.warnings = warnings(data, clockOffset: offset)
    return description
  }

  /// The faults that an operator should know, with their cures.
  private func warnings(_ data: NodeData, clockOffset: Int64) -> [String] {
    var warnings: [String] = []
    if data.writesTornPages {
      warnings.append("full_page_writes is off: a page that is torn by a crash may forget tokens; set it on")
    }
    if data.isUnlogged {
      warnings.append("its tables are unlogged: after a crash of the server tokens are refused for about a minute")
    }
    if !["on", "remote_apply"].contains(data.synchronousCommit) {
      warnings.append(
        "synchronous_commit of the role is \(DisplayText.escaped(data.synchronousCommit)): claims are committed with on, whatever it is"
      )
    }
    let verification = ConnectionKeywords.verification(credentials.current.keywords, fleet.isLocal)
    if !fleet.isLocal, verification != "verify-full" {
      let loss = ["disable", "prefer"].contains(verification) ? "a server may get the password in clear, and " : ""
      warnings.append(
        "sslmode is \(verification): \(loss)another server could be in its place; leave it out of the credentials file"
      )
    }
    if clockOffset.magnitude > 1 {
      warnings.append(
        "its clock is \(clockOffset.magnitude) s \(clockOffset < 0 ? "behind" : "ahead of") this host's; set both clocks"
      )
    }
    return warnings
  }
}

/// The database's words about its data, and about one token in them.
struct NodeData {
  let clock: Int64
  let digest: String?
  let since: Int64?
  /// The last minute whose slot was made.
  let high: Int64?
  /// True if they have an epoch: of this timeline, and maintained.
  let isOurs: Bool
  /// The latest second of the server's clock in which a host maintained them.
  let seen: Int64?
  let isSlotMade: Bool
  let standing: Ballot?
  let version: String
  let writesTornPages: Bool
  let synchronousCommit: String
  let bytes: Int64?
  let isUnlogged: Bool
  /// The standbys that commits wait for; nil if the role may not see that.
  let syncStandbys: Int64?
  /// In nanoseconds.
  let roundTrip: UInt64

  /// Nil for other rows.
  init?(_ rows: QueryResult, _ grace: Int64, roundTrip: UInt64) {
    guard rows.columns == 15, let clock = rows.number(0), FleetClock.seconds.contains(clock) else { return nil }
    (self.clock, digest, since, high, self.roundTrip) = (
      clock, rows.text(2), rows.number(4), rows.number(5), roundTrip
    )
    seen = rows.number(6)
    isOurs = rows.text(1) == rows.text(3) && seen.map { clock <= $0 + grace } == true
    isSlotMade = rows.number(7) == 1
    if let word = rows.bytes(8) {
      guard let ballot = Ballot(bytes: word.span) else { return nil }
      standing = ballot
    } else {
      standing = nil
    }
    version = rows.text(9) ?? ""
    (writesTornPages, synchronousCommit) = (rows.text(10) != "on", rows.text(11) ?? "")
    (bytes, isUnlogged, syncStandbys) = (rows.number(12), rows.number(13) == 1, rows.number(14))
  }
}
