package import MediaToken
internal import MediaTokenFormats
internal import MediaTokenIssuer
internal import MediaTokenSystem
internal import Synchronization

/// Everything between the sockets and the replay memory: the service, and its upkeep. Requests are answered on many
/// threads; everything in here is called by one, the main thread, which waits for signals.
package final class Daemon {
  private let source: ConfigurationSource
  let log: Log
  private let current: CurrentState
  private let metrics: Metrics
  let service: Service
  /// The last report about being ready.
  private var reportedProblem: Condition?

  /// A reload exchanges parts of it.
  package var configuration: Configuration { current.latest.configuration }

  private var store: any Store { service.store }

  /// Nil unless this daemon answers in Adobe Pass's place.

  /// Reads configuration and keys and opens the replay memory. The error names the file and the key.
  package init(_ source: ConfigurationSource, _ log: Log) throws(Problem) {
    // Each file is looked at before it is read, so that a change in the meantime is noticed.
    var watch = FileWatch([source.file].compactMap(\.self))
    let configuration = try source.configuration()
    watch.follow(source.watchedPaths(configuration))
    let verifier = try source.verifier(configuration, ReplayLoading.open(configuration, source))
    current = CurrentState(try ServingState(configuration, verifier, file: source.file))
    metrics = Metrics()
    service = Service(current, metrics, log)
    service.keeper.watch(watch)
    self.source = source
    self.log = log
    logWarnings()
  }

  /// Reads configuration and keys again, and exchanges them whole, or keeps them and says why.
  package func reload() {
    var watch = FileWatch(source.watchedPaths(configuration))
    defer { service.keeper.watch(watch) }
    do throws(Problem) {
      let configuration = try source.configuration()
      let step = try ReplayLoading.step(of: store, to: configuration, source)
      var compared = configuration
      if step != nil { compared.replay = self.configuration.replay }
      if let section = compared.sectionThatNeedsRestart(comparedWith: self.configuration) {
        throw Problem.setting(section, of: source.file, "a running daemon cannot change this", cure: "restart it")
      }
      watch.follow(source.watchedPaths(configuration))
      let verifier = try source.verifier(configuration, store)
      if step == nil { try ReplayLoading.check(store, covers: configuration, source) }
      let state = try ServingState(configuration, verifier, file: source.file)
      // Nothing after this can fail.
      try ReplayLoading.readCredentialsAgain(of: store, before: step, source)
      if let step {
        (store as? MovableFleet)?.take(step)
        log.say(.warning, "moving", step.sentence)
      }
      current.exchange(for: state)
      metrics.lastReloadSuccessful.store(true, ordering: .sequentiallyConsistent)
      log.write(.info, "reloaded") { $0.member("keys", state.keys.map(\.fingerprint.description)) }
      logWarnings()
    } catch {
      metrics.lastReloadSuccessful.store(false, ordering: .sequentiallyConsistent)
      log.say(.error, "reload-failed", "\(error.description); the old set stays in use")
    }
  }

  /// Twice a second: reloads if a file changed, maintains the replay memory, and logs a change of readiness. `time` is
  /// on the clock that is never set, in nanoseconds; by it a changed file has settled.
  package func tick(at time: UInt64 = MonotonicTime.now) {
    service.keeper.tick(at: time)
    let haveFilesChanged = service.haveFilesChanged.change { haveChanged in
      defer { haveChanged = false }
      return haveChanged
    }
    if haveFilesChanged { reload() }
    logNodes()
    report(service.readiness.problem(current.latest, at: .now))
  }

  /// The service manager's line: whether tokens are played, and why not.
  package var status: String { service.readiness.sentence(service.readiness.problem(current.latest, at: .now)) }

  /// From now on `/readyz` says that no new work is wanted.
  package func beginDraining() { service.readiness.beginDraining() }

  /// Lets go of the replay memory, so that it is closed with the daemon: a table that its last user did not close
  /// refuses tokens for a minute after the next boot. Called when no worker answers any more.
  package func end() { service.end() }

  private func report(_ problem: Condition?) {
    guard problem != reportedProblem, problem != .draining else { return }
    reportedProblem = problem
    guard let problem else { return log.say(.info, "ready", "tokens are played") }
    log.write(problem == .memoryNew ? .warning : .error, "not-ready") { writer in
      writer.member("reason", problem.rawValue)
      writer.member("message", "\(service.readiness.detail(of: problem)); \(service.readiness.cure(of: problem))")
    }
  }

  /// The memory gives at most one event per second for each node.
  private func logNodes() {
    for news in store.takeNodeEvents() { log.write(news) }
  }

  private func logWarnings() {
    for (event, text) in current.latest.warnings { log.say(.warning, event, text) }
    if !store.isEnforced { log.say(.warning, "replay-none", ReplayLoading.notEnforced) }
  }
}
