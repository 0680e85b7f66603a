internal import MediaTokenSystem

extension TokenVerifier {
  /// Maintains the replay memory and reads the keys again when their files change, until the task is cancelled.
  ///
  /// Without it nothing is granted that should not be, but now and then a claim waits for the disk, and keys stay as they were read.
  /// The work is done on a thread of its own, because disks can make it wait.
  ///
  /// - Throws: ``SetupError`` if the system has no thread left. It returns when the task is cancelled.
  public func run() async throws(SetupError) {
    let care = VerifierCare(self)
    do throws(SystemError) {
      try await care.run()
    } catch {
      throw SetupError([.init("oneUse", "no thread is left that could maintain the replay memory: \(error)")])
    }
  }

  /// What a new token would meet at the replay memory now: for health checks. It waits for nothing.
  ///
  /// - Returns: ``ReplayMemoryCondition/usable`` where one use is not enforced, and for a memory of the application's own.
  public var replayMemoryCondition: ReplayMemoryCondition { store.condition(at: .now) }
}

/// What ``TokenVerifier/run()`` does, about once a second.
private final class VerifierCare: Sendable {
  private let verifier: TokenVerifier
  private let state = Monitor(State())

  private struct State {
    var isCancelled = false
    var hasEnded = false
    var continuation: CheckedContinuation<Void, Never>?
  }

  private static let pauseMilliseconds: UInt64 = 1000

  init(_ verifier: TokenVerifier) { self.verifier = verifier }

  func run() async throws(SystemError) {
    try WorkerThread { [self] in
      work()
      let continuation = state.change { state in
        state.hasEnded = true
        return state.continuation.take()
      }
      continuation?.resume()
    }.detach()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let hasEnded = state.change { state in
          if !state.hasEnded { state.continuation = continuation }
          return state.hasEnded
        }
        if hasEnded { continuation.resume() }
      }
    } onCancel: {
      state.change { $0.isCancelled = true }
    }
  }

  private func work() {
    var known = verifier.trusted
    var watch = known.watch
    var condition = ReplayMemoryCondition.usable
    while !state.current.isCancelled {
      // What it can't do is what the condition says.
      try? verifier.store.maintain(at: .now)
      let seen = verifier.replayMemoryCondition
      if seen != condition {
        condition = seen
        verifier.observer?(.replayMemory(condition))
      }
      if verifier.trusted.generation != known.generation {
        known = verifier.trusted
        watch = known.watch
      } else if watch.hasSettledChange(at: MonotonicTime.now) {
        reload(known)
      }
      state.wait(atMostMilliseconds: Self.pauseMilliseconds) { $0.isCancelled }
    }
  }

  private func reload(_ known: TokenVerifier.Trust) {
    do throws(SetupError) {
      try verifier.reloadKeys(known)
    } catch {
      verifier.observer?(.keysKept(error))
    }
  }
}
