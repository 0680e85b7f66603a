internal import MediaTokenSystem

/// A claim whose task is suspended until it is answered or cancelled, whichever comes first; the other finds it over.
///
/// The task is resumed once. An answer that comes to a cancelled task is dropped with what it grants: the token counts
/// as the replay memory says, and is not played.
final class ClaimWaiter: Sendable {
  let claim: UseClaim
  /// Unique in its exchange.
  let number: UInt64
  private let state = Monitor(Progress.created)

  enum End: Sendable {
    case answered(Result<UseOutcome, Fault>)
    case cancelled
  }

  private enum Progress {
    case created
    case suspended(CheckedContinuation<End, Never>)
    case over
  }

  init(_ claim: UseClaim, number: UInt64) { (self.claim, self.number) = (claim, number) }

  /// The task is suspended from now on. False if it was cancelled before, and is resumed already: nothing is to be
  /// claimed.
  func suspend(_ continuation: CheckedContinuation<End, Never>) -> Bool {
    let isCancelled = state.change { state in
      if case .over = state { return true }
      state = .suspended(continuation)
      return false
    }
    if isCancelled { continuation.resume(returning: .cancelled) }
    return !isCancelled
  }

  /// Called on any thread.
  func end(_ end: End) {
    let continuation: CheckedContinuation<End, Never>? = state.change { state in
      defer { state = .over }
      if case .suspended(let continuation) = state { return continuation }
      return nil
    }
    continuation?.resume(returning: end)
  }

  /// True if the task no longer waits for an answer.
  var isOver: Bool {
    if case .over = state.current { true } else { false }
  }
}
