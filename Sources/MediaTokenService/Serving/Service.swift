internal import MediaToken
internal import MediaTokenHTTP
internal import MediaTokenSystem
internal import Synchronization

/// What all workers answer from.
final class Service: Sendable {
  let current: CurrentState
  let metrics: Metrics
  let pages = MetricsPages()
  let log: Log
  /// Whether the next genuine token would be played.
  let readiness: Readiness
  /// Looks after the replay memory and the files that were read.
  let keeper: Keeper
  /// Whether these files have changed since they were read.
  let haveFilesChanged = Monitor(false)
  /// What happens to connections.
  let connections = ServerCounters()
  let verdictLines = LineLimit()
  /// How many handlers were made: each has a number of its own.
  let handlers = Atomic<UInt64>(0)

  init(_ current: CurrentState, _ metrics: Metrics, _ log: Log) {
    self.current = current
    self.metrics = metrics
    self.log = log
    keeper = Keeper(current.latest.verifier.store) { [haveFilesChanged] in haveFilesChanged.exchange(for: true) }
    readiness = Readiness(keeper)
  }

  /// What remembers used tokens: the same for all states.
  var store: any Store { current.latest.verifier.store }

  /// Lets go of the replay memory. For when no worker answers any more.
  func end() {
    pages.end()
    keeper.end()
  }
}
