internal import MediaTokenSystem

/// The door of a thread with a loop: the claims of a turn go in together, and the thread is woken once for all ends of a moment.
final class LoopDoor: PendingClaims {
  private let desk: any ClaimDesk
  private let mailbox: Mailbox
  private var ballots = BallotSource()
  /// Added, and not sent yet.
  private var turn: [NewClaim] = []
  /// The numbers at the desk of those that were sent, by their names.
  private var numbers: [UInt64: UInt64] = [:]
  /// The ends of claims that the desk was not asked for.
  private var known: [(name: UInt64, result: Result<UseOutcome, Fault>)] = []

  /// A fault if the system has no descriptor left.
  init(_ desk: any ClaimDesk) throws(Fault) {
    if desk.isForked { throw .replayMemoryUnavailable }
    self.desk = desk
    mailbox = try rethrow(Mailbox()) { (_: SystemError) in Fault.replayMemoryUnavailable }
  }

  /// What was not sent goes away, and what was sent goes on.
  deinit {
    if desk.isForked { return }
    for number in numbers.values { desk.withdraw(number, at: MonotonicTime.now) }
    for end in mailbox.close() { _ = end.settled() }
  }

  package var descriptor: Int32 { mailbox.descriptor }

  package func add(_ claim: UseClaim, number name: UInt64, of caller: ClaimCaller) {
    do throws(Fault) {
      if let outcome = try desk.outcomeWithoutNodes(of: claim) {
        known.append((name, .success(outcome)))
      } else {
        turn.append(try ballots.newClaim(claim, named: name, of: caller, in: desk.fleet))
      }
    } catch {
      known.append((name, .failure(error)))
    }
  }

  package func withdraw(_ name: UInt64) -> Bool {
    if let index = turn.firstIndex(where: { $0.name == name }) {
      turn.remove(at: index)
      return true
    }
    guard !desk.isForked, let number = numbers[name], desk.withdraw(number, at: MonotonicTime.now)
    else { return false }
    numbers[name] = nil
    return true
  }

  package func send(_ body: (UInt64, Result<UseOutcome, Fault>) -> Void) {
    send(at: MonotonicTime.now)
    handOver(body)
  }

  func send(at time: UInt64) {
    if desk.isForked {
      known += (turn.map(\.name) + Array(numbers.keys)).map { ($0, .failure(.replayMemoryUnavailable)) }
      numbers = [:]
    } else if !turn.isEmpty {
      let first = desk.ask(turn, of: mailbox, at: time)
      for (index, claim) in turn.enumerated() { numbers[claim.name] = first &+ UInt64(index) }
    }
    turn.removeAll(keepingCapacity: true)
  }

  package func takeAnswers(_ body: (UInt64, Result<UseOutcome, Fault>) -> Void) {
    if desk.isForked {
      send(at: 0)
    } else {
      for end in mailbox.take() {
        // A claim that was given up just before has no answer.
        let isAwaited = numbers.removeValue(forKey: end.name) != nil
        let result = end.settled()
        if isAwaited { body(end.name, result) }
      }
    }
    handOver(body)
  }

  private func handOver(_ body: (UInt64, Result<UseOutcome, Fault>) -> Void) {
    guard !known.isEmpty else { return }
    // The body may add claims that are answered at once.
    let ends = known
    known.removeAll(keepingCapacity: true)
    for (name, result) in ends { body(name, result) }
  }
}

/// Ends that a loop has not taken yet, and a descriptor that is readable while there are any.
private final class Mailbox: ClaimDoor {
  private let waker: Waker
  private let ends = Monitor(Ends())

  private struct Ends {
    var waiting: [ClaimEnd] = []
    var isClosed = false
  }

  init() throws(SystemError) { waker = try Waker() }

  var descriptor: Int32 { waker.descriptor }

  func put(_ end: ClaimEnd) -> Bool {
    ends.change { ends in
      if !ends.isClosed { ends.waiting.append(end) }
      return !ends.isClosed
    }
  }

  func ring() { waker.wake() }

  func take() -> [ClaimEnd] {
    waker.clear()
    return ends.change { ends in
      defer { ends.waiting = [] }
      return ends.waiting
    }
  }

  func close() -> [ClaimEnd] {
    ends.change { ends in
      defer { ends = Ends(isClosed: true) }
      return ends.waiting
    }
  }
}
