internal import MediaToken
internal import MediaTokenSystem

/// What a `mediatoken_verifier` is: a verifier whose keys can be exchanged, and the process that it belongs to.
final class VerifierState: @unchecked Sendable {
  // Sendable, because it is exchanged only in a forked child, before that has other threads (mediatoken.h).
  private var home: Home

  /// A verifier with its replay memory, and the process that made it.
  private struct Home {
    let mark: ForkMark
    let memory: OpenReplayMemory
    let verifier: Monitor<TokenPath>
  }

  private let retryWindowMilliseconds: Int64
  /// Whether one use is enforced.
  let isEnforced: Bool

  /// - Throws: what is wrong with keys, policy or replay memory.
  init(
    _ keys: TrustedKeys, _ choices: PolicyChoices, _ address: ReplayAddress
  ) throws(Failure) {
    if address == .none, choices.retryWindowMilliseconds != 0 {
      throw .badArgument("retry_window_ms is given with none:, which remembers nothing")
    }
    if let settings = choices.fleet {
      guard case .fleet(let fleet) = address else {
        throw .badArgument(
          "fleet_... or local_table is given, but replay is not a fleet's, \(FleetAddress.forms)")
      }
      guard settings.graceSeconds == nil || fleet.hasGrace else {
        throw .badArgument("fleet_grace_seconds is given, but replay is not \(FleetAddress.databaseForm)")
      }
    }
    retryWindowMilliseconds = choices.retryWindowMilliseconds
    isEnforced = address != .none
    let memory = try rethrow(
      address.open(
        policy: choices.policy, retryWindowMilliseconds: choices.retryWindowMilliseconds,
        fleet: choices.fleet ?? .standard)
    ) { (error: ReplayMemoryError) in Failure(error) }
    home = try Self.home(keys, choices.policy, memory)
  }

  /// The verifier of this process.
  ///
  /// - Throws: ``Failure/forked`` in a child that did not call ``afterFork()``.
  func current() throws(Failure) -> TokenPath {
    // Before any lock: in a forked child the thread that would open it may not exist.
    guard !home.mark.isForked else { throw .forked }
    return home.verifier.current
  }

  /// Whether the same request may be answered again.
  var hasRetryWindow: Bool { retryWindowMilliseconds >= 1000 }

  /// Exchanges the keys. The replay memory stays the same object, so that nothing is forgotten.
  func setKeys(_ keys: TrustedKeys) throws(Failure) {
    let old = try current()
    home.verifier.exchange(for: try Self.verifier(keys, old.policy, old.replayMemory))
  }

  /// Makes the verifier this process's own, if it is a child of the one that made it.
  func afterFork() throws(Failure) {
    guard home.mark.isForked else { return }
    // There is one thread, and there was none inside a call when it was made: the lock is free.
    let old = home.verifier.current
    var memory = home.memory
    if case .enforced(let maintained) = memory {
      memory = try rethrow(OpenReplayMemory.enforced(maintained.reopenedAfterFork(policy: old.policy))) {
        (error: ReplayMemoryError) in
        Failure(error)
      }
    }
    home = try Self.home(old.trustedKeys, old.policy, memory)
  }

  private static func home(
    _ keys: TrustedKeys, _ policy: Policy, _ memory: OpenReplayMemory
  ) throws(Failure) -> Home {
    let verifier = try verifier(keys, policy, memory.memory)
    let mark = try rethrow(ForkMark()) { (_: SystemError) in Failure(.internalFault) }
    return Home(mark: mark, memory: memory, verifier: Monitor(verifier))
  }

  private static func verifier(
    _ keys: TrustedKeys, _ policy: Policy, _ memory: any ReplayMemory
  ) throws(Failure) -> TokenPath {
    try rethrow(TokenPath(trustedKeys: keys, policy: policy, replayMemory: memory)) { (error: Fault) in
      Failure(error)
    }
  }
}
