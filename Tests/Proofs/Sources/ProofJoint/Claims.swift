@testable internal import MediaToken

/// What a claim does, with the real ``Tally`` for each fleet and the real ``JointTally``.
extension Rules {
  typealias Take = (Action, Event?, (inout State) -> Void) -> Void

  func claims(_ claim: Int, _ state: State, _ take: Take) {
    let own = state.claims[claim]
    if own.phase == .notYet { return begin(claim, state, take) }
    guard own.phase == .open else {
      // What was sent may still arrive.
      return
    }
    let joint = joint(own)
    let side = side(own, joint)
    take(.fault(claim: claim), .fault) { hear(.failure(.replayMemoryUnavailable), claim, &$0) }
    if own.host == .joint, side == .from, knowsRetirement(state) {
      take(.pass(claim: claim), .oldOnePassed) { next in
        next.claims[claim].first = Outcome.retired
      }
    }
    for node in side == .from ? 0..<world.nodes.from : 3..<3 + world.nodes.to {
      if own.late[node] != 0 {
        take(.hear(claim: claim, node: node), .heardLate) { next in
          next.claims[claim].late[node] = 0
          count(own.late[node], claim, node, &next)
        }
      }
      ask(claim, node, state, take)
    }
  }

  private func begin(_ claim: Int, _ state: State, _ take: Take) {
    let now = now(state)
    // Steps 1 to 6 of the verdict.
    guard world.second <= now + World.ahead, now < world.second + World.life else { return }
    take(.begin(claim: claim), .begun) { next in
      next.claims[claim].phase = .open
      next.claims[claim].host = state.hosts[world.tries[claim].host]
      (next.claims[claim].began, next.claims[claim].madeIn) = (state.moment, state.moment)
    }
  }

  /// A claim takes a ballot when it asks a fleet first, which is late where it has waited for another claim of its host: one
  /// that was kept there, which no other claim has then, or its own.
  private func takeBallot(_ claim: Int, _ fleet: Int, _ next: inout State) {
    guard next.claims[claim].ballots[fleet] == 0 else { return }
    next.claims[claim].ballots[fleet] = UInt8(claim + 1)
    guard world.keeps, world.tries[claim].request == nil else { return }
    if fleet == 1, world.flaw == .ballotOfTheOtherFleet, next.claims[claim].ballots[0] != 0 {
      next.claims[claim].ballots[1] = next.claims[claim].ballots[0]
    }
    for earlier in world.tries.indices where world.tries[earlier].host == world.tries[claim].host {
      let kept = next.claims[earlier].kept[fleet]
      guard kept != 0 else { continue }
      (next.claims[claim].ballots[fleet], next.claims[earlier].kept[fleet]) = (kept, 0)
      return coverage.met(.keptBallot)
    }
  }

  /// A claim reaches a node; then its reply is read at once, later or never.
  private func ask(_ claim: Int, _ node: Int, _ state: State, _ take: Take) {
    let (own, fleet) = (state.claims[claim], node < 3 ? 0 : 1)
    guard own.answers[node] == 0, own.late[node] == 0, !state.nodes[node].isRetired else { return }
    var code: UInt8
    var isStored = false
    let there = state.nodes[node]
    if world.second < Int(there.floor) {
      code = forgottenCode
    } else if there.ballot == 0 {
      (code, isStored) = (newCode, true)
    } else {
      code = presentCode + there.ballot
    }
    func store(_ next: inout State) {
      takeBallot(claim, fleet, &next)
      if isStored { next.nodes[node].ballot = next.claims[claim].ballots[fleet] }
    }
    if isStored { take(.ask(claim: claim, node: node, .never), .lost) { store(&$0) } }
    take(.ask(claim: claim, node: node, .atOnce), event(code)) { next in
      store(&next)
      count(code, claim, node, &next)
    }
    guard world.delays else { return }
    take(.ask(claim: claim, node: node, .later), event(code)) { next in
      store(&next)
      next.claims[claim].late[node] = code
    }
  }

  // MARK: hearing

  /// A claim reads a node's answer.
  private func count(_ code: UInt8, _ claim: Int, _ node: Int, _ next: inout State) {
    next.claims[claim].answers[node] = code
    let side: JointTally.Side = node < 3 ? .from : .to
    let (first, count) = side == .from ? (0, world.nodes.from) : (3, world.nodes.to)
    let window = world.tries[claim].request.map { _ in Int64(100_000) }
    var tally = Tally(
      nodes: count, ballot: ballot(next.claims[claim].ballots[first / 3], next), retryWindowMilliseconds: window)
    for node in 0..<count {
      let code = next.claims[claim].answers[first + node]
      if let answer = answer(code, next) { tally.count(answer, from: node + 1) }
    }
    if let outcome = tally.decision(at: Instant(millisecondsSinceEpoch: Int64(now(next)) * 1000)) {
      hear(.success(outcome), claim, &next)
    }
  }

  /// A claim has the answer of a fleet.
  private func hear(_ answer: Result<UseOutcome, Fault>, _ claim: Int, _ next: inout State) {
    let own = next.claims[claim]
    var result = answer
    if own.host == .joint {
      var joint = joint(own)
      guard let outcome = joint.count(answer) else {
        next.claims[claim].first = Outcome(answer).rawValue
        coverage.met(.bothAsked)
        return
      }
      if outcome == .success(.firstUse), answer == .success(.predatesMemory) { coverage.met(.beforeUntil) }
      result = outcome
    }
    guard case .success(let outcome) = result else { return end(claim, &next) }
    if case .granted(let use) = outcome {
      if use == .first { next.firstUses += 1 }
      next.granted |= 1 << UInt8(id(UInt8(claim + 1)))
      coverage.met(use == .first ? .firstUse : .retry)
    } else {
      coverage.met(outcome == .predatesMemory ? .predates : .used)
    }
    next.claims[claim].phase = .over
    close(claim, &next)
  }

  private func joint(_ own: Claim) -> JointTally {
    var joint = JointTally(
      issueTime: Instant(millisecondsSinceEpoch: Int64(world.second) * 1000), until: Int64(World.until))
    if own.first == Outcome.retired { joint.retire() }
    if let first = Outcome(rawValue: own.first) { _ = joint.count(first.answer) }
    return joint
  }

  private func side(_ own: Claim, _ joint: JointTally) -> JointTally.Side {
    switch own.host {
    case .old: .from
    case .joint: joint.asks
    case .new: .to
    }
  }
}
