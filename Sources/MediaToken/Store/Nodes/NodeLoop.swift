internal import MediaTokenSystem

/// The one thread of a process that asks nodes which answer within a turn of a loop: it waits for all of their connections at once.
final class NodeLoop: NodeAskers {
  private let poller: Poller
  private let makeNodes: @Sendable (Poller) -> [any Node]
  private let hasEnded = Monitor(false)

  init(_ makeNodes: @escaping @Sendable (Poller) -> [any Node]) throws(SystemError) {
    self.makeNodes = makeNodes
    poller = try Poller()
  }

  func start(for desk: Desk) throws(SystemError) { try WorkerThread { self.run(desk) }.detach() }

  func wake(forClaims: Bool, forAlarm: Bool) { poller.wake() }

  func end() {
    hasEnded.exchange(for: true)
    poller.wake()
  }

  private func run(_ desk: Desk) {
    let turns = NodeTurns(desk, makeNodes(poller))
    var events: [Poller.Event] = []
    var isWoken = true
    while !hasEnded.current {
      let now = MonotonicTime.now
      let alarm = turns.turn(at: now, events, isWoken: isWoken)
      isWoken = poller.wait(milliseconds: Self.milliseconds(from: now, until: alarm), &events)
    }
    turns.close()
  }

  private static func milliseconds(from now: UInt64, until alarm: UInt64) -> Int32? {
    if alarm == .max { return nil }
    return alarm <= now ? 0 : Int32(clamping: (alarm - now) / 1_000_000 + 1)
  }
}

/// The turns of a loop that asks nodes. Nothing here waits.
final class NodeTurns {
  private let desk: Desk
  private let nodes: [any Node]

  init(_ desk: Desk, _ nodes: [any Node]) { (self.desk, self.nodes) = (desk, nodes) }

  /// Does what is due: reads first, so that an answer which came in time counts although it is read late. The result is the time of the
  /// next turn if nothing happens before; `.max`: none. `events` are named by the nodes' numbers.
  func turn(at time: UInt64, _ events: [Poller.Event], isWoken: Bool) -> UInt64 {
    var ready = NodeSet()
    for event in events { ready.insert(Int(event.token)) }
    var heard: [(node: Int, reply: NodeReply)] = []
    for node in nodes {
      let isReady = ready.contains(node.number)
      guard isReady || isWoken || node.nextDeadline.map({ $0 <= time }) == true else { continue }
      node.work(at: time, isReady: isReady) { heard.append((node.number, $0)) }
    }
    while let batches = exchange(heard, at: time) {
      heard = []
      for (node, claims) in batches { nodes[node - 1].ask(claims, at: time) }
    }
    return alarm
  }

  /// The time of the next turn, as the last one knew it.
  private var alarm = UInt64.max

  /// Tells the desk what was heard, and takes what is to be asked; nil if that is nothing.
  private func exchange(_ heard: [(node: Int, reply: NodeReply)], at time: UInt64) -> [(
    node: Int, claims: TakenClaims
  )]? {
    desk.exchange { state, ends in
      for node in nodes { state.nodes[node.number - 1].see(node.view(at: time)) }
      for (node, reply) in heard {
        switch reply.end {
        case .answered(let answers): state.hear(answers, to: reply.claims, from: node, at: time, &ends)
        case .unanswered: state.hear(nil, to: reply.claims, from: node, at: time, &ends)
        case .lost: state.giveBack(reply.claims, of: node)
        }
      }
      state.expire(at: time, &ends)
      var batches: [(node: Int, claims: TakenClaims)] = []
      for node in nodes where node.isUsable(at: time) {
        if let claims = state.take(for: node.number, at: time) { batches.append((node.number, claims)) }
      }
      if !batches.isEmpty { return batches }
      alarm = nodes.reduce(state.soonestDeadline) { min($0, $1.nextDeadline ?? .max) }
      state.rest()
      state.setAlarm(alarm)
      return nil
    }
  }

  func close() { for node in nodes { node.close() } }
}

extension Node {
  fileprivate func view(at time: UInt64) -> NodeView {
    NodeView(
      isUsable: isUsable(at: time), isBusy: isBusy(at: time), isConnected: isConnected, silentSince: silentSince)
  }
}
