internal import MediaTokenSystem

/// A claim whose task is suspended until it is answered or cancelled, whichever comes first; the other finds it over.
///
/// The task is resumed once. An answer that comes to a cancelled task is dropped with what it grants: the token counts as the
/// replay memory says, and no one plays it.
final class ClaimWaiter: Sendable {
  let claim: UseClaim
  /// What it is called in its exchange, and no other is.
  let number: UInt64
  private let state = Monitor(State.created)

  enum End: Sendable {
    case answered(Result<UseOutcome, Fault>)
    case cancelled
  }

  private enum State {
    case created
    case suspended(CheckedContinuation<End, Never>)
    case over
  }

  init(_ claim: UseClaim, number: UInt64) { (self.claim, self.number) = (claim, number) }

  /// The task is suspended from now on.
  ///
  /// - Returns: false if it was cancelled before, and is resumed already: nothing is to be claimed.
  func suspend(_ continuation: CheckedContinuation<End, Never>) -> Bool {
    let isCancelled = state.change { state in
      if case .over = state { return true }
      state = .suspended(continuation)
      return false
    }
    if isCancelled { continuation.resume(returning: .cancelled) }
    return !isCancelled
  }

  /// Ends it, from any thread.
  func end(_ end: End) {
    let continuation: CheckedContinuation<End, Never>? = state.change { state in
      defer { state = .over }
      if case .suspended(let continuation) = state { return continuation }
      return nil
    }
    continuation?.resume(returning: end)
  }

  /// Whether no one waits for an answer.
  var isOver: Bool {
    if case .over = state.current { true } else { false }
  }
}
