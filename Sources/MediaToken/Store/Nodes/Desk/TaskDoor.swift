internal import MediaTokenSystem

extension ClaimDesk {
  /// Spends a token for a task, which is suspended until there is an answer.
  ///
  /// ``Refusal/cancelled`` if the task was cancelled before: a claim that no node was asked about is given up then, and its token stays
  /// unused; any other goes on.
  nonisolated(nonsending) func askLater(_ claim: UseClaim) async throws(Refusal) -> Result<UseOutcome, Fault> {
    let new: NewClaim
    do throws(Fault) {
      if let outcome = try outcomeWithoutNodes(of: claim) { return .success(outcome) }
      var ballots = BallotSource(atOnce: 1)
      new = try ballots.newClaim(claim, named: 0, of: .tasks, in: fleet)
    } catch {
      return .failure(error)
    }
    let door = TaskDoor()
    let end = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if door.suspend(continuation) { ask([new], of: door, at: MonotonicTime.now) }
      }
    } onCancel: {
      if let number = door.leave() { withdraw(number, at: MonotonicTime.now) }
    }
    guard let end else { throw .cancelled }
    return end.settled()
  }
}

/// The door of one task.
final class TaskDoor: ClaimDoor {
  private let state = Monitor(TaskState.created)

  private enum TaskState {
    case created
    /// With the claim's number, once the desk has it.
    case suspended(CheckedContinuation<ClaimEnd?, Never>, UInt64?)
    case over
  }

  /// The task is suspended from now on. False if it was cancelled before, and is resumed already.
  func suspend(_ continuation: CheckedContinuation<ClaimEnd?, Never>) -> Bool {
    let isCancelled = state.change { state in
      if case .over = state { return true }
      state = .suspended(continuation, nil)
      return false
    }
    if isCancelled { continuation.resume(returning: nil) }
    return !isCancelled
  }

  func takes(_ name: UInt64, as number: UInt64) -> Bool {
    state.change { state in
      guard case .suspended(let continuation, _) = state else { return false }
      state = .suspended(continuation, number)
      return true
    }
  }

  /// The task was cancelled. The claim's number if the desk has it.
  func leave() -> UInt64? {
    let (continuation, number) = finish()
    continuation?.resume(returning: nil)
    return number
  }

  func put(_ end: ClaimEnd) -> Bool {
    let (continuation, _) = finish()
    continuation?.resume(returning: end)
    return continuation != nil
  }

  private func finish() -> (CheckedContinuation<ClaimEnd?, Never>?, UInt64?) {
    state.change { state in
      defer { state = .over }
      if case .suspended(let continuation, let number) = state { return (continuation, number) }
      return (nil, nil)
    }
  }
}
