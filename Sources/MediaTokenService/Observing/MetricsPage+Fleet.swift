internal import MediaToken

/// The figures of a fleet's nodes, each by its number in the address; only if the replay memory is a fleet.
extension MetricsPage {
  mutating func write(_ fleet: FleetReading) {
    gauge("mediatoken_fleet_nodes", UInt64(fleet.nodes.count), "Nodes that the fleet's address names.")
    gauge(
      "mediatoken_fleet_votes_needed", UInt64(fleet.votesNeeded), "How many nodes must agree on a first use.")
    writeStates(fleet.nodes)
    writeTimes(fleet.nodes)
    writeCounts(fleet.nodes)
    histogram(
      "mediatoken_fleet_ask_duration_seconds",
      "How long a claim took from its sending until it was decided, or until its deadline.",
      fleet.askCounts, FleetReading.askBoundsSeconds, sum: "\(fleet.askSeconds)")
    if let grace = fleet.graceSeconds, let node = fleet.nodes.first { writeDatabase(node, grace: grace) }
    gauge(
      "mediatoken_fleet_undecided_claims", UInt64(max(0, fleet.undecidedClaims)),
      "Tokens that wait for votes, or came to no verdict and may be tried again here.")
  }

  private mutating func writeStates(_ nodes: [NodeReading]) {
    let name = "mediatoken_fleet_node_state"
    family(name, .gauge, "1 for the state that the node is in, as this process sees it; 0 for all others.")
    for node in nodes {
      for state in NodeState.allCases {
        sample(name, [("node", "\(node.number)"), ("state", state.rawValue)], state == node.state ? 1 : 0)
      }
    }
    perNode(
      "mediatoken_fleet_node_refuses_writes", .gauge, "1 if the node answers and takes no writes: it is down.",
      nodes
    ) { $0.refusesWrites ? 1 : 0 }
  }

  /// A node that was never connected to has none.
  private mutating func writeTimes(_ nodes: [NodeReading]) {
    perNode(
      "mediatoken_fleet_node_vouches_from_seconds", .gauge,
      "The node votes for tokens that are issued from then on, in seconds since 1970.", nodes, \.vouchesFrom)
    perNode(
      "mediatoken_fleet_node_clock_offset_seconds", .gauge,
      "How far the node's clock was ahead of ours at the last handshake.", nodes, \.clockOffsetSeconds)
  }

  private mutating func writeCounts(_ nodes: [NodeReading]) {
    perNode(
      "mediatoken_fleet_starts_total", .counter,
      "How often the node was new, or had lost what it knew, and this process saw it begin.", nodes
    ) { $0.starts }
    perNode(
      "mediatoken_fleet_clock_set_back_total", .counter,
      "How often the node's clock was more than a minute behind what it had shown before.", nodes
    ) { $0.clockSetBacks }
    perNode(
      "mediatoken_fleet_reconnects_total", .counter,
      "How often a connection to the node was lost, or could not be made.", nodes
    ) { $0.reconnects }
    let replies = "mediatoken_fleet_replies_total"
    family(replies, .counter, "The node's answers to claims.")
    for node in nodes {
      for kind in NodeReplyKind.allCases {
        sample(
          replies, [("node", "\(node.number)"), ("reply", kind.rawValue)], node.replies[kind] ?? 0)
      }
    }
  }

  /// A database is the only node.
  private mutating func writeDatabase(_ node: NodeReading, grace: Int64) {
    gauge(
      "mediatoken_fleet_grace_seconds", UInt64(grace),
      "After how long without a host the database's data count as a copy, and begin again.")
    let info = "mediatoken_fleet_node_database_info"
    family(info, .gauge, "1 for the database that is the node: its fleet, its cluster, and its number in that.")
    if let database = node.database {
      sample(
        info,
        [
          ("node", "\(node.number)"), ("fleet", database.fleet), ("cluster", database.cluster ?? ""),
          ("database", database.database),
        ], 1)
    }
    perNode("mediatoken_fleet_node_timeline", .gauge, "The timeline of the database's data.", [node], \.timeline)
    perNode(
      "mediatoken_fleet_node_maintained_seconds", .gauge,
      "For how long no host has maintained the database, as far as this process knows.", [node], \.maintainedSeconds
    )
    let batches = "mediatoken_fleet_batches_total"
    family(batches, .counter, "How many batches of claims the database was sent, and how they ended.")
    for result in ClaimBatchResult.allCases {
      sample(batches, [("result", result.rawValue)], node.batches.results[result] ?? 0)
    }
    histogram(
      "mediatoken_fleet_claims_per_batch", "How many claims a batch had.",
      node.batches.counts, BatchReading.bounds, sum: "\(node.batches.claims)")
  }

  /// A node without a value has no line.
  private mutating func perNode<Value>(
    _ name: String, _ kind: FamilyType, _ help: String, _ nodes: [NodeReading], _ value: (NodeReading) -> Value?
  ) {
    family(name, kind, help)
    for node in nodes {
      if let value = value(node) { line(name, [("node", "\(node.number)")], "\(value)") }
    }
  }
}
