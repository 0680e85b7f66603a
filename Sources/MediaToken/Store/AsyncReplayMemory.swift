/// A replay memory of the application's own: an actor in a test, or a database.
///
/// The rules, which `ReplayMemoryConformance` of the module `MediaTokenTesting` checks:
///
/// - Of all claims of one ``UseClaim/identity``, by all tasks, processes and hosts that share the memory, at most one is ever
///   answered with ``UseOutcome/firstUse``, also while claims run at the same time, and after a crash.
/// - It remembers a used token until ``UseClaim/issueTime`` + ``UseClaim/lifetime`` and the policy's tolerance have passed.
/// - When in doubt it throws: an answer that is lost, late or unclear is no first use.
/// - What it may have forgotten it does not grant: after a loss it answers ``UseOutcome/predatesMemory`` to tokens that were issued
///   before the moment from which it remembers everything.
/// - A task that is cancelled may get a fault; a use that was granted stays used.
public protocol AsyncReplayMemory: Sendable {
  /// Spends a token, once. It limits by itself how long it may take.
  ///
  /// - Throws: ``Refusal/Fault/replayMemoryUnavailable`` or ``Refusal/Fault/replayMemoryFull`` if it can't tell or
  ///   can't remember.
  func spend(_ claim: UseClaim) async throws(Refusal.Fault) -> UseOutcome
}
