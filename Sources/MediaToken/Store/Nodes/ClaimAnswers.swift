internal import Synchronization

/// The ends of one thread's claims: their answers until they are handed over, and the number of claims that still wait for
/// theirs.
struct ClaimAnswers {
  private let fleet: Fleet
  private var known: [(number: UInt64, answer: Result<UseOutcome, Fault>)] = []
  /// The claims that wait, and those of them that ``Fleet/waiting`` counts.
  private var waiting = 0
  private var publishedWaiting = 0

  init(_ fleet: Fleet) { self.fleet = fleet }

  var isEmpty: Bool { known.isEmpty }

  mutating func take() -> [(number: UInt64, answer: Result<UseOutcome, Fault>)] {
    let answers = known
    known.removeAll(keepingCapacity: true)
    return answers
  }

  /// The claim did not wait.
  mutating func add(_ number: UInt64, _ result: Result<UseOutcome, Fault>) { known.append((number, result)) }

  // MARK: claims that wait

  /// A claim waits from now on, until it is closed or has left.
  mutating func noteWaiting() { waiting += 1 }

  /// The claim waited, and has no answer.
  mutating func noteLeft() { waiting -= 1 }

  /// The claim waited, and had joined another.
  mutating func hear(_ number: UInt64, _ result: Result<UseOutcome, Fault>) {
    waiting -= 1
    add(number, result)
  }

  /// The claim asked. Those that have joined it are told.
  mutating func close(_ open: OpenClaim, _ result: Result<UseOutcome, Fault>) {
    hear(open.number, result)
    fleet.end(open.claim.identity, result) { open.tally.repeatsFirst(at: $0) }
  }

  /// The claim was to ask, and could not.
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

  /// The thread ends, and its callers no longer wait for the answer. A seat may have stored the ballot.
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

  mutating func publishWaiting() {
    guard waiting != publishedWaiting else { return }
    fleet.waiting.add(waiting - publishedWaiting, ordering: .relaxed)
    publishedWaiting = waiting
  }

  func end() { fleet.waiting.subtract(publishedWaiting, ordering: .relaxed) }
}
