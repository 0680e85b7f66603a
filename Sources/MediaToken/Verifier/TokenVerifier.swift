internal import MediaTokenSystem

/// Decides whether a token may start playback, for servers whose code is `async`.
///
/// One verifier serves a whole process: it holds the keys, the working memory and the replay memory. It has no default for what
/// decides who may watch: keys, one use, requestor and resource are always given.
///
/// ```swift
/// let verifier = try TokenVerifier(keys: "/etc/mediatoken/keys", consent: [adobe], oneUse: .shared("/var/lib/app/replay.table"))
/// let token = try await verifier.verify(body, requestor: "REF30", resource: "TNT")
/// ```
public final class TokenVerifier: Sendable {
  /// An application's own memory is not a store.
  package let store: any Store
  private let custom: (any AsyncReplayMemory)?
  let clock: VerifierClock
  let observer: (@Sendable (VerifierEvent) -> Void)?
  private let trust: Monitor<Trust>
  private let forkMark: ForkMark

  /// The keys that are trusted now, and their source. An object, so that asking for it copies none of its parts.
  final class Trust: Sendable {
    let path: TokenPath
    /// Nil: the program reads them.
    let source: (keys: KeySource, consent: [Fingerprint])?
    /// Their files as they were just before they were read.
    let watch: FileWatch

    init(_ keys: TrustedKeys, _ policy: Policy, _ store: any Store) throws(Fault) {
      path = try TokenPath(trustedKeys: keys, policy: policy, replayMemory: store)
      (source, watch) = (nil, FileWatch([]))
    }

    init(
      reading keys: KeySource, _ consent: [Fingerprint], _ policy: Policy, _ store: any Store
    ) throws(SetupError) {
      (source, watch) = ((keys, consent), FileWatch(keys.paths))
      let trusted = try rethrow(keys.read(consent: .parameter(consent)), as: SetupError.init(keys:))
      path = try rethrow(
        TokenPath(trustedKeys: trusted, policy: policy, replayMemory: store), as: SetupError.init(fault:))
    }
  }

  /// A verifier. It reads the keys and opens the replay memory, and waits for two seconds at most where the nodes of a fleet do
  /// not answer.
  ///
  /// - Parameters:
  ///   - keys: whose signatures count.
  ///   - consent: the fingerprints of keys of less than 2048 bits that are trusted nevertheless; Adobe's production key has 1024.
  ///   - oneUse: whether and how one use is enforced.
  ///   - policy: tolerances, limits and lists of providers.
  ///   - clock: what time it is; tests pass their own, which a table or a fleet refuses.
  ///   - observer: is told what happens, on the task or the thread where it happens; it must not block.
  /// - Throws: ``SetupError``, which names everything that is wrong at once, each with its cure.
  public convenience init(
    keys: KeySource, consent: [Fingerprint] = [], oneUse: OneUse, policy: TokenPolicy = .standard,
    clock: VerifierClock = .system, observer: (@Sendable (VerifierEvent) -> Void)? = nil
  ) throws(SetupError) {
    let store = Result { () throws(SetupError) in try oneUse.open(for: policy, clock) }
    let trust = Result { () throws(SetupError) in
      try Trust(reading: keys, consent, policy, (try? store.get()) ?? NoReplayMemory())
    }
    switch (trust, store) {
    case (.success(let trust), .success):
      do throws(Fault) {
        try self.init(trust, oneUse.ownMemory, clock, observer)
      } catch {
        throw SetupError(fault: error)
      }
    case (.failure(let first), .failure(let second)): throw SetupError(first.problems + second.problems)
    case (.failure(let error), _), (_, .failure(let error)): throw error
    }
  }

  /// For programs that have words of their own for what is wrong.
  package convenience init(keys: TrustedKeys, store: any Store, policy: Policy = .standard) throws(Fault) {
    try self.init(Trust(keys, policy, store), nil, .system, nil)
  }

  private init(
    _ trust: Trust, _ custom: (any AsyncReplayMemory)?, _ clock: VerifierClock,
    _ observer: (@Sendable (VerifierEvent) -> Void)?
  ) throws(Fault) {
    forkMark = try rethrow(ForkMark()) { (_: SystemError) in Fault.internalFault }
    (store, self.custom, self.clock, self.observer) = (trust.path.replayMemory, custom, clock, observer)
    self.trust = Monitor(trust)
  }

  var trusted: Trust { trust.current }

  /// The path of a token by the keys that are trusted now: steps 1 to 6 on the caller's thread, and a step 7 that
  /// waits.
  ///
  /// - Warning: not for a forked child, see ``isForked``.
  package var path: TokenPath { trusted.path }

  // MARK: keys

  /// The fingerprints of the keys that are trusted now.
  public var fingerprints: [Fingerprint] { path.trustedKeys.keys.map(\.fingerprint) }

  /// Trusts other keys from now on. Verifications that are under way end with those of before.
  ///
  /// - Throws: ``SetupError``; then the keys of before stay trusted.
  public func replaceKeys(with keys: KeySource, consent: [Fingerprint] = []) throws(SetupError) {
    trust.exchange(for: try Trust(reading: keys, consent, path.policy, store))
    observer?(.keysReplaced(fingerprints))
  }

