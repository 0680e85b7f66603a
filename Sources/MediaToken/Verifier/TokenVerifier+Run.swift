internal import MediaTokenSystem

extension TokenVerifier {
  /// Maintains the replay memory and reads the keys again when their files change, until the task is cancelled.
  ///
  /// Without it nothing is granted that should not be, but now and then a claim waits for the disk, and keys stay as
  /// they were read. The work is done on a thread of its own, because disks can make it wait.
  ///
  /// - Throws: ``SetupError`` if the system has no thread left. It returns when the task is cancelled.
  public func run() async throws(SetupError) {
    let keeper = Keeper(store) { [self] in reloadKeys() }
    do throws(SystemError) {
      try keeper.start()
    } catch {
      throw SetupError([.init("oneUse", "no thread is left that could maintain the replay memory: \(error)")])
    }
    defer { keeper.end(waits: false) }
    var (known, condition) = (Trust?.none, ReplayMemoryCondition.usable)
    while !Task.isCancelled {
      if known !== trusted {
        known = trusted
        known.map { keeper.watch($0.watch) }
      }
      let seen = keeper.sight.condition
      if seen != condition {
        condition = seen
        observer?(.replayMemory(condition))
      }
      keeper.ask()
      try? await Task.sleep(for: .seconds(1))
    }
  }

  /// The outcome that the claim of a new token would have now: for health checks. It waits for nothing.
  ///
  /// - Returns: ``ReplayMemoryCondition/usable`` where one use is not enforced, and for a memory of the application's own.
  public var replayMemoryCondition: ReplayMemoryCondition { store.condition(at: .now) }

  private func reloadKeys() {
    guard let source = trusted.source else { return }
    do throws(SetupError) {
      try replaceKeys(with: source.keys, consent: source.consent)
    } catch {
      observer?(.keysKept(error))
    }
  }
}
