import Synchronization
internal import SystemCalls

/// HTTP/1.1 over UNIX sockets, and over loopback TCP.
///
/// The path of a request through the files, in the order of reading:
///
/// 1. `Interop/ListeningSocket`, `SocketFile`: a socket is made under a name that nobody serves.
///    `Interop/InheritedSockets`: or systemd made it.
/// 2. `Acceptor`: accepts, asks the kernel who the peer is (`Interop/Sockets`), lets it in or not (`PeerAdmission`), and
///    hands the connection to a worker.
/// 3. `Interop/LibraryWorker`: libmicrohttpd's thread reads the head and calls back; C becomes Swift here and nowhere
///    else. `Interop/LibraryRequest` accounts for each byte of the head, `HeadCheck` says whether it has one meaning.
/// 4. `RequestEvents`: collects the body in an `Exchange`, and has the ``RequestHandler`` answer.
/// 5. `Interop/LibraryResponse`: the answer goes out, and the handler hears whether it did.
/// 6. `OpenConnections`: the acceptor ends what takes too long.
///
/// Limits of libmicrohttpd that stay: it reads broken request lines itself (its own 400, 414 or 505, and close), answers
/// a head beyond the pool with its own 431, and skips empty lines before a request.
final class HTTPServer<Handler: RequestHandler> {
  /// What happened so far.
  let counters: HTTPCounters
  private let acceptor: Acceptor
  private let acceptorThread: WorkerThread
  private let workers: [(library: LibraryWorker, events: RequestEvents)]

  /// Why the server did not start.
  enum StartError: Error {
    /// A thread, or a descriptor to wait with.
    case system(SystemFailure)
    /// libmicrohttpd gives no reason.
    case library
  }

  /// How a server stopped.
  enum Stop: Hashable {
    /// Every request that began was answered.
    case finished
    /// At the deadline so many connections were still open, and were cut.
    case cut(connections: Int)
  }

  /// Starts to serve.
  ///
  /// - Parameter listeners: given up to the server, which closes them when it stops; nobody else should keep them.
  init(
    _ handler: Handler, listeners: consuming [ListeningSocket], options: HTTPServerOptions
  ) throws(StartError) {
    let counters = HTTPCounters()
    let readiness: Readiness
    do { readiness = try Readiness() } catch { throw .system(error) }
    let limit = options.connectionLimit
    var workers: [(library: LibraryWorker, events: RequestEvents)] = []
    func stopWorkers() { for worker in workers { worker.library.stop() } }
    for _ in 0..<max(1, options.workers) {
      let events = Worker(handler, options: options, counters: counters) {
        // The acceptor may be waiting for this one.
        if counters.openConnections.value >= limit - 1 { readiness.wake() }
      }
      guard let library = LibraryWorker(events) else {
        stopWorkers()
        throw .library
      }
      workers.append((library, events))
    }
    do {
      let acceptor = try Acceptor(
        options: options, counters: counters, listeners: listeners, workers: workers, readiness: readiness)
      acceptorThread = try WorkerThread { acceptor.run() }
      self.acceptor = acceptor
    } catch {
      stopWorkers()
      throw .system(error)
    }
    (self.counters, self.workers) = (counters, workers)
  }

  /// Stops: takes the sockets' names away, accepts who is connected already, finishes every request that began, and
  /// closes everything. Once only; returns when no thread is left.
  ///
  /// - Parameter limit: how long requests may take to finish; what is left then is cut.
  func stop(within limit: Duration) -> Stop {
    for worker in workers { worker.events.isDraining.store(true, ordering: .sequentiallyConsistent) }
    acceptor.drain(until: MonotonicTime.now &+ min(limit.nanoseconds, .max / 4))
    acceptorThread.join()
    let left = counters.openConnections.value
    for worker in workers { worker.library.stop() }
    return left == 0 ? .finished : .cut(connections: left)
  }
}
