/// The memory of used tokens. Choosing one is choosing whether one use is enforced; there is no default.
///
/// Only ``spend(_:)-(UseClaim)`` must be written: the rest has answers of a store that has nothing to do besides, and
/// can't fail.
package protocol Store: Sendable {
  /// True if one use is enforced.
  var isEnforced: Bool { get }

  /// Says that a claim of this identity may follow, so that a store can have at hand what it will look at. Nothing is
  /// decided or changed by it: the token is not verified yet.
  ///
  /// - Warning: any client can cause this call, with any identity and as often as it likes: it must not wait, fail or
  ///   remember.
  func prepare(for identity: TokenIdentity)

  /// Spends a token: of all claims of one identity, by all that share the store, at most one is ever
  /// ``UseOutcome/firstUse``. One that must ask others waits for them. If it can't tell or can't remember, it throws
  /// ``Refusal/Fault/replayMemoryUnavailable`` or ``Refusal/Fault/replayMemoryFull``.
  func spend(_ claim: UseClaim) throws(Fault) -> UseOutcome

  /// Spends many tokens, each as if by itself; an answer for each, in order.
  func spend(_ claims: [UseClaim]) -> [Result<UseOutcome, Fault>]

  /// True if it must ask others. A thread with a loop asks it by ``makePendingClaims()``, and a caller of many tokens
  /// spends them together.
  var answersLater: Bool { get }

  /// The same for a task: if others must be asked, it is suspended meanwhile. ``Refusal/cancelled`` if it is cancelled before the
  /// answer is there.
  nonisolated(nonsending) func spendLater(_ claim: UseClaim) async throws(Refusal) -> Result<UseOutcome, Fault>

  /// Made for the calling thread, which alone may use it.
  func makePendingClaims() throws(Fault) -> any PendingClaims

  // MARK: looking after it

  /// A policy that is looser in any of these accepts tokens that the store has forgotten.
  var tolerances: ReplayTolerances { get }

  /// The first setting of a policy that it does not cover; nil if it covers the policy.
  func excess(of policy: Policy) -> ReplayTolerances.Excess?

  /// Does the work that is due, so that no claim has to wait for it. Call it about once a second, at the kernel's time.
  /// While it throws, ``condition(at:)`` may explain why.
  func maintain(at now: Instant) throws(Fault)

  /// The outcome that a claim of a token issued and presented at `now` would have, as far as that is known without
  /// claiming. For health checks: it waits for nothing, and takes some microseconds.
  func condition(at now: Instant) -> ReplayMemoryCondition

  /// For metrics; this may take a millisecond.
  func readings(at now: Instant) -> [ReplayMemoryReading]

  /// The news of the nodes that it asks, for the log: each event once, and at most one per second for each node.
  func takeNodeEvents() -> [NodeNews]

  /// The reasons why nodes can't be asked, as far as they are known, each with its number and its words; nil if all can
  /// be, or there are no nodes.
  var nodeTroubles: String? { get }

  /// The same store for this process, which was forked from the one that opened it. It must still cover the policy.
  func reopenedAfterFork(policy: Policy) throws(Problem) -> Self
}

extension Store {
  package var isEnforced: Bool { true }
  package func prepare(for identity: TokenIdentity) {}
  package func spend(_ claims: [UseClaim]) -> [Result<UseOutcome, Fault>] {
    claims.map { claim in Result { () throws(Fault) in try spend(claim) } }
  }
  package var answersLater: Bool { false }
  nonisolated(nonsending) package func spendLater(
    _ claim: UseClaim
  ) async throws(Refusal) -> Result<UseOutcome, Fault> { Result { () throws(Fault) in try spend(claim) } }
  package func makePendingClaims() throws(Fault) -> any PendingClaims { throw .internalFault }

  package var tolerances: ReplayTolerances { .unlimited }
  package func excess(of policy: Policy) -> ReplayTolerances.Excess? { tolerances.excess(of: policy) }
  package func maintain(at now: Instant) throws(Fault) {}
  package func condition(at now: Instant) -> ReplayMemoryCondition { .usable }
  package func readings(at now: Instant) -> [ReplayMemoryReading] { [] }
  package func takeNodeEvents() -> [NodeNews] { [] }
  package var nodeTroubles: String? { nil }
  package func reopenedAfterFork(policy: Policy) throws(Problem) -> Self { self }
}

/// The store that remembers nothing: one use is **not** enforced. For checking tools, and for callers that enforce it elsewhere.
package struct NoReplayMemory: Store {
  package init() {}

  package var isEnforced: Bool { false }

  package func spend(_ claim: UseClaim) throws(Fault) -> UseOutcome { .notEnforced }
}

extension Store where Self == NoReplayMemory {
  /// One use is **not** enforced.
  package static var none: NoReplayMemory { NoReplayMemory() }
}
