internal import MediaToken

/// The reason why a replay memory gave no verdict, for people, and the command that says more.
enum ReplayCause {
  /// The end of a message; empty where nothing can be said.
  static func words(_ fault: Fault, from store: any Store) -> String {
    guard store.isEnforced, fault == .replayMemoryUnavailable || fault == .replayMemoryFull else { return "" }
    // A moment later, so it may have passed.
    let causes = [store.condition(at: .now).cause, store.nodeTroubles]
    let cause = causes.compactMap { $0.map { "; \($0)" } }.joined()
    let command =
      store is SharedReplayTable
      ? "mediatoken replay info with the table's path says more"
      : "mediatoken replay nodes with the same --replay or --config says which node is why"
    return "\(cause); \(command)"
  }
}
