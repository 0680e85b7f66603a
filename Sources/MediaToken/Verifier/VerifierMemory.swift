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
    case .table(let path, let capacity, let window):
      try Self.check(clock)
      self = .atOnce(
        try Self.blamed { () throws(ReplayMemoryError) in
          guard !path.isEmpty, !path.utf8.contains(0) else { throw .address(.emptyPath) }
          return try ReplayAddress.shared(path: ExactText(path), capacity: capacity)
            .open(policy: policy, retryWindowMilliseconds: window.milliseconds)
        })
    case .fleet(let text, let settings, let window):
      try Self.check(clock)
      let address = try Self.blamed { () throws(ReplayMemoryError) in try ReplayAddress(text) }
      // "none:" and a table are other choices, which are made by their names.
      guard case .fleet = address else {
        throw SetupError([
          .init("oneUse", "expected the address of a fleet, \(FleetAddress.forms), found another one")
        ])
      }
      let opened = try Self.blamed { () throws(ReplayMemoryError) in
        try address.open(policy: policy, retryWindowMilliseconds: window.milliseconds, fleet: settings)
      }
      guard let maintained = opened.maintained, let fleet = maintained as? any LaterReplayMemory else {
        preconditionFailure("a fleet is a memory that answers later")
      }
      do throws(SystemError) {
        self = .exchanged(try ClaimExchange(fleet), maintained)
      } catch {
        throw SetupError([.init("oneUse", "no thread or descriptor is left for the fleet's answers: \(error)")])
      }
    }
  }

  private static func check(_ clock: VerifierClock) throws(SetupError) {
    if clock.isSystem { return }
    throw SetupError([
      .init(
        "clock",
        "a replay memory that is shared with others has the kernel's clock; leave the clock out, or take OneUse.custom with the memory of MediaTokenTesting in tests"
      )
    ])
  }

  private static func blamed<Value>(_ open: () throws(ReplayMemoryError) -> Value) throws(SetupError) -> Value {
    do throws(ReplayMemoryError) {
      return try open()
    } catch {
      throw SetupError([.init("oneUse", error.description)])
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
