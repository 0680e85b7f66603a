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
  let memory: VerifierMemory
  let clock: VerifierClock
  let observer: (@Sendable (VerifierEvent) -> Void)?
  private let policy: TokenPolicy
  private let trust: Monitor<Trust>

  /// What keys are trusted now, and where they are from.
  struct Trust: Sendable {
    let path: TokenPath
    let source: KeySource
    let consent: [Fingerprint]
    /// What their files were just before they were read.
    let watch: FileWatch
    /// How often the keys were exchanged.
    var generation = 0
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
    var problems: [SetupError.Problem] = []
    func collect<Value>(_ body: () throws(SetupError) -> Value) -> Value? {
      do throws(SetupError) {
        return try body()
      } catch {
        problems += error.problems
        return nil
      }
    }
    let watch = FileWatch(keys.paths)
    let trusted = collect { () throws(SetupError) in try keys.read(consent: consent) }
    let memory = collect { () throws(SetupError) in try VerifierMemory(opening: oneUse, for: policy, clock) }
    guard let trusted, let memory else { throw SetupError(problems) }
    let path = try Self.path(trusted, policy, memory)
    self.init(Trust(path: path, source: keys, consent: consent, watch: watch), memory, policy, clock, observer)
  }

  private init(
    _ trust: Trust, _ memory: VerifierMemory, _ policy: TokenPolicy, _ clock: VerifierClock,
    _ observer: (@Sendable (VerifierEvent) -> Void)?
  ) {
    (self.memory, self.policy, self.clock, self.observer) = (memory, policy, clock, observer)
    self.trust = Monitor(trust)
  }

  private static func path(
    _ keys: TrustedKeys, _ policy: TokenPolicy, _ memory: VerifierMemory
  ) throws(SetupError) -> TokenPath {
    do throws(Fault) {
      return try TokenPath(trustedKeys: keys, policy: policy, replayMemory: memory.prepared)
    } catch {
      throw SetupError([.init("keys", "OpenSSL can't work with them (\(error.answer.wireName))")])
    }
  }

  // MARK: keys

  var trusted: Trust { trust.current }

  /// The fingerprints of the keys that are trusted now.
  public var fingerprints: [Fingerprint] { trusted.path.trustedKeys.keys.map(\.fingerprint) }

  /// Trusts other keys from now on. Verifications that are under way end with those of before.
  ///
  /// - Throws: ``SetupError``; then the keys of before stay trusted.
  public func replaceKeys(with keys: KeySource, consent: [Fingerprint] = []) throws(SetupError) {
    let watch = FileWatch(keys.paths)
    let path = try Self.path(try keys.read(consent: consent), policy, memory)
    let new = Trust(path: path, source: keys, consent: consent, watch: watch)
    // Freed after the lock.
    let former = trust.change { trust in
      let former = trust
      trust = new
      trust.generation = former.generation + 1
      return former
    }
    _ = consume former
    observer?(.keysReplaced(path.trustedKeys.keys.map(\.fingerprint)))
  }

  /// Reads the keys again from where they are; unless they were exchanged meanwhile.
  func reloadKeys(_ known: Trust) throws(SetupError) {
    if trusted.generation == known.generation { try replaceKeys(with: known.source, consent: known.consent) }
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
  /// ``Refusal/cancelled`` at once: its claim goes on, and the token may count as used. Cancellation never makes a used token
  /// usable again, and never lets one play.
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

  /// All steps, and what the observer is told.
  ///
  /// - Parameter qualify: steps 1 to 6.
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
    let answer = try await memory.spend(token.claim)
    return try token.settle(answer)
  }
}
