import MediaTokenSystem
import Testing

@testable import MediaToken

/// Claims of tasks, and of callers that wait, at the desk of a process.
@Suite struct TaskDoorTests {
  private func end(
    _ spend: (UseClaim) async throws(Refusal) -> Result<UseOutcome, Fault>, _ claim: UseClaim
  ) async -> Result<UseOutcome, Refusal> {
    do throws(Refusal) {
      return try await spend(claim).mapError(Refusal.undecided)
    } catch {
      return .failure(error)
    }
  }

  /// A task's claim, which waits in the line until the test does a turn: time passes only then.
  private func spend(_ claim: UseClaim, in fleet: ScriptedFleet) async throws -> Task<
    Result<UseOutcome, Refusal>, Never
  > {
    let (desk, before) = (fleet.desk, fleet.undecided)
    let task = Task { await end(desk.askLater, claim) }
    try await wait { desk.undecided == before + 1 }
    return task
  }

  /// The nodes' answers to what waits.
  private func answer(_ fleet: ScriptedFleet) {
    let time = fleet.lastCame
    fleet.turn(at: time)
    fleet.turn(at: time)
  }

  /// Waits for what other tasks are about to do.
  private func wait(until isSo: () -> Bool) async throws {
    while !isSo() { try await Task.sleep(for: .milliseconds(1)) }
  }

  /// Nodes that can be asked.
  private func fleet(_ localTable: FleetOptions.LocalTable? = nil) throws -> ScriptedFleet {
    let fleet = try ScriptedFleet(nodes: 3, deadline: 1000, localTable: localTable)
    fleet.turn(at: 0)
    return fleet
  }

  @Test func `a token is used once, and the tasks of a turn share a batch`() async throws {
    let fleet = try fleet()
    let desk = fleet.desk
    let answers = try await withThrowingTaskGroup(of: Result<UseOutcome, Refusal>.self) { group in
      for number in 0..<130 { group.addTask { await end(desk.askLater, claim(UInt64(number % 65))) } }
      try await wait { desk.undecided == 130 }
      answer(fleet)
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.filter { $0 == .success(.firstUse) }.count == 65)
    #expect(answers.filter { $0 == .success(.alreadyUsed) }.count == 65)
    #expect(fleet.nodes[0].asked.map(\.batch.claims.count) == [64, 1])
  }

  // MARK: cancelling

  @Test func `a task that is cancelled while its claim waits in the line leaves its token unused`() async throws {
    let fleet = try fleet()
    let task = try await spend(claim(1), in: fleet)
    task.cancel()
    #expect(await task.value == .failure(.cancelled))
    #expect(fleet.undecided == 0)
    answer(fleet)
    #expect(fleet.nodes.allSatisfy { $0.asked.isEmpty })
    let next = try await spend(claim(1), in: fleet)
    answer(fleet)
    #expect(await next.value == .success(.firstUse))
  }

  @Test func `a task that is cancelled after its claim was sent goes at once, and its token is used`() async throws
  {
    let fleet = try fleet()
    let task = try await spend(claim(1), in: fleet)
    fleet.turn(at: fleet.lastCame)
    #expect(fleet.nodes.map(\.asked.count) == [1, 1, 1])
    task.cancel()
    #expect(await task.value == .failure(.cancelled))
    #expect(fleet.undecided == 1)
    // It joins the one that is asked.
    let next = try await spend(claim(1), in: fleet)
    answer(fleet)
    #expect(await next.value == .success(.alreadyUsed))
    #expect(fleet.undecided == 0 && fleet.nodes.map(\.asked.count) == [1, 1, 1])
  }

  /// The first use of a task that has left must be one of this host's table, too.
  @Test func `the token of a task that has left is used in the local table as well`() async throws {
    let folder = try TestFolder()
    let path = folder.path("table")
    let fleet = try fleet(FleetOptions.LocalTable(path: path, capacity: 100))
    let token = claim(1, issued: Instant.now.millisecondsSinceEpoch / 1000)
    let task = try await spend(token, in: fleet)
    fleet.turn(at: fleet.lastCame)
    task.cancel()
    #expect(await task.value == .failure(.cancelled))
    answer(fleet)
    #expect(fleet.undecided == 0)
    let table = try SharedReplayTable(opening: path, policy: .standard)
    #expect(try table.spend(token) == .alreadyUsed)
  }

