internal import MediaTokenHTTP
internal import MediaTokenSystem
internal import Synchronization

/// Listeners that the service manager made for us. Taken before any other thread starts, because that changes the
/// environment.
package struct InheritedListeners: Sendable {
  fileprivate let sockets: [ListeningSocket]

  /// Takes what there is, which may be nothing.
  ///
  /// - Throws: ``ConfigurationError`` if something else was handed over.
  package init() throws(ConfigurationError) {
    do throws(ListenerError) {
      sockets = try InheritedSockets.take()
    } catch {
      throw ConfigurationError(key: "socket", error.description)
    }
  }
}

/// A daemon whose sockets are open.
package final class RunningServer: Sendable {
  private let server: Monitor<Server?>
  private let isFinished = Atomic<Bool>(false)

  /// Opens the sockets and starts to answer.
  ///
  /// - Throws: ``ConfigurationError``, which names the socket and the cure.
  package init(_ daemon: Daemon, _ inherited: InheritedListeners) throws(ConfigurationError) {
    let configuration = daemon.configuration
    let listeners = try Self.listeners(configuration, inherited.sockets)
    let service = daemon.service
    do throws(SystemError) {
      server = Monitor(
        try Server(listeners: listeners, options: ServerOptions(configuration)) { service.newHandler() })
    } catch {
      throw ConfigurationError(key: "threads", "cannot start: \(error.description)")
    }
  }

  /// Stops on a thread of its own; ``hasStopped`` says when. Once only.
  ///
  /// - Parameter whenDone: told how many connections had to be cut.
  package func stop(withinMilliseconds limit: Int64, _ whenDone: @escaping @Sendable (Int) -> Void) {
    let stop: @Sendable () -> Void = { [self] in
      let outcome = server.change { $0.take() }?.stop(within: .milliseconds(limit))
      switch outcome {
      case .cut(let connections): whenDone(connections)
      case .finished, nil: whenDone(0)
      }
      isFinished.store(true, ordering: .sequentiallyConsistent)
    }
    do throws(SystemError) {
      _ = try WorkerThread(stop)
    } catch {
      stop()
    }
  }

  /// Whether every connection is closed and no thread answers any more.
  package var hasStopped: Bool { isFinished.load(ordering: .sequentiallyConsistent) }

  private static func listeners(
    _ configuration: Configuration, _ inherited: [ListeningSocket]
  ) throws(ConfigurationError) -> [ListeningSocket] {
    var listeners = inherited
    if !inherited.contains(where: \.isLocal) {
      let socket = configuration.socket
      let place = SocketPath(path: socket.path.text, mode: socket.mode, owner: socket.owner, group: socket.group)
      listeners.append(
        try open("socket") { () throws(ListenerError) in try ListeningSocket.open(place) })
    }
    if let tcp = configuration.tcp, inherited.allSatisfy(\.isLocal) {
      let host = tcp.address == "::1" ? "[::1]" : tcp.address
      listeners.append(
        try open("tcp") { () throws(ListenerError) in try ListeningSocket.openLoopback("\(host):\(tcp.port)") })
    }
    return listeners
  }

  private static func open(
    _ key: String, _ body: () throws(ListenerError) -> ListeningSocket
  ) throws(ConfigurationError) -> ListeningSocket {
    do throws(ListenerError) {
      return try body()
    } catch {
      throw ConfigurationError(key: key, error.description)
    }
  }
}

extension ServerOptions {
  /// What the configuration says of connections.
  init(_ configuration: Configuration) {
    self.init()
    workers = configuration.threads
    admission.users = Set(configuration.peers.allowUIDs)
    admission.groups = Set(configuration.peers.allowGIDs)
    requestDeadline = .milliseconds(configuration.deadlines.requestMilliseconds)
    idleLimit = .milliseconds(configuration.deadlines.idleMilliseconds)
    connectionLimit = configuration.limits.connections
    headBytes = configuration.limits.headBytes
  }
}
