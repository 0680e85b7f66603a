/// A small world: its hosts and nodes, its one token, and what can happen.
///
/// The new fleet was initialised in second 20, and vouches for tokens from 33 on. A token lives for 10 s, and may be issued 1 s ahead.
struct World {
  var name: String
  var nodes = (from: 1, to: 1)
  /// The host of each claim, and its request, if it may be repeated.
  var tries: [(host: Int, request: Int?)] = [(0, nil), (1, nil), (2, nil)]
  /// When the token is issued.
  var second: Int
  /// The seconds that are looked at.
  var moments: [Int]
  var mostDisasters: UInt8 = 2
  /// Replies may be late.
  var delays = false
  /// Ballots of claims that end with a fault are kept for the next try.
  var keeps = false
  /// The old fleet may be retired.
  var retires = true
  var flaw: Flaw?

  /// The second from which the new fleet vouches, the life of a token, the seconds that its issue may be ahead, and the distance of a
  /// floor from the clocks.
  static let until = 33
  static let life = 10
  static let ahead = 1
  static let floorMargin = ahead + 12
  /// The seconds that a claim may take at most.
  static let deadline = 1

  init(_ name: String, second: Int, _ moments: [Int], _ change: (inout World) -> Void = { _ in }) {
    (self.name, self.second, self.moments) = (name, second, moments)
    change(&self)
  }

  var start: State {
    var state = State()
    state.disastersLeft = mostDisasters
    // The highest one counts: two nodes of three were initialised before.
    for node in 3..<6 { state.nodes[node].floor = UInt8(nodes.to > 1 && node > 3 ? Self.until - 2 : Self.until) }
    return state
  }
}

/// A rule of hosts or operators that is broken; those of ``JointTally`` are broken in copies of it (mutations/*.patch).
enum Flaw: String, CaseIterable {
  case secondStepEarly = "a host has the new fleet alone once all are joint"
  case secondStepAfterALife = "the same after the life of a token, which may be issued ahead"
  case secondStepForOne = "a host has the new fleet alone while another is old"
  case retiredEarly = "the old fleet is retired once all hosts are joint"
  case retiredForOne = "the old fleet is retired while a host is old"
  case anyFleetIsRetired = "nodes of another fleet count as retired"
  case oneRetiredNode = "one retired node is enough"
  case ballotOfTheOtherFleet = "the new fleet is asked with the ballot of the old one, which may be kept twice"
}

extension World {
  /// Before any host has the new fleet alone; at the end of the new fleet's floor; with hosts of all kinds, whose token began
  /// before the second step, and after it.
  private static func times(_ change: (inout World) -> Void) -> [World] {
    [
      World("old and joint hosts", second: 24, [20, 24, 30], change),
      World("a token just before the new fleet's floor", second: 32, [20, 31, 33, 41], change),
      World("a token just after it", second: 34, [20, 33, 34, 43], change),
      World("a token of the second step", second: 43, [20, 42, 43, 52], change),
      World("a token of late joint hosts", second: 34, [20, 33, 43, 56], change),
      World("a token long after", second: 57, [20, 33, 56, 57], change),
    ]
  }

  /// One node each: enough for what is wrong in a rule.
  static var small: [World] {
    let repeated = [(host: 0, request: Int?(1)), (host: 1, request: 1), (host: 2, request: nil)]
    let ofOneHost = [(host: 0, request: Int?.none), (host: 0, request: nil), (host: 0, request: nil)]
    return [times { ($0.nodes, $0.tries) = ((1, 3), two) }[1].named("one node to three of different floors")]
      + [times { ($0.tries, $0.keeps) = (ofOneHost, true) }[3].named("kept ballots of one host")]
      + times { _ in }
      + times { ($0.tries, $0.retires) = (repeated, false) }.map { $0.named("a request that is repeated") }
      + times { ($0.tries, $0.keeps) = ([(0, nil), (0, nil), (1, nil)], true) }.map { $0.named("kept ballots") }
  }

  /// Short: no more than one loss in each, and larger worlds only where hosts of all kinds meet.
  static func promised(long: Bool) -> [World] {
    let larger = [
      times { ($0.nodes, $0.tries) = ((3, 1), two) }.map { $0.named("three nodes to one") },
      times { ($0.nodes, $0.tries, $0.retires) = ((1, 3), two, false) }.map { $0.named("one node to three") },
      times { ($0.tries, $0.delays, $0.retires) = (two, true, long) }.map { $0.named("late replies") },
    ]
    let largest = [
      times { ($0.nodes, $0.tries) = ((3, 3), two) }.map { $0.named("three nodes to three") },
      times { $0.delays = true }.map { $0.named("late replies, three claims") },
    ]
    let all = small + larger.flatMap { long ? $0 : [$0[2], $0[4]] } + (long ? largest.flatMap(\.self) : [])
    return all.map { world in
      var world = world
      if !long || world.nodes.from + world.nodes.to > 2 || world.delays { world.mostDisasters = 1 }
      return world
    }
  }

  private static let two = [(host: 0, request: Int?.none), (host: 1, request: nil)]

  private func named(_ text: String) -> World {
    var world = self
    world.name = "\(text): \(name)"
    return world
  }
}
