internal import MediaToken
internal import MediaTokenHTTP
internal import MediaTokenSystem

/// The tokens of one worker that passed steps 1 to 6 and wait for the replay memory's answer, where that has to ask
/// others. The tokens of one turn go out together at its end, and are answered as their answers come. Only they wait.
final class WaitingUses {
  private let store: (any Store)?
  /// The worker's way to the memory; nil until the worker's first turn, or while the system has no descriptor for it.
  private var claims: (any PendingClaims)?
  /// By the number of its claim, which is its request's: an answer that comes too late, or twice, is never taken for
  /// another token's.
  private var waiting: [UInt64: WaitingUse] = [:]
  private var isSendingDue = false
  /// The memory of those that wait, as in ``WaitingUse/bytes``: all, and for each caller.
  private var bytes = 0
  private var bytesOfCaller: [Peer.Account: Int] = [:]

  /// The most of it, for each worker: at 64 KiB a token this is 128 of the largest, and 4,000 ordinary ones. Each waits
  /// for a second at most, so a worker that has more is overloaded. One caller may take as much as is left for all
  /// others, so half of it.
  static let mostBytes = 8 * 1024 * 1024
  /// The number of the memory's descriptor in the worker's loop.
  private static let descriptorNumber: UInt32 = 1
  /// The wait before the system is asked again for what it did not have, in nanoseconds.
  private static let retryNanoseconds: UInt64 = 1_000_000_000

  /// `store` nil: every use ends with the fault that it is unavailable.
  init(_ store: (any Store)?) { self.store = store }

  /// If it throws, the use can't be claimed now, and the token is unspent.
  func add(_ use: WaitingUse) throws(Refusal) {
    let account = use.asked.peer.account
    guard let claims, bytesOfCaller[account, default: 0] + use.bytes <= Self.mostBytes - bytes else {
      throw .undecided(.replayMemoryUnavailable)
    }
    let number = use.asked.ticket.number
    waiting[number] = use
    bytes += use.bytes
    bytesOfCaller[account, default: 0] += use.bytes
    claims.add(use.claim, number: number, of: account.claimCaller)
    isSendingDue = true
  }

  /// The token's caller has left. A claim that was sent already goes on.
  func withdraw(_ ticket: Ticket) {
    if claims?.withdraw(ticket.number) == true { _ = remove(ticket.number) }
  }

  private func remove(_ number: UInt64) -> WaitingUse? {
    guard let use = waiting.removeValue(forKey: number) else { return nil }
    bytes -= use.bytes
    let left = bytesOfCaller[use.asked.peer.account, default: 0] - use.bytes
    bytesOfCaller[use.asked.peer.account] = left > 0 ? left : nil
    return use
  }

  /// Sends the tokens of this turn, and hands over the known answers. The result is the latest time of the next call;
  /// nil: when the memory's descriptor is ready.
  func endTurn(
    _ ready: [UInt32], _ loop: inout WorkerLoop,
    _ settle: (WaitingUse, Result<UseOutcome, Fault>, inout WorkerLoop) -> Void
  ) -> UInt64? {
    guard let claims = claims ?? begin(&loop) else {
      return store.map { _ in MonotonicTime.now &+ Self.retryNanoseconds }
    }
    func take(_ number: UInt64, _ answer: Result<UseOutcome, Fault>) {
      if let use = remove(number) { settle(use, answer, &loop) }
    }
    if isSendingDue {
      isSendingDue = false
      claims.send(take)
    }
    if ready.contains(Self.descriptorNumber) { claims.takeAnswers(take) }
    return nil
  }

  private func begin(_ loop: inout WorkerLoop) -> (any PendingClaims)? {
    guard let claims = try? store?.makePendingClaims(),
      (try? loop.watch(claims.descriptor, .reading, as: Self.descriptorNumber)) != nil
    else { return nil }
    self.claims = claims
    return claims
  }
}

/// A token that waits for its use.
final class WaitingUse {
  private var token: UnspentToken?
  let claim: UseClaim
  let asked: AskedToken
  /// The most memory that it may take: a part of the received text, and the part that every token takes.
  let bytes: Int

  init(_ token: consuming UnspentToken, ofBytes received: Int, _ asked: AskedToken) {
    claim = token.claim
    self.token = consume token
    (self.asked, bytes) = (asked, received + Self.ownBytes)
  }

  /// This object, the token's fields without their texts, and the memory of a claim.
  private static let ownBytes = 1024

  /// Once.
  func settle(_ answer: Result<UseOutcome, Fault>) -> Result<VerifiedToken, Refusal> { token.settle(answer) }
}

extension Peer.Account {
  fileprivate var claimCaller: ClaimCaller {
    switch self {
    case .user(let uid): .user(uid)
    case .otherUsers: .otherUsers
    case .tcp: .tcp
    }
  }
}
