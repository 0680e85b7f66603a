@testable internal import MediaToken

/// What can happen next.
enum Action: Hashable {
  case pass
  case begin(Int)
  /// A claim's command reaches a process over the way to this node; then its reply is read at once, later or never.
  case ask(claim: Int, node: Int, process: Int, Hearing)
  case hear(claim: Int, node: Int)
  /// A host, with its clock as it was in that moment, bears the process that this node's address leads to.
  case start(host: Int, node: Int, process: Int, clockOf: Int)
  /// An operator at this host initialises the node fresh.
  case found(host: Int, node: Int, process: Int)
  case other(second: Int, node: Int, process: Int)
  case fault(Int)
  case crash(Int)
  case save(Int)
  case disaster(Scenario.Disaster, Int)
  case move(withData: Bool)
  case moveBack
  /// A flaw: a claim that was not granted takes its ballot back.
  case unspend(Int, Int)
}

enum Hearing { case atOnce, later, never }

enum Violation: String {
  /// All clocks are right again, and a host refuses to bear a node.
  case barred = "barred from a start by a time that does not count"
  case doubleGrant = "granted twice"
  /// A node votes for no token until a time that no honest clock came near.
  case poisoned = "a floor that no honest clock explains"
  case endless = "goes round in a circle"
}

/// The rules by which a state becomes another.
final class Rules {
  let scenario: Scenario
  /// Whether a clock goes back by so much that hosts may forget what it showed.
  let forgets: Bool
  var coverage = Coverage()
  private let model: NodeModel
  /// In each moment the highest floor that honest clocks explain.
  private let floors: [Int]
  /// Nil unless they are wanted.
  var steps: NodeSteps?

  init(_ scenario: Scenario) {
    self.scenario = scenario
    model = NodeModel(flaw: scenario.flaw, second: scenario.second, life: scenario.life)
    let clocks = scenario.moments.map { $0.nodes + $0.hosts }
    forgets = clocks.indices.contains { index in
      clocks[..<index].contains { zip($0, clocks[index]).contains { $0 > $1 + 60 } }
    }
    let ahead = scenario.hosts.map(\.ahead).max() ?? 0
    floors = scenario.moments.indices.map { last in
      let clocks = scenario.moments[...last].flatMap { scenario.honestClocks(in: $0) }
      return (clocks.max() ?? 0) + ahead + NodeModel.floorMargin
    }
  }

  var starts: [State] {
    var start = scenario.start
    hearAll(&start)
    return [start]
  }

  func violation(in state: State) -> Violation? {
    if state.firstUses > 1 || state.granted.nonzeroBitCount > 1 { return .doubleGrant }
    if state.barred != 0 { return .barred }
    guard scenario.hasLiar || scenario.far != nil else { return nil }
    let isPoisoned = (0..<scenario.honestNodes).contains { node in
      let data = state.processes[node].data
      return data.epochIsOfNow && Int(data.node) == node + 1 && Int(data.from) > floors[Int(state.moment)]
    }
    return isPoisoned ? .poisoned : nil
  }

  func forEachSuccessor(of state: State, _ body: (Action, State) -> Void) {
    let moment = scenario.moments[Int(state.moment)]
    func take(_ action: Action, _ next: State) {
      var next = next
      if self.scenario.isSymmetric { next.sortNodes(self.scenario.honestNodes) }
      body(action, next)
    }
    if Int(state.moment) + 1 < scenario.moments.count {
      var next = state
      next.moment += 1
      hearAll(&next)
      coverage.met(.passed)
      take(.pass, next)
    }
    for claim in scenario.tries.indices { claims(claim, state, moment, take) }
    for node in 0..<scenario.nodes {
      for host in scenario.hosts.indices {
        for process in processes(of: node, for: host, state) { starts(host, node, process, state, take) }
      }
      for process in processes(of: node, for: 0, state) {
        for second in scenario.others {
          var next = state
          let caller = caller(0, node)
          let before = next.processes[process].data
          _ = claim(&next.processes[process].data, moment.nodes[process], caller, at: second, ballot: nil)
          if next.processes[process].data != before {
            coverage.met(.other)
            take(.other(second: second, node: node, process: process), next)
          }
        }
      }
    }
    if scenario.crashes > 0 { crashes(state, moment, take) }
    disasters(state, take)
  }

