extension Rules {
  func disasters(_ state: State, _ take: (Action, State) -> Void) {
    for server in 0..<2 where state[server].isThere {
      for disaster in world.disasters {
        var next = state
        next.disastersLeft -= 1
        guard happens(disaster, to: server, &next) else { continue }
        coverage.met(disaster)
        take(.disaster(disaster, server: server), next)
      }
    }
  }

  /// False: it cannot happen to this server now, or changes nothing.
  private func happens(_ disaster: World.Disaster, to server: Int, _ next: inout State) -> Bool {
    let own = next[server]
    let isServing = own.isPrimary && server == Int(next.route)
    let isLeft = own.isPrimary && !isServing && next.moved > 0
    switch disaster {
    case .promoted, .promotedWhileTheOldOneLives:
      guard !own.isPrimary else { return false }
      newTimeline(server, &next, own.data)
      next[server].isPrimary = true
      if disaster == .promoted { next[1 - server].isThere = false }
      lead(to: server, &next)
    case .restored:
      guard isServing, next.copy.isThere else { return false }
      newTimeline(server, &next, next.copy.data)
    case .copyPutBack, .warmingCopyPutBack:
      guard isServing, next.copy.isThere else { return false }
      let made = Int(next.copy.data.seen) - world.serverClocks[server]
      let age = Int(next.time) - (next.copy.time > 0 ? Int(next.copy.time) : made)
      if disaster == .copyPutBack, age <= world.times.grace { return false }
      next[server].data = next.copy.data
      next[server].timeline = next.copy.timeline
      connectionsEnd(server, &next)
    case .dumpRestored:
      guard isServing, next.copy.isThere, own.data != next.copy.dump else { return false }
      next[server].data = next.copy.dump
    case .crashed:
      guard isServing, world.isUnlogged || world.flaw == .commitNotOnDisk else { return false }
      if world.isUnlogged { next[server].data = NodeData() } else { next[server].data.ballot = 0 }
    case .returnedRestarted:
      guard isLeft else { return false }
      if world.isUnlogged { next[server].data = NodeData() }
      connectionsEnd(server, &next)
      lead(to: server, &next)
    case .returned:
      guard isLeft else { return false }
      next[1 - server].isThere = false
      if !isReached(server, next) { connectionsEnd(server, &next) }
      lead(to: server, &next)
    case .emptied:
      guard isServing, own.data.hasMarker else { return false }
      (next[server].data.hasMarker, next[server].data.ballot) = (false, 0)
    case .clockSet:
      // Forwards or backwards to the other of its two offsets.
      let usual = Int8(world.serverClocks[server])
      next[server].clock = own.clock == usual ? world.clockStep : usual
    }
    return true
  }

  private func connectionsEnd(_ server: Int, _ next: inout State) {
    if world.clocksAreSet { next[server].connectionsSince = next.time }
  }

  private func lead(to server: Int, _ next: inout State) {
    next.routeBefore = next.route
    next.moved = next.time + 1
    next.route = UInt8(server)
  }

  private func newTimeline(_ server: Int, _ next: inout State, _ data: NodeData) {
    next[server].data = world.isUnlogged ? NodeData() : data
    next[server].timeline = next.nextTimeline
    next.nextTimeline += 1
  }
}
