package import MediaTokenSystem
internal import Synchronization

/// HTTP/1.1 over UNIX sockets, and over loopback TCP; what requests mean is left to the handler.
///
/// The path of a request through the files, in the order of reading:
///
/// 1. `ListeningSocket`, `SocketFile`: a socket is made under a name that no process serves. `InheritedSockets`: or systemd
///    made it.
/// 2. `Listener`: accepts, asks the kernel who the peer is, and deals the connection to
///    the worker that has the fewest; or to the spare one, while all of them are stuck.
/// 3. `WorkerLoop`: one thread, no locks; `Caller`: what each caller has of it. What is ready is read (`WorkerLoop+Reading`); `RequestHead` and
///    `MessageFraming` say what the bytes mean, or refuse them.
/// 4. ``RequestHandler``: decides by the head what the request is for, and answers it when it is whole, or later
///    (`WorkerLoop+Later`).
/// 5. `WorkerLoop+Answering`, `ResponseHead`: answers go out in small groups, and the handler is called with whether they did.
/// 6. `WorkerLoop+Turns`, `WorkerLoop+Waiting`: callers take turns, and what is long or comes in great number waits, so that what is short
///    does not.
/// 7. `Deadlines`, `WorkerLoop+Shares`: what takes too long, or more than its share, is ended.
package final class Server {
  let counters: ServerCounters
  private let listener: Listener
  private let listenerThread: WorkerThread
  /// The spare one is among them.
  let workers: [Worker]
  private let workerThreads: [WorkerThread]
  private let cut = Cut()

  private final class Cut: Sendable {
    let connections = Atomic<Int>(0)
  }

  /// Starts to serve. The listeners are given up to the server, which closes them when it stops; the caller keeps none.
  /// `makeHandler` is called on each worker's thread, once.
  ///
  /// `makeSpare` makes the handler of one more worker, which must never wait for a disk. Connections are dealt to it while
  /// no other takes any; it is to end them, as the next one may be another's.
  package init(
    listeners: consuming [ListeningSocket], options: ServerOptions, counters: ServerCounters = ServerCounters(),
    spare makeSpare: (@Sendable () -> any RequestHandler)? = nil,
    _ makeHandler: @escaping @Sendable () -> any RequestHandler
  ) throws(SystemError) {
    self.counters = counters
    let cut = cut
    let poller = try Poller()
    var workers: [Worker] = []
    for _ in 0..<max(1, options.workers) { workers.append(try Worker(options: options, counters: counters)) }
    let spare = makeSpare == nil ? nil : try Worker(options: options.ofSpare, counters: counters)
    let listener = try Listener(
      options: options, counters: counters, sockets: listeners, workers: workers, spare: spare, poller: poller)
    var makers = [@Sendable () -> any RequestHandler](repeating: makeHandler, count: workers.count)
    if let spare, let makeSpare {
      workers.append(spare)
      makers.append(makeSpare)
    }
    var threads: [WorkerThread] = []
    do throws(SystemError) {
      for (worker, makeHandler) in zip(workers, makers) {
        threads.append(
          try WorkerThread {
            cut.connections.wrappingAdd(worker.run(makeHandler()), ordering: .relaxed)
          })
      }
      listenerThread = try WorkerThread { listener.run() }
    } catch {
      for worker in workers { worker.stop(by: 0) }
      for thread in threads { thread.join() }
      throw error
    }
    (self.listener, self.workers, workerThreads) = (listener, workers, threads)
  }

  /// Stops: takes the sockets' names away, accepts the clients that are connected already, finishes every request that
  /// began, and closes everything. Once only; returns when no thread is left. Requests that are not finished within the
  /// limit are cut: the number of connections that were is returned.
  package func stop(within limit: Duration) -> Int {
    let end = MonotonicTime.now &+ min(limit.nanoseconds, .max / 4)
    for worker in workers { worker.drain() }
    listener.drain(until: end)
    listenerThread.join()
    for worker in workers { worker.stop(by: end) }
    for thread in workerThreads { thread.join() }
    return cut.connections.value
  }
}
