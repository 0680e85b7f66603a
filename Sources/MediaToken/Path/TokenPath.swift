/// Decides whether a token may start playback.
///
/// One verifier serves any number of threads at once and is worth keeping: it holds the keys and the working memory.
/// New keys need a new verifier.
package final class TokenPath: Sendable {
  /// The keys whose signatures count.
  package let trustedKeys: TrustedKeys
  package let policy: Policy
  /// The memory of used tokens.
  package let replayMemory: any Store

  let contexts: ParserContextPool

  /// The replay memory says whether and how one use is enforced; `.none` says that it is not. A fault if OpenSSL can't work
  /// with the keys.
  package init(
    trustedKeys: TrustedKeys, policy: Policy = .standard, replayMemory: any Store
  ) throws(Fault) {
    self.trustedKeys = trustedKeys
    self.policy = policy
    self.replayMemory = replayMemory
    contexts = try ParserContextPool(for: trustedKeys)
  }

  /// Another policy, with the same keys and replay memory, and the same memory to work in: however many policies there are,
  /// they take no more than one.
  package init(_ other: TokenPath, applying policy: Policy) {
    trustedKeys = other.trustedKeys
    self.policy = policy
    replayMemory = other.replayMemory
    contexts = other.contexts
  }

  /// The path of a token: seven steps, in this order, and the first that fails is the verdict.
  ///
  /// - Parameters:
  ///   - received: the text as the viewer's client sent it, after HTTP's own decoding. It is read once, into memory of the
  ///     verifier's own: what becomes of it meanwhile changes nothing.
  ///   - now: with a shared table it must be the kernel's clock.
  ///   - request: the caller's name of the request, if the replay memory has a retry window.
  /// - Returns: proof that the token is genuine, current, meant for this requestor and resource, and not used before as far
  ///   as the replay memory enforces that. From then on it counts as used.
  /// - Throws: ``Refusal/rejected(_:)`` with the verdict, or ``Refusal/undecided(_:)`` if there is no verdict.
  package func verify(
    _ received: Span<UInt8>, requestor: ExpectedRequestor, resource: ExpectedResource, at now: Instant,
    request: UseRequest? = nil
  ) throws(Refusal) -> VerifiedToken {
    let token = try qualify(received, requestor: requestor, resource: resource, at: now, request: request)
    return try token.spend(in: replayMemory)
  }

  /// The observer is told what each step saw.
  package func verify<Observer: PathObserver>(
    _ received: Span<UInt8>, requestor: ExpectedRequestor, resource: ExpectedResource, at now: Instant,
    request: UseRequest? = nil, observer: inout Observer
  ) throws(Refusal) -> VerifiedToken {
    let token = try qualify(
      received, requestor: requestor, resource: resource, at: now, request: request, observer: &observer)
    let verified = try token.spend(in: replayMemory)
    observer.passed(.oneUse)
    return verified
  }

  /// Steps 1 to 6 of the path, and no use: for a request that plays nothing.
  ///
  /// The replay memory is not even asked whether the token was used: an answer would promise nothing, as another caller may
  /// use the token a moment later. So the result is no ``VerifiedToken``, and nothing that may be played.
  package func verifyWithoutSpending(
    _ received: Span<UInt8>, requestor: ExpectedRequestor, resource: ExpectedResource, at now: Instant
  ) throws(Refusal) -> NotSpentToken {
    try qualify(received, requestor: requestor, resource: resource, at: now).leave()
  }

  /// True if a trusted key signed the token's bytes, of which nothing is interpreted: no parser gets to see them.
  package func isSigned(_ received: Span<UInt8>) -> Bool {
    do throws(Refusal) {
      try contexts.withParserContext {
        (buffers: inout Armor.Buffers, signatureBuffer: inout [UInt8], bench: inout ParserContext) throws(Refusal)
        in
        let token = try Armor.decode(received, into: &buffers)
        let envelope = try Envelope(cutting: token.bytes, signatureInto: &signatureBuffer)
        _ = try Signature.verify(try HashedEnvelope(hashing: envelope, with: &bench.hasher), with: &bench.keys)
      }
      return true
    } catch {
      return false
    }
  }

  /// Steps 1 to 6 of the path, for a replay memory that answers later, and for callers that have more to look at before
  /// step 7. The token's use is still to be claimed; until that is settled it may not be played.
  @inline(__always)  // Otherwise `verify` would move some 300 bytes of token through memory.
  package func qualify(
    _ received: Span<UInt8>, requestor: ExpectedRequestor, resource: ExpectedResource, at now: Instant,
    request: UseRequest? = nil
  ) throws(Refusal) -> UnspentToken {
    var unobserved = Unobserved()
    return try qualify(
      received, requestor: requestor, resource: resource, at: now, request: request, observer: &unobserved)
  }

  /// The observer is told what each step saw.
  @inline(__always)
  package func qualify<Observer: PathObserver>(
    _ received: Span<UInt8>, requestor: ExpectedRequestor, resource: ExpectedResource, at now: Instant,
    request: UseRequest? = nil, observer: inout Observer
  ) throws(Refusal) -> UnspentToken {
    try contexts.withParserContext {
      (buffers: inout Armor.Buffers, signatureBuffer: inout [UInt8], bench: inout ParserContext) throws(Refusal) in
      let token = try Armor.decode(received, into: &buffers)
      observer.passedArmor(token.form, receivedBytes: received.count, tokenBytes: token.bytes.count)
      let envelope = try Envelope(cutting: token.bytes, signatureInto: &signatureBuffer)
      observer.passedEnvelope(signatureBytes: envelope.signatureBytes, signedBytes: envelope.signedBytes.count)
      let hashed = try HashedEnvelope(hashing: envelope, with: &bench.hasher)
      observer.named(hashed.identity)
      // A look at the memory takes as long as two cache misses: they pass while RSA computes.
      replayMemory.prepare(for: hashed.identity)
      do throws(Refusal) {
        let verified = try Signature.verify(hashed, with: &bench.keys)
        observer.passedSignature(over: verified.bytes, by: verified.keyFingerprint)
        let fields = try TokenFields(parsing: verified, with: &bench.parser, policy: policy)
        observer.passedFields(fields)
        let lifetime = try Lifetime(fields, policy: policy)
        observer.parsed(lifetime)
        try lifetime.check(at: now, policy: policy)
        observer.passedLifetime()
        try Binding.check(fields, requestor: requestor, resource: resource, mvpds: policy.mvpds)
        observer.passedBinding()
        return UnspentToken(consume fields, lifetime, of: verified, at: now, request: request)
      } catch {
        throw error.naming(hashed.identity)
      }
    }
  }
}
