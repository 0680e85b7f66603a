internal import MediaTokenSystem

/// The replay memory of a ``TokenVerifier``, open.
enum VerifierMemory: Sendable {
  /// Answers at once: a table, or none.
  case atOnce(OpenReplayMemory)
  /// Asks nodes, and suspends the task until they answer.
  case exchanged(ClaimExchange, any MaintainedReplayMemory)
  /// The application's own.
  case custom(any AsyncReplayMemory)

  /// - Throws: ``SetupError`` for a memory that can't be opened, and for a clock that others do not share.
  init(opening oneUse: OneUse, for policy: TokenPolicy, _ clock: VerifierClock) throws(SetupError) {
    switch oneUse.choice {
    case .notEnforced: self = .atOnce(.notEnforced)
    case .custom(let memory): self = .custom(memory)
    case .opened(let address, let window, let settings):
      guard clock.isSystem else {
        throw SetupError([
          .init(
            "clock",
            "a replay memory that is shared with others has the kernel's clock; leave the clock out, or take OneUse.custom with the memory of MediaTokenTesting in tests"
          )
        ])
      }
      let opened: OpenReplayMemory
      do throws(ReplayMemoryError) {
        opened = try ReplayAddress(address).open(
          policy: policy, retryWindowMilliseconds: window.milliseconds, fleet: settings)
      } catch {
        throw SetupError([.init("oneUse", error.description)])
      }
      guard let maintained = opened.maintained, let fleet = maintained as? any LaterReplayMemory else {
        self = .atOnce(opened)
        return
      }
      do throws(SystemError) {
        self = .exchanged(try ClaimExchange(fleet), maintained)
      } catch {
        throw SetupError([.init("oneUse", "no thread or descriptor is left for the fleet's answers: \(error)")])
      }
    }
  }

  /// What is told of a token before it is verified.
  var prepared: any ReplayMemory {
    switch self {
    case .atOnce(let opened): opened.memory
    case .exchanged(_, let memory): memory
    case .custom: .none
    }
  }

  /// The memory that must be maintained; nil where nothing must be.
  var maintained: (any MaintainedReplayMemory)? {
    switch self {
    case .atOnce(let opened): opened.maintained
    case .exchanged(_, let memory): memory
    case .custom: nil
    }
  }

  /// Spends a token.
  ///
  /// - Throws: ``Refusal/cancelled`` if the task was cancelled while it waited for nodes.
  nonisolated(nonsending) func spend(_ claim: UseClaim) async throws(Refusal) -> Result<UseOutcome, Fault> {
    switch self {
    case .atOnce(let opened): return Result { () throws(Fault) in try opened.memory.spend(claim) }
    case .exchanged(let exchange, _): return try await exchange.spend(claim)
    case .custom(let memory):
      do throws(Fault) {
        return .success(try await memory.spend(claim))
      } catch {
        return .failure(error)
      }
    }
  }
}
