import Glibc
import MediaTokenSystem
import Testing

@testable import MediaToken

@_silgen_name("fork") private func cFork() -> Int32

/// A fleet is opened, maintained, and opened again in a forked child.
@Suite struct FleetLifeTests {
  // MARK: opening

  @Test(arguments: [4, 1001, 0, -1]) func `a deadline out of its range is refused`(deadline: Int) throws {
    let problem = #expect(throws: Problem.self) { try FleetMemory.scripted(deadline: deadline) }
    #expect(problem?.fact == "expected a deadline of 5 to 1000 ms, found \(deadline)")
  }

  @Test func `a wrong node refuses to open, and is named`() throws {
    let engine = ScriptedEngine.vouching { node in if node.number == 2 { node.record.refused(.replica) } }
    #expect(throws: Problem.node(2, address: "/node2", .replica)) { try FleetMemory.scripted(engine) }
  }

  @Test func `nodes that are down, or have a wrong clock, do not keep a fleet from opening`() throws {
    let down = ScriptedEngine(nodes: 3) { $0.isUp = false }
    let memory = try FleetMemory.scripted(down)
    #expect(memory.condition(at: timeOfClaims) == .nodesMissing(usable: 0, needed: 2))
    let off = ScriptedEngine.vouching { node in
      if node.number == 1 { node.record.refused(.clock(offsetSeconds: 60)) }
    }
    #expect(try FleetMemory.scripted(off).condition(at: timeOfClaims) == .usable)
  }

  @Test func `only the fleet's own times are covered`() throws {
    let memory = try FleetMemory.scripted()
    #expect(memory.excess(of: .standard) == nil)
    for (policy, setting) in [
      (try Policy(maxTTLMilliseconds: 3_599_999), "maxTTL"), (try Policy(maxTTLMilliseconds: 3_600_001), "maxTTL"),
      (try Policy(futureToleranceMilliseconds: 59_999), "futureTolerance"),
      (try Policy(expiryToleranceMilliseconds: 1), "expiryTolerance"),
    ] {
      #expect(memory.excess(of: policy)?.setting == setting)
      let problem = #expect(throws: Problem.self) { try memory.reopenedAfterFork(policy: policy) }
      #expect(problem?.fact.hasPrefix("expected a \(setting) of ") == true)
    }
    #expect(memory.tolerances.excess(of: .standard) == nil)
    // What does not matter to nodes may differ.
    #expect(memory.excess(of: try TokenPolicy(maxLifetime: .seconds(3600), unknownFields: .reject)) == nil)
  }

  @Test func `its readings are the fleet's, and those of its local table`() throws {
    let folder = try TestFolder()
    let memory: any Store = try FleetMemory.scripted(
      ScriptedEngine(nodes: 3) { $0.isUp = false },
      localTable: FleetOptions.LocalTable(path: folder.path("table"), capacity: 50))
    let readings = memory.readings(at: timeOfClaims)
    guard case .fleet(let reading)? = readings.first else {
      Issue.record("there is no reading of the fleet")
      return
    }
    #expect(reading.votesNeeded == 2 && reading.nodes.map(\.number) == [1, 2, 3])
    #expect(reading.nodes.map(\.address) == ["/node1", "/node2", "/node3"])
    #expect(reading.nodes.map(\.state) == [.down, .down, .down])
    #expect(readings.contains(.capacity(50)))
  }

  // MARK: maintaining

  @Test func `ballots of ended tokens are forgotten`() throws {
    let memory = try FleetMemory.scripted(ScriptedEngine.vouching { $0.manner = .losesReplies }, deadline: 200)
    #expect(throws: Fault.self) { try memory.spend(claim(1)) }
    try memory.maintain(at: Instant(millisecondsSinceEpoch: 1_700_000_299_999))
    #expect(memory.reading(at: timeOfClaims).undecidedClaims == 1)
    try memory.maintain(at: Instant(millisecondsSinceEpoch: 1_700_000_300_000))
    #expect(memory.reading(at: timeOfClaims).undecidedClaims == 0)
  }

  @Test func `a retired local table is a fault of maintenance`() throws {
    let folder = try TestFolder()
    let memory = try FleetMemory.scripted(
      localTable: FleetOptions.LocalTable(path: folder.path("table"), capacity: 100))
    try memory.maintain(at: .now)
    memory.localTable?.retire()
    #expect(throws: Fault.replayMemoryUnavailable) { try memory.maintain(at: .now) }
  }

