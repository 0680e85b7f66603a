/// What can happen next.
enum Action: Hashable {
  case time(Int)
  case start(host: Int, server: Int)
  case maintain(host: Int, server: Int, NodeModel.Meanwhile)
  /// A claim reaches a server; its reply is read, or lost.
  case claim(Int, server: Int, NodeModel.Meanwhile, isHeard: Bool)
  /// All claims that have no answer yet reach a server in one batch.
  case batch(server: Int, isHeard: Bool)
  case replication(to: Int)
  case copied(server: Int)
  case disaster(World.Disaster, server: Int)
}

enum Violation: String {
  case doubleGrant = "granted twice"
  case endless = "goes round in a circle"
}

/// The rules by which a state becomes another.
final class Rules {
  let world: World
  var coverage = Coverage()
  let model: NodeModel

  init(_ world: World) {
    self.world = world
    model = NodeModel(times: world.times, flaw: world.flaw, second: world.second)
  }

  var starts: [State] { [world.start] }

  func violation(in state: State) -> Violation? { state.granted.nonzeroBitCount > 1 ? .doubleGrant : nil }

  func forEachSuccessor(of state: State, _ take: (Action, State) -> Void) {
    guard state.answered != 1 << UInt8(world.claims) - 1 else { return }
    if let next = world.moments.first(where: { $0 > Int(state.time) }) {
      var later = state
      later.time = UInt8(next)
      take(.time(next), later)
    }
    for server in 0..<2 where isReached(server, state) {
      starts(server, state, take)
      for meanwhile in meanwhiles(server, state) {
        if meanwhile != .emptied { maintenance(server, meanwhile, state, take) }
        for claim in 0..<world.claims { self.claim(claim, server, meanwhile, state, take) }
      }
      batch(server, state, take)
    }
    replication(state, take)
    copies(state, take)
    guard state.disastersLeft > 0 else { return }
    disasters(state, take)
  }

  /// Over a new connection, or over one from before the name was moved.
  func isReached(_ server: Int, _ state: State) -> Bool {
    guard state[server].isThere, state[server].isPrimary else { return false }
    if server == Int(state.route) { return true }
    let isOld = state.moved > 0 && Int(state.time) - Int(state.moved - 1) > world.times.connectionAge
    return state.moved > 0 && server == Int(state.routeBefore) && !isOld
  }

  func clock(_ server: Int, _ state: State) -> Int { max(0, Int(state.time) + Int(state[server].clock)) }

  func hostClock(_ host: Int, _ state: State) -> Int { Int(state.time) + world.hostClocks[host] }

  /// Whether a host may have a connection whose greeting was not refused: one that is at most as old as a connection may be.
  private func isGreeted(_ host: Int, _ server: Int, _ state: State) -> Bool {
    let age = min(world.times.connectionAge, Int(state.time) - Int(state[server].connectionsSince))
    return !model.isUnmaintained(state[server].data, by: hostClock(host, state), allowing: age)
  }

  /// A host bears only over a connection that was just made, and so where the name leads.
  private func starts(_ server: Int, _ state: State, _ take: (Action, State) -> Void) {
    guard server == Int(state.route) else { return }
    let timeline = state[server].timeline
    let clock = clock(server, state)
    for host in 0..<2 {
      var next = state
      let now = hostClock(host, state)
      let hadEpoch = model.stands(state[server].data, timeline: timeline, clock: clock)
      let refusal = model.start(
        &next[server].data, timeline: timeline, clock: clock, hostNow: now, hostHighest: now)
      coverage.met(refusal == nil ? hadEpoch ? .kept : .started : .clockRefused)
      if refusal == nil, next[server].data != state[server].data { take(.start(host: host, server: server), next) }
    }
  }

  private func maintenance(
    _ server: Int, _ meanwhile: NodeModel.Meanwhile, _ state: State, _ take: (Action, State) -> Void
  ) {
    for host in 0..<2 where isGreeted(host, server, state) {
      var next = state
      if meanwhile != .nothing { next.disastersLeft -= 1 }
      let refusal = model.maintain(
        &next[server].data, timeline: state[server].timeline, clock: clock(server, state),
        hostNow: hostClock(host, state), meanwhile)
      if refusal == nil, next[server].data != state[server].data {
        coverage.met(.maintained)
        take(.maintain(host: host, server: server, meanwhile), next)
      }
    }
  }

