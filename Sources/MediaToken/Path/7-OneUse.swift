/// Step 7: a token is used, once. This is the token before that: it passed steps 1 to 6, and is not used yet.
///
/// Only a token that passed everything else is spent, so no one can burn another's token by asking wrongly
/// (<doc:TokenFormat>, "One use").
///
/// It is genuine, current and meant for this requestor and resource, but it may have been used already, so it proves nothing
/// yet. It shows nothing of the token but its ``claim`` and lets its names be measured, it can't be copied, and
/// ``settle(_:)``, which uses it up, is the only way from it to a ``VerifiedToken``. Dropping it lets no one in; ``leave()``
/// does that on purpose, and says which it was.
///
/// **A life that ends during the wait.** Step 5 compared the token's life with `claim.now`, and that is not repeated: the
/// verdict is about the instant of the request. A memory sees a claim that waited as one by a slow clock:
///
/// - A shared table answers a claim more than two seconds older than its own latest clock with a fault.
/// - Else, once that clock has passed the token's end, the answer is ``UseOutcome/expired``.
/// - What a memory can't vouch for stays refused: that depends on the issue time alone.
///
/// A token can therefore be accepted after its end by at most the time that its claim waited, which is for the memory to
/// limit: when its deadline has passed, its answer is a fault.
package struct UnspentToken: ~Copyable, Sendable {
  /// The question to a replay memory.
  package let claim: UseClaim
  private let lifetime: Lifetime
  private let keyFingerprint: Fingerprint
  private let fields: OwnedFields

  /// For the end of step 6, and only there.
  init(
    _ fields: consuming TokenFields, _ lifetime: Lifetime, of verified: borrowing VerifiedBytes, at now: Instant,
    request: UseRequest?
  ) {
    claim = UseClaim(
      identity: verified.identity, issueTime: lifetime.issueTime, ttlMilliseconds: lifetime.statedTTLMilliseconds,
      now: now, request: request)
    self.lifetime = lifetime
    keyFingerprint = verified.keyFingerprint
    self.fields = .only(fields)
  }

  /// The length of all names that an answer would have to repeat: for callers that must know before the token is spent
  /// whether there is room for them. `length` measures `requestorID`, `resourceID`, `mvpdId` and `proxyMvpdId`.
  package func lengthOfNames(_ length: (String) -> Int) -> Int {
    switch fields {
    case .only(let fields):
      length(fields.requestorID.text) + length(fields.resourceID.text) + length(fields.mvpdID.text)
        + length(fields.proxyMVPDID?.text ?? "")
    }
  }

  /// Ends here, without a claim: step 7 is left out.
  package consuming func leave() -> NotSpentToken { NotSpentToken(identity: claim.identity) }

  /// For a memory that answers at once.
  @inline(__always)  // Otherwise `verify` would move the token through memory, as with `qualify`.
  package consuming func spend(in memory: any Store) throws(Refusal) -> VerifiedToken {
    let answer: Result<UseOutcome, Fault>
    do throws(Fault) {
      answer = .success(try memory.spend(claim))
    } catch {
      answer = .failure(error)
    }
    return try settle(answer)
  }

  /// Makes the only proof that the token may be played, if the memory's answer allows it. The caller vouches that it is the
  /// answer to this token's ``claim``. Refuses with `TOKEN_REPLAYED`, `TOKEN_EXPIRED` or `TOKEN_PREDATES_REPLAY_MEMORY`, or
  /// with the fault if the memory had no answer.
  @inline(__always)
  package consuming func settle(_ answer: Result<UseOutcome, Fault>) throws(Refusal) -> VerifiedToken {
    let use = try Self.use(grantedBy: answer, to: claim.identity)
    return VerifiedToken(
      fields.take(), lifetime, identity: claim.identity, keyFingerprint: keyFingerprint, use: use)
  }

  private static func use(
    grantedBy answer: Result<UseOutcome, Fault>, to identity: TokenIdentity
  ) throws(Refusal) -> VerifiedToken.Use {
    switch answer {
    case .success(.granted(let use)): return use
    case .success(.alreadyUsed): throw .because(.alreadyUsed).naming(identity)
    case .success(.expired): throw .because(.expiredForReplayMemory).naming(identity)
    case .success(.predatesMemory): throw .because(.predatesReplayMemory).naming(identity)
    case .failure(let fault): throw .undecided(fault)
    }
  }
}

/// Fields that are moved to their next owner. As a plain stored property they would be copied, and every text in them
/// would be retained and released.
private enum OwnedFields: ~Copyable, Sendable {
  case only(TokenFields)

  consuming func take() -> TokenFields {
    switch consume self {
    case .only(let fields): fields
    }
  }
}
