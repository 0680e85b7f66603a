import MediaTokenSystem
import Testing

@testable import MediaToken

/// The state of a desk alone, with one door that notes what it is told. Its claims are named by their numbers.
final class DeskTable {
  var state: DeskState
  let fleet: Fleet
  private let door = NotingDoor()
  private var ballots = BallotSource()
  private var ends: [ClaimEnd] = []

  /// Nodes that can be asked; two seconds of the desk are over.
  init(nodes count: Int = 3, deadline: Int = 50, localTable: FleetOptions.LocalTable? = nil) throws {
    let options = try FleetOptions.scripted(nodes: count, deadline: deadline, localTable: localTable)
    fleet = try Fleet(options) { _ in ScriptedEngine(nodes: count) }
    state = DeskState(fleet, at: 0)
    for node in 1...count { see(node, isUsable: true) }
  }

  func see(
    _ node: Int, isUsable: Bool, isBusy: Bool = false, isConnected: Bool = true, silentSince: UInt64? = nil
  ) {
    state.nodes[node - 1].see(
      NodeView(isUsable: isUsable, isBusy: isBusy, isConnected: isConnected, silentSince: silentSince))
  }

  /// The number of the first.
  @discardableResult
  func add(_ claims: [UseClaim], of caller: ClaimCaller = .one, at time: UInt64 = DeskTable.start) -> UInt64 {
    add(claims.map { ($0, caller) }, at: time)
  }

  @discardableResult
  func add(_ claims: [(claim: UseClaim, caller: ClaimCaller)], at time: UInt64 = DeskTable.start) -> UInt64 {
    let first = state.claims.end
    let new = claims.enumerated().compactMap { index, new in
      try? ballots.newClaim(new.claim, named: first + UInt64(index), of: new.caller, in: fleet)
    }
    let added = state.add(new, of: door, at: time, &ends)
    #expect(added == first)
    return first
  }

  func withdraw(_ number: UInt64, at time: UInt64 = DeskTable.start) -> Bool {
    state.withdraw(number, at: time, &ends)
  }

  /// All batches that a node is to be asked now.
  func take(_ node: Int, at time: UInt64 = DeskTable.start) -> [TakenClaims] {
    var taken: [TakenClaims] = []
    while let claims = state.take(for: node, at: time) { taken.append(claims) }
    return taken
  }

  /// Every claim has this answer.
  func hear(_ answer: NodeAnswer?, to batches: [TakenClaims], from node: Int, at time: UInt64 = DeskTable.start) {
    for claims in batches {
      let answers = answer.map { Array(repeating: $0, count: claims.numbers.count) }
      state.hear(answers, to: claims, from: node, at: time, &ends)
    }
  }

  func expire(at time: UInt64) { state.expire(at: time, &ends) }
  func close() { state.close(at: Self.start, &ends) }
  func settle(_ number: UInt64, _ result: Result<UseOutcome, Fault>, at time: UInt64 = DeskTable.start) {
    state.settle(number, result, at: time, &ends)
  }

  /// The ends since the last call, by the claims' names.
  func takeEnds() -> [UInt64: Result<UseOutcome, Fault>] {
    defer { ends = [] }
    return Dictionary(ends.map { ($0.name, $0.result) }) { first, _ in
      Issue.record("a claim has two ends")
      return first
    }
  }

  /// The numbers of the ends since ``takeEnds()`` whose last word is the local table's.
  var unsettled: [UInt64] { ends.compactMap { $0.unsettled?.number } }

  /// The ballot that a claim is asked with.
  func ballot(_ number: UInt64) -> Ballot? { state.claims[number]?.tally.ballot }

  /// Its first two seconds are over.
  static let start = 10_000 * millisecond
}

extension DeskTable {
  fileprivate final class NotingDoor: ClaimDoor {
    func put(_ end: ClaimEnd) -> Bool { true }
  }
}

/// A door whose caller has left.
final class ClosedDoor: ClaimDoor {
  func takes(_ name: UInt64, as number: UInt64) -> Bool { false }
  func put(_ end: ClaimEnd) -> Bool { false }
}
