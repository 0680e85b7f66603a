internal import MediaToken
internal import MediaTokenSystem

/// The object that C knows as `mediatoken_verifier`: a verifier, which a forked child exchanges for one of its own.
final class VerifierState: @unchecked Sendable {
  // Sendable, because it is exchanged only in a forked child, before that has other threads (mediatoken.h).
  private var verifier: TokenVerifier
  let isEnforced: Bool
  /// True if the same request may be answered again.
  let hasRetryWindow: Bool

  init(
    _ keys: TrustedKeys, _ choices: PolicyChoices, _ replay: String
  ) throws(Failure) {
    let (move, address) = try rethrow(Self.read(replay)) { (error: Problem) in
      Failure.badArgument("replay: \(error)")
    }
    if address == .none, choices.retryWindowMilliseconds != 0 {
      throw .badArgument("retry_window_ms is given with none:, which remembers nothing")
    }
    if let settings = choices.fleet {
      guard case .fleet(let fleet) = address else {
        throw .badArgument(
          "fleet_... or local_table is given, but replay is not a fleet's, \(FleetAddress.forms)")
      }
      guard settings.graceSeconds == nil || fleet.hasGrace || move?.from.hasGrace == true else {
        throw .badArgument("fleet_grace_seconds is given, but replay is not \(FleetAddress.databaseForm)")
      }
    }
    isEnforced = address != .none
    hasRetryWindow = choices.retryWindowMilliseconds >= 1000
    let store = try rethrow(Self.open(move, address, choices)) { (error: Problem) in Failure(error) }
    verifier = try rethrow(TokenVerifier(keys: keys, store: store, policy: choices.policy)) { (fault: Fault) in
      Failure(fault)
    }
  }

  /// While hosts move the address is that of the new fleet.
  private static func read(_ text: String) throws(Problem) -> (MovingAddress?, ReplayAddress) {
    if let move = try MovingAddress(text) { return (move, .fleet(move.to)) }
    return (nil, try ReplayAddress(text))
  }

  private static func open(
    _ move: MovingAddress?, _ address: ReplayAddress, _ choices: PolicyChoices
  ) throws(Problem) -> any Store {
    let (settings, window) = (choices.fleet ?? .standard, choices.retryWindowMilliseconds)
    guard let move else {
      return try address.open(policy: choices.policy, retryWindowMilliseconds: window, fleet: settings)
    }
    return try MovableFleet(
      opening: move.plan(choices.policy, settings, retryWindowMilliseconds: window), at: .now)
  }

  /// - Throws: ``Failure/forked`` in a child that did not call ``afterFork()``.
  func path() throws(Failure) -> TokenPath { try current().path }

  /// The replay memory stays the same object, so that nothing is forgotten.
  func setKeys(_ keys: TrustedKeys) throws(Failure) {
    let verifier = try current()
    try rethrow(verifier.replaceKeys(with: keys)) { (fault: Fault) in Failure(fault) }
  }

  /// Makes the verifier this process's own, if it is a child of the one that made it.
  func afterFork() throws(Failure) {
    guard verifier.isForked else { return }
    verifier = try verifier.reopenedAfterFork(store: { Failure($0) }, fault: { Failure($0) })
  }

  private func current() throws(Failure) -> TokenVerifier {
    guard !verifier.isForked else { throw .forked }
    return verifier
  }
}