  func claim(
    _ data: inout NodeData, _ time: Int, _ caller: NodeModel.Caller, at second: Int, ballot: UInt8?
  ) -> NodeModel.Reply {
    if steps != nil {
      let asked = NodeStep.Asked.claims([NodeStep.Piece(second: second, ballot: ballot)])
      steps?.add(NodeStep(before: data, time: time, caller: caller, asked: asked), model)
    }
    return model.claim(&data, time: time, caller, at: second, ballot: ballot)
  }

  private func start(
    _ data: inout NodeData, _ time: Int, _ caller: NodeModel.Caller, hostNow: Int, hostHighest: Int,
    fresh: NodeModel.Fresh? = nil
  ) -> NodeModel.Refusal? {
    if steps != nil {
      let asked = NodeStep.Asked.start(hostNow: hostNow, hostHighest: hostHighest, fresh)
      steps?.add(NodeStep(before: data, time: time, caller: caller, asked: asked), model)
    }
    return model.start(&data, time: time, caller, hostNow: hostNow, hostHighest: hostHighest, fresh: fresh)
  }

  func caller(_ host: Int, _ node: Int) -> NodeModel.Caller {
    NodeModel.Caller(
      node: UInt8(node + 1), fleet: scenario.hosts[host].fleet, ahead: scenario.hosts[host].ahead)
  }

  /// Where a node's address leads: to two processes while connections to the old one are warming.
  func processes(of node: Int, for host: Int, _ state: State) -> [Int] {
    let process = scenario.hosts[host].route?[node] ?? node
    guard state.moved != 0, node == scenario.nodes - 1 else { return [process] }
    let last = max(state.moved, state.returned)
    let since = scenario.moments[Int(state.moment)].real - scenario.moments[Int(last) - 1].real
    let now = state.returned == 0 ? scenario.nodes : process
    return since <= scenario.connectionAge ?? since ? [scenario.nodes, process] : [now]
  }

  private func starts(
    _ host: Int, _ node: Int, _ process: Int, _ state: State, _ take: (Action, State) -> Void
  ) {
    let data = state.processes[process].data
    if scenario.initialises { found(host, node, process, state, take) }
    let isInitialised = data.hasEpoch && data.epochIsOfNow
    guard scenario.makesBuckets || !isInitialised else { return }
    // What a host asks for may arrive late.
    for moment in 0...Int(state.moment) {
      var next = state
      let now = scenario.moments[moment].hosts[host]
      let refusal = start(
        &next.processes[process].data, scenario.moments[Int(state.moment)].nodes[process], caller(host, node),
        hostNow: now, hostHighest: max(now, moment == Int(state.moment) ? Int(state.heard[host][node].highest) : 0))
      let isChanged = next.processes[process].data != data
      if isInitialised, !isChanged { continue }
      if refusal == .far, isBarred(process, state) { next.barred = 1 }
      let start: Event = isInitialised ? .bucketsMade : moment == Int(state.moment) ? .start : .lateStart
      coverage.met(refusal?.event ?? start)
      if refusal == nil || next.barred != 0 {
        take(.start(host: host, node: node, process: process, clockOf: moment), next)
      }
    }
  }

  private func found(
    _ host: Int, _ node: Int, _ process: Int, _ state: State, _ take: (Action, State) -> Void
  ) {
    var next = state
    let moment = scenario.moments[Int(state.moment)]
    let refusal = start(
      &next.processes[process].data, moment.nodes[process], caller(host, node), hostNow: moment.hosts[host],
      hostHighest: moment.hosts[host], fresh: state.processes[process].isAsSeen ? .ours : .former)
    guard next.processes[process] != state.processes[process] || refusal != nil else { return }
    coverage.met(refusal?.event ?? .initialised)
    if refusal == nil { take(.found(host: host, node: node, process: process), next) }
  }

  private func crashes(_ state: State, _ moment: Scenario.Moment, _ take: (Action, State) -> Void) {
    guard state.crashesLeft > 0 else { return }
    for host in scenario.hosts.indices {
      var next = state
      next.crashesLeft -= 1
      for claim in scenario.tries.indices where scenario.tries[claim].host == host {
        switch next.claims[claim].phase {
        case .open, .kept: next.end(claim, .over)
        default: continue
        }
      }
      next.heard[host] = InlineArray(repeating: Heard())
      coverage.met(.crash)
      take(.crash(host), next)
    }
  }
}

extension State {
  /// What a claim was told matters no more.
  mutating func end(_ claim: Int, _ phase: Claim.Phase) {
    claims[claim].phase = phase
    claims[claim].answers = InlineArray(repeating: 0)
    claims[claim].late = InlineArray(repeating: 0)
  }
}
