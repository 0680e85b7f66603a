/// What can happen next.
enum Action: Hashable {
  case time(Int)
  case join(host: Int)
  case leave(host: Int)
  case finish(host: Int)
  case retire(node: Int)
  case lose(node: Int)
  case begin(claim: Int)
  case ask(claim: Int, node: Int, Hearing)
  case hear(claim: Int, node: Int)
  case fault(claim: Int)
  case pass(claim: Int)

  enum Hearing { case atOnce, later, never }
}

enum Violation: String {
  case doubleGrant = "granted twice"
  case endless = "goes round in a circle"
}

/// What a search must meet besides disasters.
enum Event: Int, CaseIterable {
  case passed, joined, left, finished, retired
  case begun, keptBallot, lost, heardLate, fault
  case new, present, forgotten
  case bothAsked, oldOnePassed, beforeUntil, firstUse, retry, used, predates
}

enum Disaster: Int, CaseIterable { case oldNodeLost, newNodeLost }

/// The rules by which a state becomes another.
final class Rules {
  let world: World
  var coverage = Coverage()

  init(_ world: World) { self.world = world }

  var starts: [State] { [world.start] }

  func violation(in state: State) -> Violation? {
    state.firstUses > 1 || state.granted.nonzeroBitCount > 1 ? .doubleGrant : nil
  }

  func now(_ state: State) -> Int { world.moments[Int(state.moment)] }

  func forEachSuccessor(of state: State, _ body: (Action, State) -> Void) {
    func take(_ action: Action, _ event: Event?, _ change: (inout State) -> Void) {
      var next = state
      change(&next)
      if let event { coverage.met(event) }
      next.sortNodes(world.nodes)
      body(action, next)
    }
    if Int(state.moment) + 1 < world.moments.count {
      take(.time(world.moments[Int(state.moment) + 1]), .passed) { pass(&$0) }
    }
    moves(state, take)
    if state.disastersLeft > 0 {
      for node in nodes {
        coverage.met(node < 3 ? Disaster.oldNodeLost : .newNodeLost)
        take(.lose(node: node), nil) { next in
          next.disastersLeft -= 1
          next.nodes[node] = Node(
            floor: UInt8(now(state) + World.floorMargin), wasRetired: state.nodes[node].wasRetired)
        }
      }
    }
    for claim in world.tries.indices { claims(claim, state, take) }
  }

  /// The nodes that there are.
  private var nodes: [Int] { Array(0..<world.nodes.from) + Array(3..<3 + world.nodes.to) }

  /// Claims that have waited for too long end.
  private func pass(_ next: inout State) {
    next.moment += 1
    for claim in world.tries.indices where next.claims[claim].phase == .open {
      if now(next) - world.moments[Int(next.claims[claim].began)] > World.deadline { end(claim, &next) }
    }
  }

  // MARK: what operators do

  private func moves(_ state: State, _ take: (Action, Event?, (inout State) -> Void) -> Void) {
    let hosts = Set(world.tries.map(\.host))
    let isAnyOld = hosts.contains { state.hosts[$0] == .old }
    let isAnyNew = hosts.contains { state.hosts[$0] == .new }
    let isRetired = isRetired(state)
    for host in hosts.sorted() {
      switch state.hosts[host] {
      case .old where !isAnyNew && !isRetired:
        take(.join(host: host), .joined) { next in
          next.hosts[host] = .joint
          next.lastJoined = UInt8(now(state))
        }
      case .joint:
        if mayFinish(state, isAnyOld) { take(.finish(host: host), .finished) { $0.hosts[host] = .new } }
        // A move that is given up: only before anything was done that old hosts do not see.
        if !isAnyNew, !isRetired, !state.hasLeft {
          take(.leave(host: host), .left) { ($0.hosts[host], $0.hasLeft) = (.old, true) }
        }
      default: break
      }
    }
    guard world.retires, mayRetire(state, isAnyOld) else { return }
    for node in 0..<world.nodes.from where !state.nodes[node].isRetired {
      take(.retire(node: node), .retired) { ($0.nodes[node].isRetired, $0.nodes[node].wasRetired) = (true, true) }
    }
  }

  private func mayRetire(_ state: State, _ isAnyOld: Bool) -> Bool {
    let hasWaited = now(state) >= Int(state.lastJoined) + World.floorMargin + World.life
    return switch world.flaw {
    case .retiredEarly: !isAnyOld
    case .retiredForOne: now(state) >= World.until + World.life
    default: !isAnyOld && hasWaited
    }
  }

  /// So many nodes as decide were retired. They may have lost their data since.
  private func isRetired(_ state: State) -> Bool { retiredNodes(state) > world.nodes.from / 2 }

  private func retiredNodes(_ state: State) -> Int { (0..<world.nodes.from).count { state.nodes[$0].wasRetired } }

  /// A joint host passes over the old fleet.
  func knowsRetirement(_ state: State) -> Bool {
    switch world.flaw {
    case .anyFleetIsRetired: world.retires
    case .oneRetiredNode: retiredNodes(state) > 0
    default: isRetired(state)
    }
  }

  /// A host may have the new fleet alone.
  private func mayFinish(_ state: State, _ isAnyOld: Bool) -> Bool {
    let (now, joined) = (now(state), Int(state.lastJoined))
    switch world.flaw {
    case .secondStepEarly: return !isAnyOld
    case .secondStepAfterALife: return !isAnyOld && now >= World.until && now >= joined + World.life
    case .secondStepForOne: return now >= World.until + World.life
    default:
      return !isAnyOld && now >= World.until + World.life && now >= joined + World.floorMargin + World.life
    }
  }

  /// A claim ends without a grant; a random ballot is kept.
  func end(_ claim: Int, _ next: inout State) {
    next.claims[claim].phase = .over
    if world.keeps, world.tries[claim].request == nil {
      for fleet in 0..<2 where !isKept(fleet, of: claim, next) {
        next.claims[claim].kept[fleet] = next.claims[claim].ballots[fleet]
      }
    }
    close(claim, &next)
  }

  /// A desk keeps one of a token.
  private func isKept(_ fleet: Int, of claim: Int, _ state: State) -> Bool {
    world.tries.indices.contains {
      world.tries[$0].host == world.tries[claim].host && state.claims[$0].kept[fleet] != 0
    }
  }

  /// What it heard is of no use any more.
  func close(_ claim: Int, _ next: inout State) {
    next.claims[claim].answers = InlineArray(repeating: 0)
    next.claims[claim].late = InlineArray(repeating: 0)
    next.claims[claim].ballots = InlineArray(repeating: 0)
    next.claims[claim].first = 0
    (next.claims[claim].host, next.claims[claim].began) = (.old, 0)
  }
}
