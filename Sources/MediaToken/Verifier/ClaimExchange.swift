internal import MediaTokenSystem
internal import Synchronization

/// The claims of all tasks of a process at the nodes of a fleet: one thread sends those of one turn in one batch for each node,
/// and resumes the tasks as the answers come. So a process has one set of connections, which that thread keeps open.
final class ClaimExchange: Sendable {
  private let turns: ClaimTurns

  init(_ memory: any Store) throws(SystemError) {
    turns = try ClaimTurns(memory)
    try WorkerThread { [turns] in turns.run() }.detach()
  }

  /// The thread ends once the claims that wait are answered.
  deinit { turns.end() }

  /// Throws ``Refusal/cancelled`` if the task was cancelled before the answer came.
  nonisolated(nonsending) func spend(_ claim: UseClaim) async throws(Refusal) -> Result<UseOutcome, Fault> {
    let waiter = ClaimWaiter(claim, number: turns.nextNumber.add(1, ordering: .relaxed).newValue)
    let end = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if waiter.suspend(continuation) { turns.add(waiter) }
      }
    } onCancel: {
      turns.withdraw(waiter)
    }
    switch end {
    case .answered(let answer): return answer
    case .cancelled: throw .cancelled
    }
  }
}

private final class ClaimTurns: Sendable {
  private let memory: any Store
  private let poller: Poller
  private let inbox = Monitor(Inbox())
  let nextNumber = Atomic<UInt64>(0)

  /// The tasks leave it for the thread.
  private struct Inbox: Sendable {
    var arrived: [ClaimWaiter] = []
    /// The numbers of those that were cancelled, which the thread may have taken.
    var left: [UInt64] = []
    /// The claims that the thread has taken and not answered.
    var taken = 0
    var hasEnded = false
  }

  /// The most claims that wait: four full turns of what a connection takes. More have no answer in time.
  private static let mostWaiting = 16_384
  /// The wait before the system is asked again for what it did not have, in milliseconds.
  private static let retryMilliseconds: Int32 = 1000

  init(_ memory: any Store) throws(SystemError) {
    self.memory = memory
    poller = try Poller()
  }

  func add(_ waiter: ClaimWaiter) {
    let (isFull, isFirst) = inbox.change { inbox in
      if inbox.hasEnded || inbox.arrived.count + inbox.taken >= Self.mostWaiting { return (true, false) }
      inbox.arrived.append(waiter)
      return (false, inbox.arrived.count == 1)
    }
    if isFull { waiter.end(.answered(.failure(.replayMemoryUnavailable))) }
    if isFirst { poller.wake() }
  }

  /// Ends a waiter whose task was cancelled. If its claim waits to be sent, it never is, and its token stays unused.
  func withdraw(_ waiter: ClaimWaiter) {
    waiter.end(.cancelled)
    let isFirst = inbox.change { inbox in
      inbox.left.append(waiter.number)
      return inbox.left.count == 1
    }
    if isFirst { poller.wake() }
  }

  func end() {
    inbox.change { $0.hasEnded = true }
    poller.wake()
  }

  func run() {
    var claims: (any PendingClaims)?
    var waiting: [UInt64: ClaimWaiter] = [:]
    var events: [Poller.Event] = []
    func answer(_ number: UInt64, _ answer: Result<UseOutcome, Fault>) {
      waiting.removeValue(forKey: number)?.end(.answered(answer))
    }
    while true {
      if claims == nil { claims = watchedClaims() }
      _ = poller.wait(milliseconds: claims == nil ? Self.retryMilliseconds : nil, &events)
      let (arrived, left, hasEnded) = inbox.change { inbox in
        defer { (inbox.arrived, inbox.left) = ([], []) }
        inbox.taken = waiting.count + inbox.arrived.count
        return (inbox.arrived, inbox.left, inbox.hasEnded)
      }
      for number in left where waiting[number] != nil && claims?.withdraw(number) == true { waiting[number] = nil }
      // A task that was cancelled by now claims nothing.
      for waiter in arrived where !waiter.isOver {
        guard let claims else {
          waiter.end(.answered(.failure(.replayMemoryUnavailable)))
          continue
        }
        waiting[waiter.number] = waiter
        claims.add(waiter.claim, number: waiter.number)
      }
      if !arrived.isEmpty { claims?.send(answer) }
      if !events.isEmpty { claims?.takeAnswers(answer) }
      if hasEnded, waiting.isEmpty { return }
    }
  }

  private func watchedClaims() -> (any PendingClaims)? {
    guard let claims = try? memory.makePendingClaims(),
      (try? poller.add(claims.descriptor, .reading, as: 0)) != nil
    else { return nil }
    return claims
  }
}
