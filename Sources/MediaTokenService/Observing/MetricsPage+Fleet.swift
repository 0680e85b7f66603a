internal import MediaToken

/// The figures of a fleet's nodes, each by its number in the address; only if the replay memory is a fleet. While the host moves there are
/// two fleets, and a label says which is which.
extension MetricsPage {
  mutating func write(_ fleets: [FleetReading]) {
    guard !fleets.isEmpty else { return }
    perFleet("mediatoken_fleet_nodes", "Nodes that the fleet's address names.", fleets) { $0.nodes.count }
    perFleet("mediatoken_fleet_votes_needed", "How many nodes must agree on a first use.", fleets, \.votesNeeded)
    writeStates(fleets)
    writeTimes(fleets)
    writeCounts(fleets)
    let durations = "mediatoken_fleet_ask_duration_seconds"
    family(
      durations, .histogram, "How long a claim took from its sending until it was decided, or until its deadline.")
    for fleet in fleets {
      histogram(durations, fleet.labels, fleet.askCounts, FleetReading.askBoundsSeconds, sum: "\(fleet.askSeconds)")
    }
    writeDatabases(fleets.filter { $0.graceSeconds != nil })
    perFleet(
      "mediatoken_fleet_undecided_claims",
      "Tokens that wait for votes, or came to no verdict and may be tried again here.", fleets
    ) { max(0, $0.undecidedClaims) }
  }

  private mutating func writeStates(_ fleets: [FleetReading]) {
    let name = "mediatoken_fleet_node_state"
    family(name, .gauge, "1 for the state that the node is in, as this process sees it; 0 for all others.")
    for (labels, node) in fleets.flatMap(\.labelledNodes) {
      for state in NodeState.allCases {
        sample(name, labels + [("state", state.rawValue)], state == node.state ? 1 : 0)
      }
    }
    perNode(
      "mediatoken_fleet_node_refuses_writes", .gauge, "1 if the node answers and takes no writes: it is down.",
      fleets
    ) { $0.refusesWrites ? 1 : 0 }
  }

  /// A node that was never connected to has none.
  private mutating func writeTimes(_ fleets: [FleetReading]) {
    perNode(
      "mediatoken_fleet_node_vouches_from_seconds", .gauge,
      "The node votes for tokens that are issued from then on, in seconds since 1970.", fleets, \.vouchesFrom)
    perNode(
      "mediatoken_fleet_node_clock_offset_seconds", .gauge,
      "How far the node's clock was ahead of ours at the last handshake.", fleets, \.clockOffsetSeconds)
  }

  private mutating func writeCounts(_ fleets: [FleetReading]) {
    perNode(
      "mediatoken_fleet_starts_total", .counter,
      "How often the node was new, or had lost what it knew, and this process saw it begin.", fleets
    ) { $0.starts }
    perNode(
      "mediatoken_fleet_clock_set_back_total", .counter,
      "How often the node's clock was more than a minute behind what it had shown before.", fleets
    ) { $0.clockSetBacks }
    perNode(
      "mediatoken_fleet_reconnects_total", .counter,
      "How often a connection to the node was lost, or could not be made.", fleets
    ) { $0.reconnects }
    let replies = "mediatoken_fleet_replies_total"
    family(replies, .counter, "The node's answers to claims.")
    for (labels, node) in fleets.flatMap(\.labelledNodes) {
      for kind in NodeReplyKind.allCases {
        sample(replies, labels + [("reply", kind.rawValue)], node.replies[kind] ?? 0)
      }
    }
  }

  /// A database is the only node of its fleet.
  private mutating func writeDatabases(_ fleets: [FleetReading]) {
    guard !fleets.isEmpty else { return }
    perFleet(
      "mediatoken_fleet_grace_seconds",
      "After how long without a host the database's data count as a copy, and begin again.", fleets
    ) { $0.graceSeconds ?? 0 }
    let info = "mediatoken_fleet_node_database_info"
    family(info, .gauge, "1 for the database that is the node: its fleet, its cluster, and its number in that.")
    for (labels, node) in fleets.flatMap(\.labelledNodes) {
      guard let database = node.database else { continue }
      sample(
        info,
        labels + [
          ("fleet", database.fleet), ("cluster", database.cluster ?? ""), ("database", database.database),
        ], 1)
    }
    perNode("mediatoken_fleet_node_timeline", .gauge, "The timeline of the database's data.", fleets, \.timeline)
    perNode(
      "mediatoken_fleet_node_maintained_seconds", .gauge,
      "For how long no host has maintained the database, as far as this process knows.", fleets, \.maintainedSeconds
    )
    let batches = "mediatoken_fleet_batches_total"
    family(batches, .counter, "How many batches of claims the database was sent, and how they ended.")
    for (fleet, node) in fleets.flatMap({ fleet in fleet.nodes.map { (fleet, $0) } }) {
      for result in ClaimBatchResult.allCases {
        sample(batches, fleet.labels + [("result", result.rawValue)], node.batches.results[result] ?? 0)
      }
    }
    let claims = "mediatoken_fleet_claims_per_batch"
    family(claims, .histogram, "How many claims a batch had.")
    for (fleet, node) in fleets.flatMap({ fleet in fleet.nodes.map { (fleet, $0) } }) {
      histogram(claims, fleet.labels, node.batches.counts, BatchReading.bounds, sum: "\(node.batches.claims)")
    }
  }

  private mutating func perFleet(
    _ name: String, _ help: String, _ fleets: [FleetReading], _ value: (FleetReading) -> some BinaryInteger
  ) {
    family(name, .gauge, help)
    for fleet in fleets { sample(name, fleet.labels, UInt64(value(fleet))) }
  }

  /// A node without a value has no line.
  private mutating func perNode<Value>(
    _ name: String, _ kind: FamilyType, _ help: String, _ fleets: [FleetReading], _ value: (NodeReading) -> Value?
  ) {
    family(name, kind, help)
    for (labels, node) in fleets.flatMap(\.labelledNodes) {
      if let value = value(node) { line(name, labels, "\(value)") }
    }
  }
}

extension FleetReading {
  /// None unless there are two.
  fileprivate var labels: [(String, String)] { side.map { [("moving", $0.rawValue)] } ?? [] }

  fileprivate var labelledNodes: [(labels: [(String, String)], node: NodeReading)] {
    nodes.map { (labels + [("node", "\($0.number)")], $0) }
  }
}
