import Foundation
import Glibc
import MediaTokenReplay
import MediaTokenSystem
import Testing

@testable import MediaToken
@testable import MediaTokenFleet

@_silgen_name("fork") private func cFork() -> Int32

@Suite struct FleetMemoryTests {
  /// A fleet of three seats that vouch for everything.
  private static func memory(
    _ engine: ScriptedEngine = open(), retryWindow: Int64 = 0, greeting: Int = 1, deadline: Int = 50,
    localTable: FleetOptions.LocalTable? = nil
  ) throws -> FleetMemory {
    try FleetMemory(
      .scripted(seats: engine.stores.count, retryWindow: retryWindow, deadline: deadline, localTable: localTable),
      greetingMilliseconds: greeting
    ) { _, _ in engine }
  }

  /// Seats that have a lane as soon as they are made.
  private static func open(_ prepare: @escaping @Sendable (ScriptedSeat) -> Void = { _ in }) -> ScriptedEngine {
    ScriptedEngine(seats: 3) { seat in
      _ = seat.record.laneOpened(
        SeatRecord.Greeting(
          from: 0, high: 0, clockOffsetSeconds: 0, isBorn: false, process: "process \(seat.number)"))
      prepare(seat)
    }
  }

  private static let now = Instant(millisecondsSinceEpoch: 1_700_000_000_000)

  // MARK: spending

  @Test func `a token is used once`() throws {
    let memory = try Self.memory()
    #expect(try memory.spend(claim(1)) == .firstUse)
    #expect(try memory.spend(claim(1)) == .alreadyUsed)
  }

  @Test func `a spend ends with a fault at its deadline`() throws {
    let memory = try Self.memory(Self.open { $0.manner = .waits }, deadline: 5)
    #expect(throws: Fault.replayMemoryUnavailable) { try memory.spend(claim(1)) }
    #expect(memory.reading(at: Self.now).undecidedClaims == 1)
  }

  @Test(arguments: [0, 1, 64, 65, 130])
  func `many are spent together, and answered in order`(count: Int) throws {
    let engine = Self.open()
    let memory = try Self.memory(engine)
    _ = try memory.spend(claim(0))
    let answers = memory.spend((0..<count).map { claim(UInt64($0)) })
    #expect(answers == (0..<count).map { $0 == 0 ? used : firstUse })
    // One lane each was enough, and there are 64 to a batch.
    #expect(engine.seats.count == 3)
    #expect(engine.seats[0].asked.count == 1 + (count + 63) / 64)
  }

  @Test func `of many threads that spend the same tokens one wins each`() throws {
    let memory = try Self.memory()
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
    #expect(answered.current.count == 200)
    for answers in answered.current.values {
      // Where three asked at once, all may have been refused.
      #expect(answers.filter { $0 == firstUse }.count <= 1)
      #expect(answers.count == 8 && answers.allSatisfy { $0 == firstUse || $0 == used })
    }
    let wins = answered.current.values.filter { $0.contains(firstUse) }.count
    #expect(wins > 0)
    #expect(memory.reading(at: Self.now).undecidedClaims == 0)
  }

  @Test func `a thread's claims begin with lanes that were greeted`() throws {
    let engine = Self.open()
    let memory = try Self.memory(engine)
    let claims = try memory.makePendingClaims()
    #expect(engine.seats.count == 3)
    claims.add(claim(1), number: 5)
    var answers: [UInt64: Result<UseOutcome, Fault>] = [:]
    claims.send { answers[$0] = $1 }
    while answers.isEmpty { claims.takeAnswers { answers[$0] = $1 } }
    #expect(answers == [5: firstUse])
    _ = try memory.makePendingClaims()
    #expect(engine.seats.count == 6)
  }

  // MARK: two hosts

  @Test func `what one host used, another refuses`() throws {
    let engine = Self.open()
    let (one, other) = (try Self.memory(engine), try Self.memory(ScriptedEngine(engine)))
    #expect(try one.spend(claim(1)) == .firstUse)
    #expect(try other.spend(claim(1)) == .alreadyUsed)
  }

