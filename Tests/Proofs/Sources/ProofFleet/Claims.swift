@testable internal import MediaToken

extension Rules {
  /// What a claim does, and what reaches the nodes of it, now or late, once or again.
  func claims(_ claim: Int, _ state: State, _ moment: Scenario.Moment, _ take: (Action, State) -> Void) {
    let own = state.claims[claim]
    let host = scenario.tries[claim].host
    if own.phase == .notYet {
      begin(claim, state, clock: moment.hosts[host], take)
      return
    }
    if own.phase == .open, scenario.keeps {
      var next = state
      next.end(claim, scenario.tries[claim].request == nil ? .kept : .refused)
      coverage.met(.fault)
      take(.fault(claim), next)
    }
    for node in 0..<scenario.nodes {
      if own.late[node] != 0 {
        var next = state
        next.claims[claim].late[node] = 0
        if let next = heard(own.late[node], claim, node, next, moment) {
          take(.hear(claim: claim, node: node), next)
        }
      }
      for process in processes(of: node, for: host, state) {
        ask(claim, node, process, state, moment, take)
        let isWithdrawn = own.phase == .refused || own.phase == .kept
        if scenario.flaw == .unspend, isWithdrawn, state.processes[process].data.ballot == own.ballot {
          var next = state
          next.processes[process].data.ballot = 0
          take(.unspend(claim, process), next)
        }
      }
    }
  }

  private func begin(_ claim: Int, _ state: State, clock: Int, _ take: (Action, State) -> Void) {
    let host = scenario.tries[claim].host
    // Steps 1 to 6 of the verdict: it is neither dated too far ahead nor over.
    guard scenario.second <= clock + scenario.hosts[host].ahead, clock < scenario.second + scenario.life else {
      return
    }
    var next = state
    next.claims[claim].phase = .open
    next.claims[claim].ballot = UInt8(claim + 1)
    next.claims[claim].madeIn = state.moment
    if scenario.tries[claim].request == nil {
      for earlier in scenario.tries.indices where scenario.tries[earlier].host == host {
        let isShared = scenario.flaw == .keptBallotShared && state.claims[earlier].phase == .open
        guard state.claims[earlier].phase == .kept || isShared else { continue }
        next.claims[claim].ballot = state.claims[earlier].ballot
        if scenario.flaw != .keptBallotShared { next.end(earlier, .refused) }
        coverage.met(.keptBallot)
        break
      }
    }
    take(.begin(claim), next)
  }

  private func ask(
    _ claim: Int, _ node: Int, _ process: Int, _ state: State, _ moment: Scenario.Moment,
    _ take: (Action, State) -> Void
  ) {
    let own = state.claims[claim]
    let host = scenario.tries[claim].host
    var stored = state
    let time = moment.nodes[process]
    let caller = caller(host, node)
    let isLie = node >= scenario.honestNodes
    let reply =
      isLie
      ? .new : self.claim(&stored.processes[process].data, time, caller, at: scenario.second, ballot: own.ballot)
    coverage.met(reply.event)
    let isStored = stored.processes[process].data != state.processes[process].data
    if isStored { take(.ask(claim: claim, node: node, process: process, .never), stored) }
    guard own.phase == .open, let code = code(reply) else { return }
    hear(time, of: node, by: host, showing: nil, &stored)
    if scenario.delays, own.late[node] == 0 {
      var next = stored
      next.claims[claim].late[node] = code
      coverage.met(.delayed)
      take(.ask(claim: claim, node: node, process: process, .later), next)
    }
    let next = heard(code, claim, node, stored, moment)
    if isStored || next != nil || stored.heard[host][node] != state.heard[host][node] {
      take(.ask(claim: claim, node: node, process: process, .atOnce), next ?? stored)
    }
  }

  /// What follows when a claim reads an answer; nil: nothing.
  private func heard(
    _ code: UInt8, _ claim: Int, _ node: Int, _ state: State, _ moment: Scenario.Moment
  ) -> State? {
    let own = state.claims[claim]
    var tally = tally(claim, state)
    tally.count(answer(code, state), from: node + 1)
    var next = state
    let isNews = own.answers[node] == 0 && code != aheadCode
    if isNews { next.claims[claim].answers[node] = code }
    let decision = tally.decision(at: instant(moment.hosts[scenario.tries[claim].host]))
    coverage.met(decision.event)
    switch decision {
    case nil: return isNews ? next : nil
    case .granted(let use):
      if use == .first { next.firstUses += 1 }
      next.granted |= grantBit(own.ballot)
      next.end(claim, .over)
    case .alreadyUsed, .expired, .predatesMemory: next.end(claim, .refused)
    }
    return next
  }

  /// The real tally with what was heard until now.
  func tally(_ claim: Int, _ state: State) -> Tally {
    let window = scenario.tries[claim].request.map { _ in Int64(scenario.window) * 1000 }
    var tally = Tally(
      nodes: scenario.nodes, ballot: ballot(state.claims[claim].ballot, state), retryWindowMilliseconds: window)
    for node in 0..<scenario.nodes where state.claims[claim].answers[node] != 0 {
      tally.count(answer(state.claims[claim].answers[node], state), from: node + 1)
    }
    return tally
  }

  // MARK: how a state keeps an answer

  /// Nil: an error, which is no answer.
  private func code(_ reply: NodeModel.Reply) -> UInt8? {
    switch reply {
    case .refused: nil
    case .new: 1
    case .forgotten: 2
    case .ahead: aheadCode
    case .present(let ballot): aheadCode + ballot
    }
  }

  private var aheadCode: UInt8 { 3 }

  private func answer(_ code: UInt8, _ state: State) -> NodeAnswer {
    switch code {
    case 1: .new
    case 2: .forgotten
    case aheadCode: .ahead
    default: .present(ballot(code - aheadCode, state))
    }
  }

  /// The ballot that this claim made: its id is one of chance or stands for its request.
  private func ballot(_ number: UInt8, _ state: State) -> Ballot {
    let maker = Int(number) - 1
    let made = scenario.moments[Int(state.claims[maker].madeIn)].hosts[scenario.tries[maker].host]
    return Ballot(Ballot.ID(id(number), 0), second: UInt32(made))
  }

  private func id(_ number: UInt8) -> UInt64 {
    scenario.tries[Int(number) - 1].request.map { 4 + UInt64($0) } ?? UInt64(number)
  }

  private func grantBit(_ ballot: UInt8) -> UInt8 { 1 << UInt8(id(ballot)) }

  private func instant(_ second: Int) -> Instant { Instant(millisecondsSinceEpoch: Int64(second) * 1000) }
}

extension UseOutcome? {
  fileprivate var event: Event {
    switch self {
    case nil: .undecided
    case .granted(.first): .firstUse
    case .granted: .retry
    case .alreadyUsed, .expired: .used
    case .predatesMemory: .predates
    }
  }
}
