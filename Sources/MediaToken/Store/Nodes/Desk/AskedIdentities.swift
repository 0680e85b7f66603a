/// The tokens that a process asks the nodes about now. It asks about one token once at a time: claims of a token that is
/// being asked about join the one that asks, and take what follows from its answer (article FleetProtocol, "A host").
///
/// So one token on many connections is one question, and a node never sees two ballots of one process for one token at
/// once. It reads no clock, and knows waiting claims only by their names.
struct AskedIdentities<Waiter: Sendable>: Sendable {
  private var asked: [TokenIdentity: Asked] = [:]

  private struct Asked: Sendable {
    /// The request of the claim that asks, if it may be repeated.
    var request: UseRequest?
    /// In the order in which they came.
    var joined: [Joined] = []
  }

  private struct Joined: Sendable {
    let waiter: Waiter
    let request: UseRequest?
    let now: Instant
  }

  /// The consequence for the claims that joined.
  struct End: Sendable {
    var answers: [(waiter: Waiter, outcome: UseOutcome)] = []
    /// It asks now, and the others have joined it.
    var next: Waiter?
  }

  /// A claim asks about its token, or joins the one that does. True if it asks: then ``end(_:as:isRetry:)`` must follow.
  /// `isRepeatable`: a repeated request is given its first answer again.
  mutating func begin(_ claim: UseClaim, isRepeatable: Bool, _ waiter: Waiter) -> Bool {
    let request = isRepeatable ? claim.request : nil
    if asked[claim.identity] == nil {
      asked[claim.identity] = Asked(request: request)
      return true
    }
    asked[claim.identity]?.joined.append(Joined(waiter: waiter, request: request, now: claim.now))
    return false
  }

  /// The claim that asks has its final answer, that of the host's own table included, or is given up before it was sent,
  /// which is a fault. `isWaiting`: a claim that joined has no answer yet, and is still wanted. `isRetry`: the window in which the
  /// answered request may be repeated is open at a time. Nil if no claim has joined.
  mutating func end(
    _ identity: TokenIdentity, as result: Result<UseOutcome, Fault>, isWaiting: (Waiter) -> Bool = { _ in true },
    isRetry: (Instant) -> Bool
  ) -> End? {
    guard let ended = asked.removeValue(forKey: identity), !ended.joined.isEmpty else { return nil }
    var end = End()
    var rest: [Joined] = []
    for joined in ended.joined where isWaiting(joined.waiter) {
      let isRepeated = joined.request != nil && joined.request == ended.request
      switch result {
      // It is not known whether the token was used, or by which of several requests.
      case .failure: rest.append(joined)
      case .success(.alreadyUsed) where joined.request != nil && !isRepeated: rest.append(joined)
      case .success(.granted):
        end.answers.append((joined.waiter, isRepeated && isRetry(joined.now) ? .retry : .alreadyUsed))
      case .success(let outcome): end.answers.append((joined.waiter, outcome))
      }
    }
    if let next = rest.first {
      end.next = next.waiter
      asked[identity] = Asked(request: next.request, joined: Array(rest.dropFirst()))
    }
    return end
  }
}
