package import MediaToken
internal import MediaTokenHTTP
internal import MediaTokenSystem
internal import Synchronization

/// Listeners that the service manager made for us. Taken before any other thread starts, because that changes the
/// environment.
package struct InheritedListeners: Sendable {
  fileprivate let sockets: [ListeningSocket]

  /// There may be none. Anything else that was handed over is an error.
  package init() throws(Problem) {
    sockets = try rethrow(InheritedSockets.take(), as: Problem.blaming("socket"))
  }
}

package final class RunningServer: Sendable {
  private let server: Monitor<Server?>
  /// It has its own thread, connections and counters.
  private let inspector: Monitor<Server?>
  private let isFinished = Atomic<Bool>(false)

  /// Opens the sockets and starts to answer. The error names the socket and the cure.
  package init(_ daemon: Daemon, _ inherited: InheritedListeners) throws(Problem) {
    let configuration = daemon.configuration
    let listeners = try Self.listeners(configuration, inherited.sockets)
    let service = daemon.service
    var options = ServerOptions(configuration)
    let (limit, warning) = try Self.connections(configuration)
    if let warning { daemon.log.say(.warning, "descriptors", warning) }
    options.connectionLimit = limit
    let takesTCP = configuration.tcp?.mayVerify != true
    options.spareTakesTCP = takesTCP
    // First: a daemon that is ready has it, and one that can't have it gives no verdict before it ends.
    inspector = Monitor(try Self.inspector(configuration, daemon))
    server = Monitor(nil)
    var spare: (@Sendable () -> any RequestHandler)?
    if service.store.isEnforced { spare = { Handler(service, isSpare: true, keepsTCP: takesTCP) } }
    do throws(Problem) {
      let started = try rethrow(
        Server(listeners: listeners, options: options, counters: service.connections, spare: spare) {
          Handler(service)
        }
      ) { (error: SystemError) in Problem.setting("threads", "cannot start: \(error.description)") }
      server.change { $0 = started }
    } catch {
      stopInspector()
      throw error
    }
  }

  /// Nil if it is not wanted.
  private static func inspector(
    _ configuration: Configuration, _ daemon: Daemon
  ) throws(Problem) -> sending Server? {
    guard let inspector = configuration.inspector, let address = inspector.place,
      let place = configuration.places().first(where: { $0.key == "inspector" })
    else { return nil }
    let key = place.key
    let listener = try rethrow(place.open(), as: Problem.blaming(key))
    let options = ServerOptions(configuration, ofInspector: inspector)
    let service = daemon.service
    let server = try rethrow(
      Server(listeners: [listener], options: options) { InspectorHandler(service) }
    ) { (error: SystemError) in Problem.setting(key, "cannot start: \(error.description)") }
    daemon.log.say(.info, "inspector", "explaining refusals at \(address.text)")
    return server
  }

  private func stopInspector() { _ = inspector.change { $0.take() }?.stop(within: .zero) }

  /// Stops on a thread of its own; ``hasStopped`` says when. Once only. `whenDone` is called with the number of
  /// connections that had to be cut.
  package func stop(withinMilliseconds limit: Int64, _ whenDone: @escaping @Sendable (Int) -> Void) {
    WorkerThread.runDetached { [self] in
      let cut = server.change { $0.take() }?.stop(within: .milliseconds(limit)) ?? 0
      // After the verdicts: it may wait for a look at the nodes of a fleet.
      stopInspector()
      whenDone(cut)
      isFinished.store(true, ordering: .sequentiallyConsistent)
    }
  }

  /// True if every connection is closed and no thread answers any more.
  package var hasStopped: Bool { isFinished.load(ordering: .sequentiallyConsistent) }

  /// The most connections at once: the number of the configuration, but few enough for the daemon itself to open files.
  /// Keys must be reloaded and metrics read also when all connections are in use. A smaller number comes with a
  /// warning.
  static func connections(_ configuration: Configuration) throws(Problem) -> (limit: Int, warning: String?) {
    let wanted = configuration.limits.connections
    DescriptorLimit.raise()
    guard let left = DescriptorLimit.left else { return (wanted, nil) }
    // For each worker and the spare one two of its poller and two of callers', of which most hosts have no more; and two of the
    // listener's poller.
    var own = ownDescriptors + 4 * (configuration.workers + 1) + 2 + configuration.fleetDescriptors
    // Of the inspector: its connections, two pollers and the listener with its lock; and what a look takes.
    if configuration.inspector != nil {
      own += ServerOptions.inspectorConnections + 8 + configuration.lookDescriptors
    }
    guard left > own else {
      throw Problem.setting(
        "limits.connections",
        "expected at least \(own + 1) more file descriptors, found \(left)",
        cure: "raise the limit (LimitNOFILE=, ulimit -n)"
      )
    }
    guard left - own < wanted else { return (wanted, nil) }
    return (
      left - own,
      "at most \(left - own) connections at once, and not \(wanted): raise the limit of file descriptors (LimitNOFILE=, ulimit -n), or lower limits.connections"
    )
  }

  /// Descriptors that the daemon keeps for itself: a reload reads one file after another in folders below each other, and the
  /// metrics two of the system's.
  private static let ownDescriptors = 32

  private static func listeners(
    _ configuration: Configuration, _ inherited: [ListeningSocket]
  ) throws(Problem) -> [ListeningSocket] {
    var listeners = inherited
    for place in configuration.places() {
      // What the service manager made takes the place of what is configured, each kind for itself.
      guard place.key != "inspector", inherited.allSatisfy({ $0.isLocal != (place.key == "socket") }) else {
        continue
      }
      listeners.append(try rethrow(place.open(), as: Problem.blaming(place.key)))
    }
    return listeners
  }
}

extension Configuration {
  /// Descriptors that a fleet takes: what each worker is woken by, and what asks the nodes.
  fileprivate var fleetDescriptors: Int {
    guard case .fleet(let fleet) = replay.address else { return 0 }
    // A reload may have it move to another one, which it then asks, too.
    return workers + fleet.descriptors
      + max(replay.place.move?.from?.descriptors ?? 0, FleetAddress.usualDescriptors)
  }
}

extension Configuration {
  /// Descriptors that a look at the nodes of a fleet takes: one connection to each.
  fileprivate var lookDescriptors: Int {
    if case .fleet(let fleet) = replay.address { fleet.nodes.count } else { 0 }
  }
}

extension ServerOptions {
  init(_ configuration: Configuration) {
    self.init()
    workers = configuration.workers
    namedUsers = Set([configuration.socket.owner].compactMap(\.self))
    requestDeadline = .milliseconds(configuration.deadlines.requestMilliseconds)
    idleLimit = .milliseconds(configuration.deadlines.idleMilliseconds)
    connectionLimit = configuration.limits.connections
    headBytes = configuration.limits.headBytes
  }

  /// The inspector's: one thread for a few people, whose connections are not kept from them by others that begin a
  /// request and do not end it, or ask nothing at all.
  init(_ configuration: Configuration, ofInspector inspector: InspectorSettings) {
    self.init(configuration)
    workers = 1
    connectionLimit = Self.inspectorConnections
    namedUsers = Set([inspector.owner].compactMap(\.self))
    requestDeadline = min(requestDeadline, .seconds(2))
    idleLimit = min(idleLimit, .seconds(5))
  }

  /// Connections of the inspector at once: a few people's browsers.
  static let inspectorConnections = 32
}
