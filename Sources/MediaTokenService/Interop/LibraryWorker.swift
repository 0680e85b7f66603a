internal import CLibMicroHTTPD
internal import Glibc

/// Owner of one `MHD_Daemon`: a thread that serves the connections that are handed to it, and tells `events`.
@safe final class LibraryWorker: @unchecked Sendable {
  private let daemon: OpaquePointer
  private let events: RequestEvents
  private let waker: Int32

  /// Starts the thread; nil if the library cannot.
  init?(_ events: RequestEvents) {
    let seconds = (events.options.idleLimit.nanoseconds + 999_999_999) / 1_000_000_000
    // SAFETY: `events` lives as long as this object, and the thread ends in `stop`, which every owner calls.
    var server = unsafe mediatoken_server(
      handle: handleRequest, begin: beginRequest, complete: completeRequest, notify: noteConnection,
      log: noteMessage,
      context: Unmanaged.passUnretained(events).toOpaque(),
      // The acceptor keeps the limit. The library counts a connection for a moment longer than it says that it is closed,
      // and would cut a new one for that.
      connection_limit: UInt32(clamping: 2 * events.options.connectionLimit),
      idle_seconds: UInt32(clamping: seconds), pool_bytes: HTTPLimits.poolBytes)
    guard let daemon = unsafe mediatoken_start_daemon(&server) else { return nil }
    waker = unsafe mediatoken_make_waker(daemon)
    guard waker >= 0 else {
      unsafe MHD_stop_daemon(daemon)
      return nil
    }
    unsafe self.daemon = daemon
    self.events = events
  }

  /// Wakes the worker if it has so many connections that it could oversleep; says whether it has.
  ///
  /// The library takes at most 128 events at once, and if there are exactly as many, it waits for more before it looks at
  /// them (0.9.75, MHD_epoll): 128 callers who ask in step would wait for somebody else, or for their deadline. Two of
  /// the events may be a new connection's, which is not begun yet, and our own waking.
  func wakeIfCrowded() -> Bool {
    // The greater of two: a connection that could not be begun may be counted off twice, by its end and by a message.
    guard max(events.assigned.value, events.connections.count) >= Self.eventsAtOnce - 2 else { return false }
    // Fails only when 2^64 - 1 wakings were counted.
    _ = eventfd_write(waker, 1)
    return true
  }

  /// MAX_EVENTS of libmicrohttpd's daemon.c.
  private static let eventsAtOnce = 128

  /// Hands over a connection, which is the library's from now on, also if that fails.
  func serve(_ descriptor: Int32, of peer: HTTPPeer) {
    var address = mediatoken_peer_address()
    address.family = sa_family_t(AF_UNIX)
    if case .process(let uid, let gid, let pid) = peer {
      (address.is_process, address.uid, address.gid, address.pid) = (1, uid, gid, pid)
    }
    events.assigned.count()
    // SAFETY: the library copies the address. The call may come from any thread, says its documentation.
    if unsafe mediatoken_add_connection(daemon, descriptor, &address) != MHD_Result.YES { events.lost(peer) }
  }

  /// Ends all connections and the thread. Once only, and nothing is served afterwards.
  func stop() {
    unsafe MHD_stop_daemon(daemon)
    _ = close(waker)
  }
}

// MARK: callbacks
//
// SAFETY, for all of them: `context` is the RequestEvents that LibraryWorker passed and keeps. A connection's context is
// an OpenConnection with one reference of its own, from STARTED to CLOSED. A request's context is an Exchange with one
// reference of its own, from beginRequest to completeRequest, which the library calls for every request that began.
// Everything of one worker happens on its thread.