  // MARK: forks

  /// A child shares its parent's connections and would make its ballots: it must use neither.
  ///
  /// In a process of its own: a child has copies of all descriptors, and other tests wait until theirs are closed.
  @Test func `a forked child asks no node and keeps no ballot, and its parent goes on`() async {
    await #expect(processExitsWith: .success) {
      let (engine, memory, claims) = try FleetLifeTests.askedOnce()
      // Swift makes types when they are first used, under locks that other threads may hold at the fork: they are made before.
      let (otherEngine, otherMemory, otherClaims) = try FleetLifeTests.askedOnce()
      #expect(FleetLifeTests.problems(of: otherMemory, otherClaims, otherEngine) != 0)
      #expect(FleetLifeTests.statusOfChild { FleetLifeTests.problems(of: memory, claims, engine) } == 0)
      var answer: Result<UseOutcome, Fault>?
      while answer == nil { claims.takeAnswers { answer = $1 } }
      #expect(answer == unavailable)
      for node in engine.nodes { node.manner = .answers }
      // Nodes that were silent are waited for 5 ms only, which a busy machine may need for itself.
      var outcome: UseOutcome?
      while outcome == nil { outcome = try? memory.spend(claim(1)) }
      #expect(outcome == .firstUse)
    }
  }

  /// How a forked child that runs `body` ends. One that waits for a lock that was held at the fork never ends: another is
  /// forked then, as the lock's owner goes on in the parent.
  private static func statusOfChild(_ body: () -> Int32) -> Int32? {
    for _ in 0..<5 {
      let child = cFork()
      if child == 0 { _exit(body()) }
      var status: Int32 = -1
      for _ in 0..<2000 {
        if unsafe waitpid(child, &status, WNOHANG) == child { return status }
        WorkerThread.sleep(milliseconds: 10)
      }
      kill(child, SIGKILL)
      _ = unsafe waitpid(child, &status, 0)
    }
    return nil
  }

  /// A memory with one claim that waits for nodes whose replies are lost.
  private static func askedOnce() throws -> (ScriptedEngine, FleetMemory, any PendingClaims) {
    let engine = ScriptedEngine.vouching()
    let memory = try FleetMemory.scripted(engine)
    let claims = try memory.makePendingClaims()
    for node in engine.nodes { node.manner = .losesReplies }
    claims.add(claim(1), number: 1)
    claims.send { _, _ in Issue.record("expected no answer yet") }
    for node in engine.nodes { node.waitUntilAsked(1) }
    return (engine, memory, claims)
  }

  /// What a child does that it must not, as bits.
  private static func problems(
    of memory: FleetMemory, _ claims: any PendingClaims, _ engine: ScriptedEngine
  ) -> Int32 {
    var problems: Int32 = 0
    if (try? memory.spend(claim(2))) != nil { problems |= 1 }
    if memory.spend([claim(2)]) != [unavailable] { problems |= 2 }
    claims.add(claim(2), number: 2)
    var answers: [UInt64: Result<UseOutcome, Fault>] = [:]
    claims.send { answers[$0] = $1 }
    claims.takeAnswers { answers[$0] = $1 }
    if answers != [1: unavailable, 2: unavailable] { problems |= 4 }
    if memory.reading(at: timeOfClaims).undecidedClaims != 0 { problems |= 8 }
    if engine.stores[0].answer(engine.nodes[0].asked[0].batch.claims[0]) == .new { problems |= 16 }
    if engine.nodes[0].asked.count != 1 { problems |= 32 }
    if memory.condition(at: timeOfClaims) != .nodesMissing(usable: 0, needed: 2) { problems |= 64 }
    return problems
  }

  @Test func `after a fork the fleet is opened again, without the parent's ballots`() throws {
    let engine = ScriptedEngine.vouching { $0.manner = .losesReplies }
    let memory = try FleetMemory.scripted(engine, deadline: 200)
    #expect(throws: Fault.self) { try memory.spend(claim(1)) }
    #expect(memory.reading(at: timeOfClaims).undecidedClaims == 1)
    let again = try memory.reopenedAfterFork(policy: .standard)
    #expect(again.reading(at: timeOfClaims).undecidedClaims == 0)
    #expect(engine.nodes.count == 6)
  }
}
