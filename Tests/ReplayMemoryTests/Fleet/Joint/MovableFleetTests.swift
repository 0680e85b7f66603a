import Foundation
import MediaTokenSystem
import Testing

@testable import MediaToken

/// A host that moves from one fleet of scripted nodes to another.
private struct Move {
  let (old, new): (ScriptedEngine, ScriptedEngine)
  let (from, to): (FleetMemory, FleetMemory)
  let host: MovableFleet
  static let until: Int64 = 1_700_000_000

  init(
    retryWindow: Int64 = 0, deadline: Int = 1000, oldDeadline: Int? = nil,
    localTable: FleetOptions.LocalTable? = nil,
    old: ScriptedEngine = .vouching(), new: ScriptedEngine = .vouching()
  ) throws {
    (self.old, self.new) = (old, new)
    from = try FleetMemory.scripted(
      old, retryWindow: retryWindow, deadline: oldDeadline ?? deadline, localTable: localTable)
    to = try FleetMemory.scripted(new, retryWindow: retryWindow, deadline: deadline, localTable: localTable)
    host = try MovableFleet(from: from, to: to, until: Self.until)
  }

  /// Another host that has one of the fleets alone.
  func other(_ engine: ScriptedEngine, retryWindow: Int64 = 0) throws -> FleetMemory {
    try FleetMemory.scripted(ScriptedEngine(engine), retryWindow: retryWindow)
  }

  func ballots(_ engine: ScriptedEngine) -> [Ballot] { engine.nodes[0].asked.flatMap(\.batch.claims).map(\.ballot) }
}

@Suite struct MovableFleetTests {
  @Test func `both fleets are asked`() throws {
    let move = try Move()
    #expect(try move.host.spend(claim(1)) == .firstUse)
    #expect(try move.host.spend(claim(1)) == .alreadyUsed)
    let (old, new) = (move.ballots(move.old), move.ballots(move.new))
    #expect(old.count == 2 && new == [old[0]])
    #expect(move.from.reading(at: timeOfClaims).undecidedClaims == 0)
    #expect(move.to.reading(at: timeOfClaims).undecidedClaims == 0)
  }

  @Test func `what a host with one of them alone has used is refused, and the other way`() throws {
    let move = try Move()
    let (old, new) = (try move.other(move.old), try move.other(move.new))
    #expect(try old.spend(claim(1)) == .firstUse)
    #expect(try new.spend(claim(2)) == .firstUse)
    #expect(move.host.spend([claim(1), claim(2), claim(3)]) == [used, used, firstUse])
    #expect(try old.spend(claim(3)) == .alreadyUsed)
    #expect(try new.spend(claim(3)) == .alreadyUsed)
    // The new one was not asked about what the old one refuses.
    #expect(try new.spend(claim(1)) == .firstUse)
  }