  @Test func `a request is known on another host, inside its window`() throws {
    let engine = Self.open()
    let (one, other) = (
      try Self.memory(engine, retryWindow: 2000), try Self.memory(ScriptedEngine(engine), retryWindow: 2000)
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
    let memory = try Self.memory()
    #expect(try memory.spend(claim(1, request: "r")) == .firstUse)
    #expect(try memory.spend(claim(1, request: "r")) == .alreadyUsed)
  }

  // MARK: the local table

  @Test func `what the local table knows is asked of no seat, but a retry is`() throws {
    let folder = try TestFolder()
    let engine = Self.open()
    let memory = try Self.memory(
      engine, retryWindow: 2000, localTable: FleetOptions.LocalTable(path: folder.path("table"), capacity: 100))
    let now = Int64(Date().timeIntervalSince1970)
    #expect(try memory.spend(claim(1, issued: now, request: "r")) == .firstUse)
    let asked = engine.seats[0].asked.count
    #expect(try memory.spend(claim(1, issued: now)) == .alreadyUsed)
    #expect(try memory.spend(claim(1, issued: now, request: "s")) == .alreadyUsed)
    #expect(engine.seats[0].asked.count == asked)
    #expect(try memory.spend(claim(1, issued: now, request: "r")) == .retry)
    #expect(engine.seats[0].asked.count == asked + 1)
  }

  @Test func `the local table is a second lock: it refuses where all seats have forgotten`() throws {
    let folder = try TestFolder()
    let engine = Self.open()
    let table = FleetOptions.LocalTable(path: folder.path("table"), capacity: 100)
    let now = Int64(Date().timeIntervalSince1970)
    let (one, other) = (
      try Self.memory(engine, localTable: table), try Self.memory(ScriptedEngine(engine), localTable: table)
    )
    #expect(try one.spend(claim(1, issued: now)) == .firstUse)
    // As seats that broke every rule of theirs would.
    for store in engine.stores { store.forget(before: 0) }
    #expect(try other.spend(claim(1, issued: now)) == .alreadyUsed)
  }

  @Test func `a token that no majority gave is not spent on this host`() throws {
    let folder = try TestFolder()
    let path = folder.path("table")
    let engine = Self.open { $0.manner = .fails }
    let memory = try Self.memory(engine, localTable: FleetOptions.LocalTable(path: path, capacity: 100))
    let now = Int64(Date().timeIntervalSince1970)
    #expect(throws: Fault.replayMemoryUnavailable) { try memory.spend(claim(1, issued: now)) }
    let table = try SharedReplayTable(opening: path, policy: .standard)
    #expect(try table.spend(claim(1, issued: now)) == .firstUse)
  }

  @Test func `a fault of the local table is the answer, and the next try goes on`() throws {
    let folder = try TestFolder()
    let memory = try Self.memory(
      localTable: FleetOptions.LocalTable(path: folder.path("table"), capacity: 100))
    let now = Int64(Date().timeIntervalSince1970)
    let table = try #require(memory.localTable)
    _ = try table.spend(claim(9, issued: now + 30, now: now + 30))
    // The table has seen a clock that is 30 s ahead.
    #expect(throws: Fault.replayMemoryUnavailable) { try memory.spend(claim(1, issued: now)) }
    #expect(memory.reading(at: Self.now).undecidedClaims == 1)
    #expect(try memory.spend(claim(1, issued: now, now: now + 30)) == .firstUse)
    #expect(try memory.spend(claim(1, issued: now, now: now + 30)) == .alreadyUsed)
  }

  @Test func `a local table without a capacity must be there`() throws {
    let folder = try TestFolder()
    let table = FleetOptions.LocalTable(path: folder.path("table"))
    #expect {
      try Self.memory(localTable: table)
    } throws: { error in
      guard case .localTable(let reason) = error as? FleetError else { return false }
      return reason.reason == .missing
    }
  }

  // MARK: opening

  @Test(arguments: [4, 1001, 0, -1]) func `a deadline out of its range is refused`(deadline: Int) throws {
    #expect(throws: FleetError.deadline(found: deadline)) { try Self.memory(deadline: deadline) }
  }

  @Test func `a wrong seat refuses to open, and is named`() throws {
    let engine = Self.open { seat in if seat.number == 2 { seat.record.refused(.replica) } }
    #expect(throws: FleetError.seat(2, address: "/seat2", .replica)) { try Self.memory(engine) }
  }

  @Test func `seats that are down, or have a wrong clock, do not keep a fleet from opening`() throws {
    let down = ScriptedEngine(seats: 3) { $0.isUp = false }
    let memory = try Self.memory(down)
    #expect(memory.fleetCondition(at: Self.now) == .seatsMissing(usable: 0, needed: 2))
    let off = Self.open { seat in if seat.number == 1 { seat.record.refused(.clock(offsetSeconds: 60)) } }
    #expect(try Self.memory(off).fleetCondition(at: Self.now) == .usable)
  }

