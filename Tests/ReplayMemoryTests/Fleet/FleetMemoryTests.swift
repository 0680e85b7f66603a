import Foundation
import MediaTokenSystem
import Testing

@testable import MediaToken

/// Spending in a fleet that is open.
@Suite struct FleetMemoryTests {
  // MARK: spending

  @Test func `of many threads that spend the same tokens one wins each`() throws {
    let memory = try FleetMemory.scripted()
    let answered = Monitor<[UInt64: [Result<UseOutcome, Fault>]]>([:])
    let threads = try (0..<8).map { thread in
      try WorkerThread {
        for number in 0..<200 as Range<UInt64> {
          // Half of them in batches.
          let answer =
            thread % 2 == 0
            ? Result { () throws(Fault) in try memory.spend(claim(number)) } : memory.spend([claim(number)])[0]
          answered.change { $0[number, default: []].append(answer) }
        }
      }
    }
    for thread in threads { thread.join() }
    for answers in answered.current.values {
      // Where three asked at once, all may have been refused.
      #expect(answers.filter { $0 == firstUse }.count <= 1)
      #expect(answers.allSatisfy { $0 == firstUse || $0 == used })
    }
    let wins = answered.current.values.filter { $0.contains(firstUse) }.count
    #expect(wins > 0)
    #expect(memory.reading(at: timeOfClaims).undecidedClaims == 0)
  }

  // MARK: two hosts

  // MARK: the local table

  @Test func `what the local table knows is asked of no node, but a retry is`() throws {
    let folder = try TestFolder()
    let engine = ScriptedEngine.vouching()
    let memory = try FleetMemory.scripted(
      engine, retryWindow: 2000, localTable: FleetOptions.LocalTable(path: folder.path("table"), capacity: 100))
    let now = Int64(Date().timeIntervalSince1970)
    #expect(try memory.spend(claim(1, issued: now, request: "r")) == .firstUse)
    let asked = engine.nodes[0].asked.count
    #expect(try memory.spend(claim(1, issued: now)) == .alreadyUsed)
    #expect(try memory.spend(claim(1, issued: now, request: "s")) == .alreadyUsed)
    #expect(engine.nodes[0].asked.count == asked)
    #expect(try memory.spend(claim(1, issued: now, request: "r")) == .retry)
    #expect(engine.nodes[0].asked.count == asked + 1)
  }

  @Test func `the local table is a second lock: it refuses where all nodes have forgotten`() throws {
    let folder = try TestFolder()
    let engine = ScriptedEngine.vouching()
    let table = FleetOptions.LocalTable(path: folder.path("table"), capacity: 100)
    let (one, other) = (
      try FleetMemory.scripted(engine, localTable: table),
      try FleetMemory.scripted(ScriptedEngine(engine), localTable: table)
    )
    let now = Int64(Date().timeIntervalSince1970)
    #expect(try one.spend(claim(1, issued: now)) == .firstUse)
    // As nodes that broke every one of their rules would.
    for store in engine.stores { store.forget(before: 0) }
    #expect(try other.spend(claim(1, issued: now)) == .alreadyUsed)
  }

  @Test func `a token that no majority gave is not spent on this host`() throws {
    let folder = try TestFolder()
    let path = folder.path("table")
    let engine = ScriptedEngine.vouching { $0.manner = .fails }
    let memory = try FleetMemory.scripted(engine, localTable: FleetOptions.LocalTable(path: path, capacity: 100))
    let now = Int64(Date().timeIntervalSince1970)
    #expect(throws: Fault.replayMemoryUnavailable) { try memory.spend(claim(1, issued: now)) }
    let table = try SharedReplayTable(opening: path, policy: .standard)
    #expect(try table.spend(claim(1, issued: now)) == .firstUse)
  }

  @Test func `a fault of the local table is the answer, and the next try goes on`() throws {
    let folder = try TestFolder()
    let memory = try FleetMemory.scripted(
      localTable: FleetOptions.LocalTable(path: folder.path("table"), capacity: 100))
    let now = Int64(Date().timeIntervalSince1970)
    let table = try #require(memory.localTable)
    _ = try table.spend(claim(9, issued: now + 30, now: now + 30))
    // The table has seen a clock that is 30 s ahead.
    #expect(throws: Fault.replayMemoryUnavailable) { try memory.spend(claim(1, issued: now)) }
    #expect(memory.reading(at: timeOfClaims).undecidedClaims == 1)
    #expect(try memory.spend(claim(1, issued: now, now: now + 30)) == .firstUse)
    #expect(try memory.spend(claim(1, issued: now, now: now + 30)) == .alreadyUsed)
  }

  @Test func `a local table without a capacity must be there`() throws {
    let folder = try TestFolder()
    let table = FleetOptions.LocalTable(path: folder.path("table"))
    #expect(throws: TableProblem.missing.of(table: table.path)) { try FleetMemory.scripted(localTable: table) }
  }
}
