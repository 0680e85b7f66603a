internal import MediaTokenSystem

extension RedisEngine: NodeAdministration {
  func describe(_ node: NodePlace, within timeout: Timeout) throws(NodeError) -> NodeDescription {
    var inspection = try NodeInspection(self, node, within: timeout)
    return try description(of: node, &inspection)
  }

  func initialise(
    _ node: NodePlace, freshOwner: String?, within timeout: Timeout
  ) throws(NodeError) -> NodeDescription {
    var inspection = try NodeInspection(self, node, within: timeout)
    try inspection.startEpoch(freshOwner: freshOwner)
    return try description(of: node, &inspection)
  }

  func retire(_ node: NodePlace, within timeout: Timeout) throws(NodeError) -> String? {
    var inspection = try NodeInspection(self, node, within: timeout)
    try inspection.retire()
    return nil
  }

  func peek(at claim: ClaimBatch.Claim, on node: NodePlace, within timeout: Timeout) throws(NodeError)
    -> NodeAnswer?
  {
    let inspection = try NodeInspection(self, node, within: timeout)
    let epoch = try inspection.epoch()
    if let refusal = refusal(of: epoch, node) { throw .refused(refusal) }
    guard epoch.isOurs, let from = epoch.from, let high = epoch.high else { return nil }
    let second = try inspection.time().microseconds / 1_000_000
    return answer(claim, from: from, high: high, second: second, try inspection.standing(claim))
  }

  /// The script's answer to a first claim.
  private func answer(
    _ claim: ClaimBatch.Claim, from: Int64, high: Int64, second: Int64, _ standing: (isOurs: Bool, ballot: Ballot?)
  ) -> NodeAnswer {
    if claim.issueSecond < from { return .forgotten }
    if claim.issueSecond > high { return claim.issueSecond > second + policy.aheadSeconds + 5 ? .ahead : .new }
    guard standing.isOurs else { return .forgotten }
    return standing.ballot.map { .present($0) } ?? .new
  }

  // MARK: describing

  private func description(
    of node: NodePlace, _ inspection: inout NodeInspection
  ) throws(NodeError) -> NodeDescription {
    let unwritable = try inspection.probe()
    try inspection.readMore()
    let epoch = try inspection.epoch()
    let (time, roundTrip) = try inspection.time()
    let now = clock.now().millisecondsSinceEpoch
    clock.note(second: time / 1_000_000, ofNode: node.number, in: nil)
    let info = inspection.info
    var description = NodeDescription(number: node.number, address: node.address, state: .uninitialised)
    if let refusal = refusal(of: epoch, node) {
      description.state = refusal.state(isKnown: true)
      description.reason = refusal.description
    } else if epoch.isOurs, let from = epoch.from {
      description.state = now < from * 1000 ? .warming : .voting
      (description.from, description.high) = (from, epoch.high)
    }
    description.hasEpoch = epoch.exists
    (description.process, description.owner) = (info["run_id"], info["master_replid"])
    description.roundTripMicroseconds = roundTrip
    description.clockOffsetMilliseconds = (time + roundTrip / 2) / 1000 - now
    description.usedMemoryBytes = info["used_memory"].flatMap { Int64($0) }
    description.policy = info["maxmemory_policy"]
    description.version =
      info["valkey_version"].map { "Valkey \($0)" } ?? info["redis_version"].map { "Redis \($0)" }
    if let offset = description.clockOffsetMilliseconds, epoch.isOurs,
      abs(offset) > FleetClock.tolerance * 1000 + roundTrip / 2000
    {
      (description.state, description.isOnlyOff) = (.refused, true)
      description.reason = NodeRefusal.clock(offsetSeconds: offset / 1000).description
    }
    if let unwritable {
      (description.state, description.reason) = (unwritable.state(isKnown: true), unwritable.description)
    }
    description.warnings = warnings(info, clockOffset: description.clockOffsetMilliseconds ?? 0)
    return description
  }

  /// The reason why an epoch is not this node's.
  private func refusal(of epoch: NodeEpoch, _ node: NodePlace) -> NodeRefusal? {
    guard let name = epoch.node, name != commands(forNode: node.number).node else { return nil }
    if name == commands(forNode: node.number).node + FleetDigest.retired { return .retired }
    return name.hasPrefix("\(digest):") ? .otherNode : .otherFleet
  }

  /// The faults that an operator should know (article FleetProtocol, "Whose node it is"), with their cures.
  private func warnings(_ info: InfoText, clockOffset: Int64) -> [String] {
    var warnings: [String] = []
    if let policy = info["maxmemory_policy"], policy != "noeviction" {
      warnings.append("maxmemory-policy is \(policy): tokens of evicted entries are refused; set noeviction")
    }
    if let replicas = info["connected_slaves"], replicas != "0" {
      warnings.append(
        "replicas are connected: they are of no use, and the node begins again when they go; remove them")
    }
    if info["aof_enabled"] == "1" {
      warnings.append(
        "the append-only file is on: it is of no use, as a node begins again after a restart; set appendonly no")
    }
    if abs(clockOffset) > 1000 {
      warnings.append(
        "its clock is \(abs(clockOffset)) ms \(clockOffset < 0 ? "behind" : "ahead of") this host's; set both clocks"
      )
    }
    return warnings
  }
}