  @Test func `only the fleet's own times are covered`() throws {
    let memory = try Self.memory()
    #expect(memory.excess(of: .standard) == nil)
    for (policy, setting) in [
      (try Policy(maxTTLMilliseconds: 3_599_999), "maxTTL"), (try Policy(maxTTLMilliseconds: 3_600_001), "maxTTL"),
      (try Policy(futureToleranceMilliseconds: 59_999), "futureTolerance"),
      (try Policy(expiryToleranceMilliseconds: 1), "expiryTolerance"),
    ] {
      #expect(memory.excess(of: policy)?.setting == setting)
      #expect(throws: FleetError.self) { try memory.reopened(for: policy) }
    }
    // What does not matter to seats may differ.
    #expect(memory.excess(of: try Policy(unknownFields: .reject)) == nil)
  }

  // MARK: maintaining

  @Test func `words of ended tokens are forgotten`() throws {
    let memory = try Self.memory(Self.open { $0.manner = .losesReplies }, deadline: 5)
    #expect(throws: Fault.self) { try memory.spend(claim(1)) }
    try memory.maintain(at: Instant(millisecondsSinceEpoch: 1_700_000_299_999))
    #expect(memory.reading(at: Self.now).undecidedClaims == 1)
    try memory.maintain(at: Instant(millisecondsSinceEpoch: 1_700_000_300_000))
    #expect(memory.reading(at: Self.now).undecidedClaims == 0)
  }

  @Test func `lanes that nobody uses are cared for`() throws {
    let engine = Self.open()
    let memory = try Self.memory(engine)
    engine.seats[0].say([], to: 99)
    try memory.maintain(at: Self.now)
    #expect(memory.reading(at: Self.now).seats[0].replies[.late] == 0)
    #expect(engine.seats[0].nextDeadline == nil)
  }

  @Test func `a retired local table is a fault of maintenance`() throws {
    let folder = try TestFolder()
    let memory = try Self.memory(
      localTable: FleetOptions.LocalTable(path: folder.path("table"), capacity: 100))
    try memory.maintain(at: .now)
    memory.localTable?.retire()
    #expect(throws: Fault.replayMemoryUnavailable) { try memory.maintain(at: .now) }
  }

  // MARK: forks

  /// A child shares its parent's connections and would make its words: it must use neither.
  @Test func `a forked child asks no seat and keeps no word, and its parent goes on`() throws {
    let engine = Self.open()
    let memory = try Self.memory(engine)
    let claims = try memory.makePendingClaims()
    for seat in engine.seats { seat.manner = .losesReplies }
    claims.add(claim(1), number: 1)
    claims.send { _, _ in Issue.record("expected no answer yet") }
    let child = cFork()
    if child == 0 {
      // Nothing that takes a lock of the parent's: another thread may have held it.
      var problems: Int32 = 0
      if (try? memory.spend(claim(2))) != nil { problems |= 1 }
      if memory.spend([claim(2)]) != [unavailable] { problems |= 2 }
      claims.add(claim(2), number: 2)
      var answers: [UInt64: Result<UseOutcome, Fault>] = [:]
      claims.send { answers[$0] = $1 }
      claims.takeAnswers { answers[$0] = $1 }
      if answers != [1: unavailable, 2: unavailable] { problems |= 4 }
      if memory.fleet.undecided.number != 0 { problems |= 8 }
      if engine.stores[0].answer(engine.seats[0].asked[0].batch.claims[0]) == .new { problems |= 16 }
      if engine.seats[0].asked.count != 1 { problems |= 32 }
      if memory.fleetCondition(at: Self.now) != .seatsMissing(usable: 0, needed: 2) { problems |= 64 }
      _exit(problems)
    }
    var status: Int32 = -1
    #expect(unsafe waitpid(child, &status, 0) == child)
    #expect(status == 0)
    var answer: Result<UseOutcome, Fault>?
    while answer == nil { claims.takeAnswers { answer = $1 } }
    #expect(answer == unavailable)
    for seat in engine.seats { seat.manner = .answers }
    #expect(try memory.spend(claim(1)) == .firstUse)
  }

  @Test func `after a fork the fleet is opened anew, without the parent's words`() throws {
    let engine = Self.open { $0.manner = .losesReplies }
    let memory = try Self.memory(engine, deadline: 5)
    #expect(throws: Fault.self) { try memory.spend(claim(1)) }
    let again = try memory.reopened(for: .standard)
    #expect(again.reading(at: Self.now).undecidedClaims == 0)
    #expect(engine.seats.count == 6)
  }
}

/// A folder of a test's own.
final class TestFolder {
  private let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/mediatoken-fleet-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func path(_ name: String) -> String { folder + "/" + name }
}