  /// What can happen while a function runs there.
  private func meanwhiles(_ server: Int, _ state: State) -> [NodeModel.Meanwhile] {
    guard state.disastersLeft > 0 else { return [.nothing] }
    var found = [NodeModel.Meanwhile.nothing]
    if world.disasters.contains(.emptied), state[server].data.hasMarker { found.append(.emptied) }
    if world.disasters.contains(.dumpRestored), state.copy.isThere {
      found += [.restored(state.copy.dump), .restoredLater(state.copy.dump)]
    }
    return found
  }

  /// A try of host 1 or 2 in turn, which may have begun at any time since its host accepts the token, and arrives when it likes.
  private func claim(
    _ claim: Int, _ server: Int, _ meanwhile: NodeModel.Meanwhile, _ state: State,
    _ take: (Action, State) -> Void
  ) {
    guard state.answered & 1 << UInt8(claim) == 0, asks(claim % 2, server, state) else { return }
    var next = state
    if meanwhile != .nothing { next.disastersLeft -= 1 }
    let reply = model.claim(
      &next[server].data, timeline: state[server].timeline, clock: clock(server, state), ballot: ballot(claim),
      meanwhile)
    coverage.met(reply.event)
    if next[server].data != state[server].data {
      take(.claim(claim, server: server, meanwhile, isHeard: false), next)
    }
    if hear(reply, claim, &next) { take(.claim(claim, server: server, meanwhile, isHeard: true), next) }
  }

  /// One host puts every claim into one batch.
  private func batch(_ server: Int, _ state: State, _ take: (Action, State) -> Void) {
    guard world.hasBatches, asks(0, server, state) else { return }
    let claims = (0..<world.claims).filter { state.answered & 1 << UInt8($0) == 0 }
    guard claims.count > 1 else { return }
    var next = state
    let replies = model.claims(
      &next[server].data, timeline: state[server].timeline, clock: clock(server, state), ballots: claims.map(ballot)
    )
    coverage.met(.batched)
    if next[server].data != state[server].data { take(.batch(server: server, isHeard: false), next) }
    var isAnswered = false
    for (claim, reply) in zip(claims, replies) where hear(reply, claim, &next) { isAnswered = true }
    if isAnswered { take(.batch(server: server, isHeard: true), next) }
  }

  /// Whether a host accepts the token already, and may ask this server about it.
  private func asks(_ host: Int, _ server: Int, _ state: State) -> Bool {
    world.second <= hostClock(host, state) + world.times.ahead && isGreeted(host, server, state)
  }

  /// The claims of one request have one ballot.
  private func ballot(_ claim: Int) -> UInt8 { world.isOneRequest ? 1 : UInt8(claim + 1) }

  /// False: that was no answer. A ballot that is there is a vote if no other claim has it.
  private func hear(_ reply: NodeModel.Reply, _ claim: Int, _ next: inout State) -> Bool {
    switch reply {
    case .refused, .forgotten, .ahead: return false
    case .present(let there):
      if !world.isOneRequest, there == ballot(claim) { next.granted |= 1 << UInt8(claim) }
    case .new: next.granted |= 1 << UInt8(claim)
    }
    next.answered |= 1 << UInt8(claim)
    return true
  }

  /// A standby has what its primary has, or anything that this had before. Of unlogged tables it has nothing.
  private func replication(_ state: State, _ take: (Action, State) -> Void) {
    for standby in 0..<2 {
      let (from, to) = (state[1 - standby], state[standby])
      guard from.isThere, from.isPrimary, to.isThere, !to.isPrimary, to.timeline <= from.timeline else { continue }
      var next = state
      next[standby].timeline = from.timeline
      if !world.isUnlogged { next[standby].data = from.data }
      if next[standby].data != to.data || from.timeline != to.timeline { take(.replication(to: standby), next) }
    }
  }

  private func copies(_ state: State, _ take: (Action, State) -> Void) {
    guard !state.copy.isThere, world.copies else { return }
    for server in 0..<2 where state[server].isThere && state[server].isPrimary {
      var next = state
      let made = world.clocksAreSet ? state.time : 0
      next.copy = Copy(isThere: true, timeline: state[server].timeline, time: made, data: state[server].data)
      coverage.met(.copied)
      take(.copied(server: server), next)
    }
  }
}
