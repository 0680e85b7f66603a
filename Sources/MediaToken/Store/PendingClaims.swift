/// The claims of one thread that wait for their answers. None of its methods waits.
///
/// In each turn of its loop the thread adds the claims of that turn, sends them together, and takes the answers that
/// are there. It comes back when ``descriptor`` is readable.
package protocol PendingClaims: AnyObject {
  /// For poll(2) or epoll(7): readable while ``takeAnswers(_:)`` has work to do, which replies, deadlines or
  /// connections cause. It stays the same until this object goes, which closes it.
  var descriptor: Int32 { get }

  /// Adds a claim to the batch of this turn. Its number comes back with the answer. Never use a number twice: the
  /// answer to a claim that its caller gave up must not be mistaken for another's. Callers take turns where claims wait
  /// to be sent.
  func add(_ claim: UseClaim, number: UInt64, of caller: ClaimCaller)

  /// Gives up a claim that was added and is not sent yet. It has no answer then, and its token stays unused. False if
  /// it was sent already, or answered.
  func withdraw(_ number: UInt64) -> Bool

  /// Sends the batch, and hands over the answers to claims that need no other's.
  func send(_ body: (_ number: UInt64, _ answer: Result<UseOutcome, Fault>) -> Void)

  /// Does the work that is due, and hands over the answers that are known by now, in any order. Call it when
  /// ``descriptor`` is readable. Every claim is answered once, with ``Refusal/Fault/replayMemoryUnavailable`` when its
  /// deadline passes undecided.
  func takeAnswers(_ body: (_ number: UInt64, _ answer: Result<UseOutcome, Fault>) -> Void)
}

extension PendingClaims {
  /// For a single caller.
  package func add(_ claim: UseClaim, number: UInt64) { add(claim, number: number, of: .one) }
}

extension Optional where Wrapped == UnspentToken {
  /// The token's outcome by the memory's answer to its claim: once, as the token is used up.
  package mutating func settle(_ answer: Result<UseOutcome, Fault>) -> Result<VerifiedToken, Refusal> {
    guard let token = self.take() else { return .failure(.undecided(.internalFault)) }
    do throws(Refusal) {
      return .success(try token.settle(answer))
    } catch {
      return .failure(error)
    }
  }
}