  /// Whatever is cancelled when, no token is granted twice, and every task ends.
  @Test func `of 6,000 tasks half of which are cancelled each token is granted once at most`() async throws {
    let memory = try FleetMemory.scripted()
    var granted: [UInt64: Int] = [:]
    var ended = 0
    let tasks = (0..<6_000).map { number in
      let token = UInt64(number % 600)
      let task = Task { (token, await end(memory.spendLater, claim(token))) }
      if number % 4 == 0 { task.cancel() }
      return task
    }
    for (number, task) in tasks.enumerated() where number % 4 == 1 {
      await Task.yield()
      task.cancel()
    }
    for task in tasks {
      let (token, answer) = await task.value
      ended += 1
      if answer == .success(.firstUse) { granted[token, default: 0] += 1 }
    }
    #expect(ended == 6_000)
    #expect(granted.values.allSatisfy { $0 == 1 })
    // A token that was granted to no one who waited is still not granted twice now.
    for token in 0..<600 as Range<UInt64> {
      let answers = [await end(memory.spendLater, claim(token)), await end(memory.spendLater, claim(token))]
      let later = answers.filter { $0 == .success(.firstUse) }.count
      #expect(later + granted[token, default: 0] <= 1)
    }
  }

  // MARK: every order

  /// What can happen to a task's claim.
  private enum Step: CaseIterable {
    case suspend, cancel
    /// The desk takes the claim, unless its task has left.
    case take
    /// The first end, and one more, which a broken desk would give.
    case end, endAgain
  }

  private static func orders(_ steps: [Step]) -> [[Step]] {
    if steps.isEmpty { return [[]] }
    return steps.indices.flatMap { index in
      var rest = steps
      let step = rest.remove(at: index)
      return orders(rest).map { [step] + $0 }
    }
  }

  @Test(arguments: [
    Result<UseOutcome, Fault>.success(.firstUse), .success(.alreadyUsed), .failure(.replayMemoryFull),
  ])
  func `in every order of cancelling and answering a task is resumed once, with the first of them`(
    _ answer: Result<UseOutcome, Fault>
  ) async {
    var seen = 0
    for steps in [Step.allCases, Step.allCases.filter { $0 != .cancel }] {
      for order in Self.orders(steps) {
        // The desk is asked once the task is suspended, and ends what it has taken.
        let places = [Step.suspend, .take, .end, .endAgain].compactMap { order.firstIndex(of: $0) }
        guard places == places.sorted() else { continue }
        seen += 1
        let cancelled = order.firstIndex(of: .cancel)
        let door = TaskDoor()
        var (isTaken, isWanted, given) = (false, [Bool](), UInt64?.none)
        let end = await withCheckedContinuation { continuation in
          var isSuspended = false
          for step in order {
            switch step {
            case .suspend: isSuspended = door.suspend(continuation)
            case .cancel: given = door.leave()
            case .take: isTaken = isSuspended && door.takes(0, as: 7)
            case .end: if isTaken { isWanted.append(door.put(ClaimEnd(door: door, name: 0, result: answer))) }
            case .endAgain:
              if isTaken { isWanted.append(door.put(ClaimEnd(door: door, name: 0, result: .success(.firstUse)))) }
            }
          }
        }
        let isCancelledFirst = cancelled.map { $0 < places[2] } == true
        #expect(end?.result == (isCancelledFirst ? nil : answer), "\(order)")
        // Cancelled before it was taken: its token is unused. After that the claim is to be given up, if that can be.
        #expect(isTaken == (cancelled.map { $0 > places[1] } ?? true), "\(order)")
        #expect(given == (isTaken && isCancelledFirst ? 7 : nil), "\(order)")
        #expect(isWanted == (isTaken ? [!isCancelledFirst, false] : []), "\(order)")
      }
    }
    #expect(seen == 6)
  }

  // MARK: callers that wait

  @Test func `of one token twice in a batch the second takes what follows, with a local table too`() throws {
    let folder = try TestFolder()
    let memory = try FleetMemory.scripted(
      localTable: FleetOptions.LocalTable(path: folder.path("table"), capacity: 100))
    let token = claim(1, issued: Instant.now.millisecondsSinceEpoch / 1000)
    // One that waited for its own deadline would end with a fault.
    #expect(memory.spend([token, token, token]) == [firstUse, used, used])
    #expect(memory.spend([token]) == [used])
  }
}