private func noteConnection(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ socketContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ what: MHD_ConnectionNotificationCode
) {
  guard let context = unsafe context, let connection = unsafe connection, let socketContext = unsafe socketContext
  else { return }
  let events = unsafe Unmanaged<RequestEvents>.fromOpaque(context).takeUnretainedValue()
  if what == .CONNECTION_NOTIFY_STARTED {
    let address = unsafe mediatoken_peer_address(connection)
    let peer =
      address.is_process == 1 ? HTTPPeer.process(uid: address.uid, gid: address.gid, pid: address.pid) : .tcp
    let opened = events.opened(unsafe mediatoken_socket(connection), peer: peer)
    unsafe socketContext.pointee = Unmanaged.passRetained(opened).toOpaque()
  } else if let opened = unsafe socketContext.pointee {
    unsafe events.closed(Unmanaged<OpenConnection>.fromOpaque(opened).takeRetainedValue())
    unsafe socketContext.pointee = nil
  }
}

private func beginRequest(
  _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let context = unsafe context, let target = unsafe target, let connection = unsafe connection,
    let opened = unsafe mediatoken_context(connection)
  else { return nil }
  let events = unsafe Unmanaged<RequestEvents>.fromOpaque(context)
  let owner = unsafe Unmanaged<OpenConnection>.fromOpaque(opened)
  let exchange = unsafe events._withUnsafeGuaranteedRef { events in
    unsafe owner._withUnsafeGuaranteedRef { unsafe events.begin(bytes(target), on: $0) }
  }
  return unsafe Unmanaged.passRetained(exchange).toOpaque()
}

private func handleRequest(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ body: UnsafePointer<CChar>?,
  _ bodyBytes: UnsafeMutablePointer<Int>?, _ requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context = unsafe context, let connection = unsafe connection, let method = unsafe method,
    let version = unsafe version, let bodyBytes = unsafe bodyBytes, let request = unsafe requestContext?.pointee
  else { return MHD_Result.NO }
  let events = unsafe Unmanaged<RequestEvents>.fromOpaque(context)
  let exchange = unsafe Unmanaged<Exchange>.fromOpaque(request)
  return unsafe events._withUnsafeGuaranteedRef { events in
    unsafe exchange._withUnsafeGuaranteedRef { exchange in
      switch exchange.stage {
      case .head:
        let check = unsafe readHead(connection, method, version, into: exchange)
        let size = unsafe mediatoken_head_bytes(connection)
        return events.headIsHere(exchange, check, bytes: size) ? unsafe queue(exchange, connection) : MHD_Result.YES
      case .body:
        if let body = unsafe body, unsafe bodyBytes.pointee > 0 {
          unsafe events.take(Span(_unsafeStart: UnsafePointer(body.asBytes), count: bodyBytes.pointee), exchange)
          unsafe bodyBytes.pointee = 0
          return MHD_Result.YES
        }
        events.requestIsWhole(exchange)
        return unsafe queue(exchange, connection)
      case .answered:
        unsafe bodyBytes.pointee = 0
        return MHD_Result.YES
      }
    }
  }
}

private func completeRequest(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ how: MHD_RequestTerminationCode
) {
  guard let context = unsafe context, let request = unsafe requestContext?.pointee else { return }
  unsafe requestContext?.pointee = nil
  let exchange = unsafe Unmanaged<Exchange>.fromOpaque(request).takeRetainedValue()
  unsafe Unmanaged<RequestEvents>.fromOpaque(context)._withUnsafeGuaranteedRef {
    $0.end(exchange, delivered: how == .REQUEST_TERMINATED_COMPLETED_OK)
  }
}

/// The library says in words what it does without asking us. The words are those of version 0.9.75; a test sees that
/// they still are.
private func noteMessage(
  _ context: UnsafeMutableRawPointer?, _ format: UnsafePointer<CChar>?, _ arguments: CVaListPointer?
) {
  // Twice behind each answer it says that a UNIX socket has no TCP_NODELAY: no time is to be lost with that.
  guard let context = unsafe context, let format = unsafe format,
    unsafe format.pointee == CChar(UInt8(ascii: "E")) || format.pointee == CChar(UInt8(ascii: "F"))
  else { return }
  let events = unsafe Unmanaged<RequestEvents>.fromOpaque(context).takeUnretainedValue()
  let message = unsafe bytes(format)
  if message.begins(with: "Error processing request") { events.counters.malformed.count() }
  if message.begins(with: "Failed to start serving new connection") { events.lost(nil) }
}
