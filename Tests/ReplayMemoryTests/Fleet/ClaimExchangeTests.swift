import MediaTokenSystem
import Testing

@testable import MediaToken

/// Claims of tasks at a fleet.
@Suite struct ClaimExchangeTests {
  private func end(_ exchange: ClaimExchange, _ claim: UseClaim) async -> Result<UseOutcome, Refusal> {
    do throws(Refusal) {
      return try await exchange.spend(claim).mapError(Refusal.undecided)
    } catch {
      return .failure(error)
    }
  }

  @Test func `a token is used once, and the tasks of a turn share a batch`() async throws {
    let engine = ScriptedEngine.vouching()
    let exchange = try ClaimExchange(FleetMemory.scripted(engine))
    let answers = await withTaskGroup(of: Result<UseOutcome, Refusal>.self) { group in
      for number in 0..<400 { group.addTask { await end(exchange, claim(UInt64(number % 200))) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.filter { $0 == .success(.firstUse) }.count == 200)
    #expect(answers.filter { $0 == .success(.alreadyUsed) }.count == 200)
    // One set of connections: those that opening the fleet made.
    #expect(engine.seats.count == 3)
    #expect(engine.seats[0].asked.count < 400)
  }

  @Test func `what is undecided at the deadline is a fault`() async throws {
    let engine = ScriptedEngine.vouching { $0.manner = .losesReplies }
    let exchange = try ClaimExchange(FleetMemory.scripted(engine, deadline: 5))
    #expect(await end(exchange, claim(1)) == .failure(.undecided(.replayMemoryUnavailable)))
  }

  /// A memory that is asked and never answers.
  private final class SilentMemory: Store {
    let asked = Monitor(0)
    func spend(_ claim: UseClaim) throws(Fault) -> UseOutcome { throw .internalFault }
    func makePendingClaims() throws(Fault) -> any PendingClaims { Claims(asked) }

    private final class Claims: PendingClaims {
      private let poller = try! Poller()
      private let asked: Monitor<Int>

      init(_ asked: Monitor<Int>) { self.asked = asked }
      var descriptor: Int32 { poller.descriptor }
      func add(_ claim: UseClaim, number: UInt64, of caller: ClaimCaller) { asked.change { $0 += 1 } }
      func withdraw(_ number: UInt64) -> Bool { false }
      func send(_ body: (UInt64, Result<UseOutcome, Fault>) -> Void) {}
      func takeAnswers(_ body: (UInt64, Result<UseOutcome, Fault>) -> Void) {}
    }
  }

  @Test func `a task that is cancelled while it waits goes at once, and its claim stays made`() async throws {
    let memory = SilentMemory()
    let exchange = try ClaimExchange(memory)
    let task = Task { await end(exchange, claim(1)) }
    while memory.asked.current == 0 { try await Task.sleep(for: .milliseconds(1)) }
    task.cancel()
    #expect(await task.value == .failure(.cancelled))
  }

  /// Whatever is cancelled when, no token is granted twice, and every task ends.
  @Test func `of a thousand tasks that are cancelled at random each token is granted once at most`() async throws {
    let exchange = try ClaimExchange(FleetMemory.scripted(deadline: 50))
    var granted: [UInt64: Int] = [:]
    var ended = 0
    let tasks = (0..<1000).map { number in
      let token = UInt64(number % 100)
      let task = Task { (token, await end(exchange, claim(token))) }
      if Bool.random() { task.cancel() }
      return task
    }
    for task in tasks where Bool.random() {
      await Task.yield()
      task.cancel()
    }
    for task in tasks {
      let (token, answer) = await task.value
      ended += 1
      if answer == .success(.firstUse) { granted[token, default: 0] += 1 }
    }
    #expect(ended == 1000)
    #expect(granted.values.allSatisfy { $0 == 1 })
    // A token that was granted to no one who waited is still not granted twice now.
    for token in 0..<100 as Range<UInt64> {
      let answers = [await end(exchange, claim(token)), await end(exchange, claim(token))]
      let later = answers.filter { $0 == .success(.firstUse) }.count
      #expect(later + granted[token, default: 0] <= 1)
    }
  }

  // MARK: every order

  /// What can happen to a claim that waits.
  private enum Step: CaseIterable {
    /// The task is suspended, and the thread may take its claim.
    case suspend
    case cancel
    /// The thread sends the claim, unless no one waits for it.
    case send
    /// The first answer, and one more, which a broken thread would give.
    case answer, answerAgain
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
        // The thread knows a claim once its task is suspended, and answers what it has sent.
        guard let suspended = order.firstIndex(of: .suspend), let sent = order.firstIndex(of: .send),
          let answered = order.firstIndex(of: .answer), let again = order.firstIndex(of: .answerAgain),
          suspended < sent, sent < answered, answered < again
        else { continue }
        seen += 1
        let cancelled = order.firstIndex(of: .cancel)
        let waiter = ClaimWaiter(claim(1), number: 1)
        var isSent = false
        let end = await withCheckedContinuation { continuation in
          var isClaimed = false
          for step in order {
            switch step {
            case .suspend: isClaimed = waiter.suspend(continuation)
            case .cancel: waiter.end(.cancelled)
            case .send: isSent = isClaimed && !waiter.isOver
            case .answer: if isSent { waiter.end(.answered(answer)) }
            case .answerAgain: if isSent { waiter.end(.answered(.success(.firstUse))) }
            }
          }
        }
        switch end {
        case .cancelled:
          #expect(cancelled.map { $0 < answered } == true, "\(order)")
          // Cancelled before it was sent: its token is unused.
          #expect(isSent == (cancelled.map { $0 > sent } == true), "\(order)")
        case .answered(let given):
          #expect(given == answer && isSent, "\(order)")
          #expect(cancelled.map { $0 > answered } ?? true, "\(order)")
        }
        #expect(waiter.isOver)
      }
    }
    #expect(seen == 6)
  }
}