  @Test func `what the new fleet cannot know is granted if it was issued before it vouched for anything`() throws {
    let move = try Move()
    for store in move.new.stores { store.forget(before: Move.until + 60) }
    #expect(
      move.host.spend([claim(1, issued: Move.until - 1), claim(2, issued: Move.until)]) == [firstUse, predates])
    #expect(try move.host.spend(claim(1, issued: Move.until - 1)) == .alreadyUsed)
    for store in move.old.stores { store.forget(before: Move.until + 60) }
    #expect(try move.host.spend(claim(3)) == .predatesMemory)
  }

  // MARK: faults

  @Test func `a fault of the new fleet is a fault, and the next try here is granted the token`() throws {
    let move = try Move(deadline: 100)
    for node in move.new.nodes { node.manner = .losesReplies }
    #expect(throws: Fault.replayMemoryUnavailable) { try move.host.spend(claim(1)) }
    for node in move.new.nodes { node.manner = .answers }
    #expect(try move.host.spend(claim(1)) == .firstUse)
    #expect(Set(move.ballots(move.old)).count == 1 && Set(move.ballots(move.new)).count == 1)
    let other = try move.other(move.old)
    #expect(try other.spend(claim(1)) == .alreadyUsed)
  }

  /// A ballot is kept by the fleet that was asked with it: two claims that wait at two desks do not both have it.
  @Test func `a fault at the last step lets one claim have the token, and not one at each fleet`() throws {
    let move = try Move(deadline: 100, oldDeadline: 1000)
    for node in move.new.nodes { node.manner = .losesReplies }
    let door = try move.host.makePendingClaims()
    // The second one joins the first.
    for number in [1, 2] as [UInt64] { door.add(claim(1), number: number) }
    door.send { _, _ in }
    for node in move.new.nodes { node.waitUntilAsked(1) }
    for node in move.old.nodes { node.manner = .waits }
    move.host.end(with: .to)
    #expect(ends(of: door)[1] == .failure(.replayMemoryUnavailable))
    // Its turn has come, and the old fleet is slow.
    for node in move.old.nodes { node.waitUntilAsked(2) }
    for node in move.new.nodes { node.manner = .answers }
    #expect(try move.host.spend(claim(1)) == .firstUse)
    for node in move.old.nodes { node.answer(1) }
    #expect(ends(of: door)[2] == used)
  }

  @Test func `a fault of the old fleet is a fault, and the new one is not asked`() throws {
    let move = try Move(deadline: 50, old: .vouching { $0.manner = .fails })
    #expect(throws: Fault.replayMemoryUnavailable) { try move.host.spend(claim(1)) }
    #expect(move.ballots(move.new) == [])
  }

  // MARK: a retired fleet

  @Test func `the new fleet alone is asked when a majority of the old one's nodes say that it is retired`() throws {
    let move = try Move(deadline: 100)
    for node in move.old.nodes.prefix(2) { node.manner = .fails }
    move.old.nodes[0].record.refused(.retired)
    // Another fleet's node is a mistake.
    move.old.nodes[1].record.refused(.otherFleet)
    #expect(throws: Fault.replayMemoryUnavailable) { try move.host.spend(claim(1)) }
    #expect(move.ballots(move.new) == [] && move.host.condition(at: timeOfClaims) != .usable)
    move.old.nodes[1].record.refused(.retired)
    #expect(move.host.condition(at: timeOfClaims) == .usable && move.host.nodeTroubles == nil)
    #expect(move.host.spend([claim(1), claim(1), claim(2)]) == [firstUse, used, firstUse])
    #expect(move.host.spend(Array(repeating: claim(3), count: 9)).filter { $0 == firstUse }.count == 1)
    for store in move.new.stores { store.forget(before: Move.until) }
    #expect(try move.host.spend(claim(4, issued: Move.until - 1)) == .predatesMemory)
  }

  @Test func `the new fleet's local table has the last word then, too`() throws {
    let folder = try TestFolder()
    let table = FleetOptions.LocalTable(path: folder.path("table"), capacity: 100)
    let move = try Move(deadline: 100, localTable: table)
    for node in move.old.nodes {
      node.isUp = false
      node.record.refused(.retired)
    }
    let now = Int64(Date().timeIntervalSince1970)
    #expect(try move.host.spend(claim(1, issued: now)) == .firstUse)
    for store in move.new.stores { store.forget(before: 0) }
    #expect(try move.host.spend(claim(1, issued: now)) == .alreadyUsed)
    #expect(
      move.from.reading(at: timeOfClaims).undecidedClaims + move.to.reading(at: timeOfClaims).undecidedClaims == 0)
  }

  @Test func `a fault of the new fleet is one, and its ballot is kept for the next try`() throws {
    let move = try Move(deadline: 100, new: .vouching { $0.manner = .losesReplies })
    for node in move.old.nodes { node.record.refused(.retired) }
    for node in move.old.nodes { node.isUp = false }
    #expect(throws: Fault.replayMemoryUnavailable) { try move.host.spend(claim(1)) }
    for node in move.new.nodes { node.manner = .answers }
    #expect(try move.host.spend(claim(1)) == .firstUse)
    #expect(move.ballots(move.old) == [])
  }

  // MARK: requests

  @Test func `a request is known in either fleet, and another one is refused`() throws {
    let move = try Move(retryWindow: 10_000)
    let (old, new) = (try move.other(move.old, retryWindow: 10_000), try move.other(move.new, retryWindow: 10_000))
    #expect(try old.spend(claim(1, request: "a")) == .firstUse)
    #expect(try new.spend(claim(2, request: "a")) == .firstUse)
    #expect(try move.host.spend(claim(1, request: "a")) == .retry)
    #expect(try move.host.spend(claim(2, request: "a")) == .retry)
    #expect(try move.host.spend(claim(1, request: "b")) == .alreadyUsed)
    #expect(try move.host.spend(claim(2, request: "b")) == .alreadyUsed)
    // It was granted to b meanwhile, by a host with the new fleet alone.
    #expect(try old.spend(claim(3, request: "a")) == .firstUse)
    #expect(try new.spend(claim(3, request: "b")) == .firstUse)
    #expect(try move.host.spend(claim(3, request: "a")) == .alreadyUsed)
  }

  // MARK: doors

  @Test func `one token on many connections is one question to each fleet`() throws {
    let move = try Move()
    let answers = move.host.spend(Array(repeating: claim(1), count: 100))
    #expect(answers.filter { $0 == firstUse }.count == 1 && answers.filter { $0 == used }.count == 99)
    #expect(move.ballots(move.old).count == 1 && move.ballots(move.new).count == 1)
  }

  @Test func `a door stays open while its host moves, and what is under way ends`() throws {
    let move = try Move()
    let host = try MovableFleet(move.from)
    let door = try host.makePendingClaims()
    #expect(answer(door, claim(1)) == firstUse)
    #expect(move.ballots(move.new) == [])
    host.join(move.to, until: Move.until)
    #expect(answer(door, claim(2)) == firstUse)
    let other = try move.other(move.new)
    #expect(try other.spend(claim(2)) == .alreadyUsed)
    for node in move.new.nodes { node.manner = .waits }
    door.add(claim(3), number: 3)
    door.send { _, _ in }
    for node in move.new.nodes { node.waitUntilAsked(2) }
    host.end(with: .to)
    for node in move.new.nodes {
      node.manner = .answers
      node.answer(1)
    }
    #expect(ends(of: door)[3] == firstUse)
    let asked = move.ballots(move.old).count
    #expect(answer(door, claim(4)) == firstUse)
    #expect(answer(door, claim(3)) == used)
    #expect(move.ballots(move.old).count == asked)
  }

  @Test func `a move that is given up leaves the old fleet`() throws {
    let move = try Move()
    move.host.end(with: .from)
    #expect(try move.host.spend(claim(1)) == .firstUse)
    #expect(move.ballots(move.new) == [])
  }

  @Test func `a task is answered by both`() async throws {
    let move = try Move()
    let answers = [try await move.host.spendLater(claim(1)), try await move.host.spendLater(claim(1))]
    #expect(answers == [firstUse, used])
    #expect(move.ballots(move.new).count == 1)
  }

  // MARK: the host's own table

  @Test func `the local table has the last word, after both`() throws {
    let folder = try TestFolder()
    let table = FleetOptions.LocalTable(path: folder.path("table"), capacity: 100)
    let move = try Move(deadline: 100, localTable: table, new: .vouching { $0.manner = .losesReplies })
    let now = Int64(Date().timeIntervalSince1970)
    #expect(throws: Fault.replayMemoryUnavailable) { try move.host.spend(claim(1, issued: now)) }
    for node in move.new.nodes { node.manner = .answers }
    #expect(try move.host.spend(claim(1, issued: now)) == .firstUse)
    #expect(Set(move.ballots(move.new)).count == 1)
    // As nodes that broke every one of their rules would.
    for store in move.old.stores + move.new.stores { store.forget(before: 0) }
    #expect(try move.host.spend(claim(1, issued: now)) == .alreadyUsed)
  }

  // MARK: looking after it

  @Test func `it is ready where both are`() throws {
    let down = ScriptedEngine(nodes: 3)
    let (good, oldDown, move) = (try Move(), try Move(old: down), try Move(new: down))
    #expect(good.host.condition(at: timeOfClaims) == .usable)
    #expect(oldDown.host.condition(at: timeOfClaims) == .nodesMissing(usable: 0, needed: 2))
    #expect(move.host.condition(at: timeOfClaims) == .nodesMissing(usable: 0, needed: 2))
    #expect(move.host.nodeTroubles?.hasPrefix("to test: node 1: ") == true)
    // Its end is not the end of what keeps tokens from being played.
    let warming = try Move(old: .vouching { Self.isWarming($0) }, new: down)
    #expect(warming.host.condition(at: timeOfClaims) == .nodesMissing(usable: 0, needed: 2))
  }

  private static func isWarming(_ node: ScriptedNode) {
    _ = node.record.connectionOpened(
      HandshakeResult(
        from: .max / 2000, clockOffsetSeconds: 0, isStarted: false, process: "process \(node.number)",
        timeline: nil))
  }

  @Test func `before the new fleet's floor what is issued now is granted`() throws {
    let late = ScriptedEngine(nodes: 3) { node in
      _ = node.record.connectionOpened(
        HandshakeResult(
          from: Move.until, clockOffsetSeconds: 0, isStarted: false, process: "process \(node.number)",
          timeline: nil))
    }
    let move = try Move(new: late)
    let before = Instant(millisecondsSinceEpoch: Move.until * 1000 - 1)
    #expect(move.to.condition(at: before) != .usable)
    #expect(move.host.condition(at: before) == .usable)
  }

  private func answer(_ door: any PendingClaims, _ claim: UseClaim) -> Result<UseOutcome, Fault>? {
    door.add(claim, number: 9)
    door.send { _, _ in }
    return ends(of: door)[9]
  }

  private func ends(of door: any PendingClaims) -> [UInt64: Result<UseOutcome, Fault>] {
    var answers: [UInt64: Result<UseOutcome, Fault>] = [:]
    for _ in 0..<1000 where answers.isEmpty {
      door.takeAnswers { answers[$0] = $1 }
      usleep(1000)
    }
    return answers
  }
}
