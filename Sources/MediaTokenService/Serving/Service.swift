internal import MediaToken
internal import MediaTokenHTTP
internal import MediaTokenSystem
internal import Synchronization

/// The common state of all workers.
final class Service: Sendable {
  let current: CurrentState
  let metrics: Metrics
  let pages = MetricsPages()
  let log: Log
  let readiness: Readiness
  let keeper: Keeper
  /// True if these files have changed since they were read.
  let haveFilesChanged = Monitor(false)
  let connections = ServerCounters()
  let verdictLines = LineLimit()
  /// Each handler has a number of its own.
  let handlers = Atomic<UInt64>(0)

  init(_ current: CurrentState, _ metrics: Metrics, _ log: Log) {
    self.current = current
    self.metrics = metrics
    self.log = log
    keeper = Keeper(current.latest.verifier.store) { [haveFilesChanged] in haveFilesChanged.exchange(for: true) }
    readiness = Readiness(keeper)
  }

  /// The same for all states.
  var store: any Store { current.latest.verifier.store }

  /// Called when no worker answers any more.
  func end() { keeper.end() }
}
