/// One thread's claims that have joined others': they wait for the answers there.
struct JoinedClaims {
  private let fleet: Fleet
  private let inbox: ClaimInbox
  private var claims: [UInt64: Joined] = [:]
  /// Added, and not sent on yet by their callers.
  private var unsent: [UInt64] = []
  /// None of them has an earlier deadline.
  private(set) var soonestDeadline = SeatConnections.never

  struct Joined {
    let claim: UseClaim
    let number: UInt64
    let caller: ClaimCaller
    /// As those of an ``OpenClaim``.
    var since: UInt64 = 0
    var deadline: UInt64 = 0
    /// Its caller no longer waits for its answer, which is on its way.
    var hasLeft = false
  }

  init(_ fleet: Fleet, _ inbox: ClaimInbox) { (self.fleet, self.inbox) = (fleet, inbox) }

  /// True if the claim is the one that asks about its token.
  mutating func begin(_ claim: UseClaim, number: UInt64, of caller: ClaimCaller) -> Bool {
    if fleet.begin(claim, telling: inbox, as: number) { return true }
    claims[number] = Joined(claim: claim, number: number, caller: caller)
    unsent.append(number)
    return false
  }

  /// The added claims wait from now on.
  mutating func send(at time: UInt64, until deadline: UInt64) {
    for number in unsent where claims[number] != nil {
      claims[number]?.since = time
      claims[number]?.deadline = deadline
      soonestDeadline = min(soonestDeadline, deadline)
    }
    unsent.removeAll(keepingCapacity: true)
  }

  /// True if the claim waits, and has no answer now.
  mutating func withdraw(_ number: UInt64) -> Bool {
    guard let joined = claims[number], !joined.hasLeft else { return false }
    if !leave(joined) { claims[number]?.hasLeft = true }
    return true
  }

  private mutating func leave(_ joined: Joined) -> Bool {
    guard fleet.leave(joined.claim.identity, inbox, joined.number) else { return false }
    claims[joined.number] = nil
    return true
  }

  /// Those that are answered, and without an outcome those that ask now; nil if there is no news.
  mutating func take() -> [(Joined, UseOutcome?)]? {
    let news = claims.isEmpty ? [] : inbox.take()
    if news.isEmpty { return nil }
    return news.compactMap { news in
      guard let joined = claims.removeValue(forKey: news.number) else { return nil }
      switch news {
      case .answered(_, let outcome): return joined.hasLeft ? nil : (joined, outcome)
      case .asks:
        if !joined.hasLeft { return (joined, nil) }
        fleet.end(joined.claim.identity, .failure(.replayMemoryUnavailable))
        return nil
      }
    }
  }

  /// Takes out those whose deadline has passed. The answers to others that are late are on their way.
  mutating func removeLate(at time: UInt64) -> [UInt64] {
    guard time >= soonestDeadline else { return [] }
    let late = claims.values.filter { $0.deadline != 0 && $0.deadline <= time }
    let removed = late.filter { leave($0) }
    soonestDeadline = claims.values.reduce(SeatConnections.never) {
      $1.deadline <= time ? $0 : min($0, $1.deadline)
    }
    return removed.map(\.number)
  }

  /// The thread has ended: its questions go to others.
  func abandon() {
    for case .asks(let number) in inbox.close() {
      guard let joined = claims[number] else { continue }
      fleet.end(joined.claim.identity, .failure(.replayMemoryUnavailable))
    }
  }

  /// A forked child has its parent's, and waits for none.
  mutating func removeAll() -> [UInt64] {
    defer { claims = [:] }
    return Array(claims.keys)
  }
}
