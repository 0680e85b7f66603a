import Foundation
import Glibc
import MediaTokenSystem
import Testing

@testable import MediaToken

/// Spending in a fleet that is open.
@Suite struct FleetMemoryTests {
  // MARK: spending

  @Test func `a token is used once`() throws {
    let memory = try FleetMemory.scripted()
    #expect(try memory.spend(claim(1)) == .firstUse)
    #expect(try memory.spend(claim(1)) == .alreadyUsed)
  }

  @Test func `a spend ends with a fault at its deadline`() throws {
    // A busy machine may have to ask within it.
    let memory = try FleetMemory.scripted(ScriptedEngine.vouching { $0.manner = .waits }, deadline: 200)
    #expect(throws: Fault.replayMemoryUnavailable) { try memory.spend(claim(1)) }
    #expect(memory.reading(at: timeOfClaims).undecidedClaims == 1)
  }

  @Test(arguments: [0, 1, 64, 65, 130])
  func `many are spent together, and answered in order`(count: Int) throws {
    let engine = ScriptedEngine.vouching()
    let memory = try FleetMemory.scripted(engine)
    _ = try memory.spend(claim(0))
    let answers = memory.spend((0..<count).map { claim(UInt64($0)) })
    #expect(answers == (0..<count).map { $0 == 0 ? used : firstUse })
    // There are 64 to a batch.
    #expect(engine.nodes.count == 3)
    #expect(engine.nodes[0].asked.count == 1 + (count + 63) / 64)
  }

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

  @Test func `the doors of all threads lead to the same nodes`() throws {
    let engine = ScriptedEngine.vouching()
    let memory = try FleetMemory.scripted(engine)
    let doors = try (0..<3).map { _ in try memory.makePendingClaims() }
    for (number, claims) in doors.enumerated() {
      claims.add(claim(1), number: 5)
      var answers: [UInt64: Result<UseOutcome, Fault>] = [:]
      claims.send { answers[$0] = $1 }
      var events: [Poller.Event] = []
      let poller = try Poller()
      try poller.add(claims.descriptor, .reading, as: 1)
      while answers.isEmpty {
        _ = poller.wait(milliseconds: nil, &events)
        claims.takeAnswers { answers[$0] = $1 }
      }
      #expect(answers == [5: number == 0 ? firstUse : used])
    }
    #expect(engine.nodes.count == 3)
  }

  // MARK: two hosts

  @Test func `what one host used, another refuses`() throws {
    let engine = ScriptedEngine.vouching()
    let (one, other) = (try FleetMemory.scripted(engine), try FleetMemory.scripted(ScriptedEngine(engine)))
    #expect(try one.spend(claim(1)) == .firstUse)
    #expect(try other.spend(claim(1)) == .alreadyUsed)
  }

  @Test func `a request is known on another host, inside its window`() throws {
    let engine = ScriptedEngine.vouching()
    let (one, other) = (
      try FleetMemory.scripted(engine, retryWindow: 2000),
      try FleetMemory.scripted(ScriptedEngine(engine), retryWindow: 2000)
    )
    #expect(try one.spend(claim(1, request: "r")) == .firstUse)
    for memory in [one, other] {
      #expect(try memory.spend(claim(1, request: "r")) == .retry)
      #expect(try memory.spend(claim(1, now: 1_700_000_001, request: "r")) == .retry)
      #expect(try memory.spend(claim(1, now: 1_700_000_002, request: "r")) == .alreadyUsed)
      #expect(try memory.spend(claim(1, request: "s")) == .alreadyUsed)
      #expect(try memory.spend(claim(1, request: "r", uid: 1)) == .alreadyUsed)
      #expect(try memory.spend(claim(1)) == .alreadyUsed)
    }
  }

  @Test func `without a window the same request is used`() throws {
    let memory = try FleetMemory.scripted()
    #expect(try memory.spend(claim(1, request: "r")) == .firstUse)
    #expect(try memory.spend(claim(1, request: "r")) == .alreadyUsed)
  }

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