  package func replaceKeys(with keys: TrustedKeys) throws(Fault) {
    trust.exchange(for: try Trust(keys, path.policy, store))
  }

  // MARK: forks

  /// True if this process was forked from the one that made the verifier. It takes no lock, which a thread may have had
  /// that is not in this process.
  package var isForked: Bool { forkMark.isForked }

  /// The same verifier for this process, which was forked from the one that made it, and has one thread so far: no
  /// other was inside a call, so locks are free.
  package func reopenedAfterFork<Failure: Error>(
    store ofStore: (Problem) -> Failure, fault ofFault: (Fault) -> Failure
  ) throws(Failure) -> TokenVerifier {
    let path = path
    let store = try rethrow(store.reopenedAfterFork(policy: path.policy), as: ofStore)
    return try rethrow(TokenVerifier(keys: path.trustedKeys, store: store, policy: path.policy), as: ofFault)
  }
}

// MARK: - verifying

extension TokenVerifier {
  /// The verdict about a token, and its one use.
  ///
  /// Steps 1 to 6 take some microseconds on the caller's executor. A table answers at once; only where nodes or a memory of the
  /// application's own are asked, the task is suspended.
  ///
  /// A task that is cancelled before its claim is made spends nothing. One that is cancelled while it waits gets
  /// ``Refusal/cancelled``: its claim goes on, and the token may count as used. For the nodes of a fleet that is at once; a memory of
  /// the application's own is waited for, because it is the task's, too, and may end early by itself. Cancellation never makes a used
  /// token usable again, and never lets one play.
  ///
  /// - Parameters:
  ///   - received: the text as the viewer's client sent it, after HTTP's own decoding.
  ///   - requestor: whom the caller serves.
  ///   - resource: what is about to be played.
  ///   - request: which request of which caller this is, if the replay memory has a retry window.
  /// - Returns: proof that the token is genuine, current, meant for this requestor and resource, and not used before as far as
  ///   ``OneUse`` enforces that.
  /// - Throws: ``Refusal``. A caller that ignores it has no token.
  nonisolated(nonsending) public func verify(
    _ received: String, requestor: ExpectedRequestor, resource: ExpectedResource, request: UseRequest? = nil
  ) async throws(Refusal) -> VerifiedToken {
    try await decide { (path, now) throws(Refusal) in
      try path.qualify(
        received.utf8Span.span, requestor: requestor, resource: resource, at: now, request: request)
    }
  }

  /// The same for the bytes of a request's body.
  nonisolated(nonsending) public func verify(
    _ received: some Collection<UInt8>, requestor: ExpectedRequestor, resource: ExpectedResource,
    request: UseRequest? = nil
  ) async throws(Refusal) -> VerifiedToken {
    // One more than the longest token is as good as all of a longer text.
    let bytes = Array(received.prefix(Limits.receivedBytes + 1))
    return try await decide { (path, now) throws(Refusal) in
      try path.qualify(bytes.span, requestor: requestor, resource: resource, at: now, request: request)
    }
  }

  /// Steps 1 to 6, and no use: for a request that plays nothing, as a `HEAD` before the `GET`. It never waits.
  ///
  /// - Returns: no ``VerifiedToken``, and nothing that may be played.
  /// - Throws: ``Refusal``, as `verify` does before it asks the replay memory.
  public func verifyWithoutUse(
    _ received: String, requestor: ExpectedRequestor, resource: ExpectedResource
  ) throws(Refusal) -> NotSpentToken {
    try trusted.path.verifyWithoutSpending(
      received.utf8Span.span, requestor: requestor, resource: resource, at: clock.now())
  }

  /// `qualify`: steps 1 to 6.
  nonisolated(nonsending) private func decide(
    _ qualify: (TokenPath, UnixTime) throws(Refusal) -> UnspentToken
  ) async throws(Refusal) -> VerifiedToken {
    let start = observer == nil ? 0 : MonotonicTime.now
    func duration() -> Duration { .nanoseconds(Int64(truncatingIfNeeded: MonotonicTime.now &- start)) }
    do throws(Refusal) {
      let token = try await use(qualify(trusted.path, clock.now()))
      observer?(.accepted(token, duration()))
      return token
    } catch {
      observer?(.refused(error, duration()))
      throw error
    }
  }

  /// Step 7. A task that is cancelled by now claims nothing.
  nonisolated(nonsending) private func use(_ token: consuming UnspentToken) async throws(Refusal) -> VerifiedToken {
    if Task.isCancelled { throw .cancelled }
    let answer: Result<UseOutcome, Fault>
    if let custom {
      do throws(Fault) {
        answer = .success(try await custom.spend(token.claim))
      } catch {
        answer = .failure(error)
      }
      if Task.isCancelled { throw .cancelled }
    } else if store.answersLater {
      answer = try await store.spendLater(token.claim)
    } else {
      return try token.spend(in: store)
    }
    return try token.settle(answer)
  }
}
