internal import Synchronization

/// How one thread's claims end: their answers until they are handed over, and how many claims still wait for theirs.
struct ClaimAnswers {
  private let fleet: Fleet
  private var known: [(number: UInt64, answer: Result<UseOutcome, Fault>)] = []
  /// How many claims wait, and how many of them ``Fleet/waiting`` counts.
  private var waiting = 0
  private var publishedWaiting = 0

  init(_ fleet: Fleet) { self.fleet = fleet }

  /// Whether there is no answer to deliver.
  var isEmpty: Bool { known.isEmpty }

  /// The answers that are known and were not taken yet.
  mutating func take() -> [(number: UInt64, answer: Result<UseOutcome, Fault>)] {
    let answers = known
    known.removeAll(keepingCapacity: true)
    return answers
  }

  /// Answers a claim that did not wait.
  mutating func add(_ number: UInt64, _ result: Result<UseOutcome, Fault>) { known.append((number, result)) }

  // MARK: claims that wait

  /// A claim waits from now on, until it is closed or has left.
  mutating func noteWaiting() { waiting += 1 }

  /// A claim that waited has left, and has no answer.
  mutating func noteLeft() { waiting -= 1 }

  /// Answers a claim that waited, and had joined another.
  mutating func hear(_ number: UInt64, _ result: Result<UseOutcome, Fault>) {
    waiting -= 1
    add(number, result)
  }

  /// Answers a claim that asked, and has those told that have joined it.
  mutating func close(_ open: OpenClaim, _ result: Result<UseOutcome, Fault>) {
    hear(open.number, result)
    fleet.end(open.claim.identity, result) { open.tally.repeatsFirst(at: $0) }
  }

  /// Answers a claim that was to ask, and could not.
  mutating func fail(_ claim: UseClaim, _ number: UInt64, _ fault: Fault) {
    hear(number, .failure(fault))
    fleet.end(claim.identity, .failure(fault))
  }

  /// A first use of the fleet must be one of this host, too.
  mutating func spendHere(_ open: OpenClaim) {
    do throws(Fault) {
      close(open, .success(try fleet.localTable?.spend(open.claim) ?? .firstUse))
    } catch {
      keepBallot(of: open)
      close(open, .failure(error))
    }
  }

  /// A fault. A ballot that a seat may have stored is kept; one that went to no seat is dropped.
  mutating func fail(_ open: OpenClaim, wasAsked: Bool) {
    if wasAsked || open.origin == .kept { keepBallot(of: open) }
    close(open, .failure(.replayMemoryUnavailable))
  }

  /// A claim that was not sent waits no more, and has no answer. A ballot that an earlier try may have stored is kept on.
  mutating func withdraw(_ open: OpenClaim) {
    waiting -= 1
    if open.origin == .kept { keepBallot(of: open) }
    fleet.end(open.claim.identity, .failure(.replayMemoryUnavailable))
  }

  /// The thread ends, and no one waits for the answer. A seat may have stored the ballot.
  func abandon(_ open: OpenClaim) {
    if fleet.isForked { return }
    keepBallot(of: open)
    fleet.end(open.claim.identity, .failure(.replayMemoryUnavailable))
  }

  private func keepBallot(of open: OpenClaim) {
    guard open.origin != .request, let end = fleet.endSecond(of: open.claim) else { return }
    fleet.undecided.keep(
      open.tally.ballot, of: open.claim.identity, until: end, now: open.claim.now.millisecondsSinceEpoch / 1000)
  }

  // MARK: the fleet's count

  /// Brings the fleet's count of waiting claims up to date.
  mutating func publishWaiting() {
    guard waiting != publishedWaiting else { return }
    fleet.waiting.add(waiting - publishedWaiting, ordering: .relaxed)
    publishedWaiting = waiting
  }

  /// The thread's claims have ended, so none waits any more.
  func end() { fleet.waiting.subtract(publishedWaiting, ordering: .relaxed) }
}
