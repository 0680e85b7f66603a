import Synchronization

/// What one worker does when the library tells it about a connection or a request. All but ``connections``,
/// ``assigned``, ``counters`` and ``isDraining`` belongs to the worker's thread.
///
/// Its subclass ``Worker`` knows the handler; C calls this class, because C knows no generic types.
class RequestEvents: @unchecked Sendable {
  let options: HTTPServerOptions
  let counters: HTTPCounters
  let connections = OpenConnections()
  /// How many connections were handed over and are not gone: those too that the worker has not begun yet. Relaxed is
  /// enough: only the acceptor counts up and looks, and sees at least what it counted itself.
  let assigned = Atomic<Int>(0)
  /// Whether each answer ends its connection.
  let isDraining = Atomic<Bool>(false)
  private let deadline: UInt64
  private let acceptorWaits: @Sendable () -> Void
  private var idleExchanges: [Exchange] = []

  /// - Parameter connectionClosed: called behind each connection, on the worker's thread.
  init(options: HTTPServerOptions, counters: HTTPCounters, connectionClosed: @escaping @Sendable () -> Void) {
    self.options = options
    self.counters = counters
    deadline = options.requestDeadline.nanoseconds
    acceptorWaits = connectionClosed
    idleExchanges.reserveCapacity(HTTPLimits.keptExchanges)
  }

  // MARK: the handler's part

  func bodyRule(for exchange: Exchange) -> BodyRule { preconditionFailure("only workers get requests") }
  func answer(_ exchange: Exchange) { preconditionFailure("only workers get requests") }
  func refuse(_ refusal: HTTPRefusal, _ exchange: Exchange) { preconditionFailure("only workers get requests") }
  func answered(_ exchange: Exchange, delivered: Bool) { preconditionFailure("only workers get requests") }

  // MARK: connections

  final func opened(_ descriptor: Int32, peer: HTTPPeer) -> OpenConnection {
    let connection = OpenConnection(descriptor: descriptor, peer: peer, now: MonotonicTime.lastTick)
    connections.insert(connection)
    return connection
  }

  final func closed(_ connection: OpenConnection) {
    connections.remove(connection)
    lost(connection.peer)
  }

  /// A connection that was handed over is gone, or was never begun.
  ///
  /// - Parameter peer: nil if nobody knows any more, after the library had no memory for it; then a place of TCP's share is
  ///   lost with it.
  final func lost(_ peer: HTTPPeer?) {
    if peer == .tcp { _ = counters.openOverTCP.wrappingSubtract(1, ordering: .relaxed) }
    _ = counters.openConnections.wrappingSubtract(1, ordering: .relaxed)
    _ = assigned.wrappingSubtract(1, ordering: .relaxed)
    acceptorWaits()
  }

  // MARK: requests, in the order of their stages

  /// The first line of a request is here.
  final func begin(_ target: Span<UInt8>, on connection: OpenConnection) -> Exchange {
    let exchange = idleExchanges.popLast() ?? Exchange()
    exchange.connection = connection
    exchange.request.peer = connection.peer
    exchange.request.target.append(copying: target)
    connection.beginRequest(at: MonotonicTime.lastTick)
    return exchange
  }

  /// The head is here and in the request: whether it is to be answered at once, without its body.
  ///
  /// The library ends the connection behind an answer that is given at once.
  final func headIsHere(_ exchange: Exchange, _ check: HeadCheck, bytes: Int) -> Bool {
    if let problem = check.problem { return refuseAtOnce(.malformed(problem), exchange) }
    if bytes > options.headBytes { return refuseAtOnce(.headTooLarge(limit: options.headBytes), exchange) }
    exchange.stage = .body
    guard let length = check.bodyLength else {
      return exchange.request.method.span.isPost ? refuseAtOnce(.lengthRequired, exchange) : false
    }
    if length == 0 { return false }
    switch bodyRule(for: exchange) {
    case .collect(let limit) where length > limit: exchange.refusal = .bodyTooLarge(limit: limit)
    case .collect:
      exchange.collectsBody = true
      exchange.bodyBytes = length
    case .discard: break
    }
    guard length > options.discardedBytes, !exchange.collectsBody else { return false }
    refuse(exchange.refusal ?? .bodyTooLarge(limit: options.discardedBytes), exchange)
    return true
  }

  private func refuseAtOnce(_ refusal: HTTPRefusal, _ exchange: Exchange) -> Bool {
    counters.malformed.count()
    refuse(refusal, exchange)
    return true
  }

  /// A piece of the body is here; no more comes than the head said.
  final func take(_ bytes: Span<UInt8>, _ exchange: Exchange) {
    guard exchange.collectsBody else { return }
    // Not before something comes: to say that a body is long costs nothing here.
    if exchange.request.body.isEmpty {
      exchange.request.body.reserveCapacity(min(exchange.bodyBytes, HTTPLimits.reservedBytes))
    }
    exchange.request.body.append(copying: bytes)
  }

  /// The request is whole: answers it.
  final func requestIsWhole(_ exchange: Exchange) {
    if let refusal = exchange.refusal {
      refuse(refusal, exchange)
    } else if let connection = exchange.connection, connection.age(at: MonotonicTime.lastTick) > deadline {
      refuse(.late, exchange)
    } else {
      answer(exchange)
      exchange.stage = .answered
      if isDraining.load(ordering: .relaxed) { exchange.response.closesConnection = true }
    }
  }

  /// The request is over: its answer is written, or its connection is.
  final func end(_ exchange: Exchange, delivered: Bool) {
    if exchange.stage == .answered { answered(exchange, delivered: delivered) }
    exchange.connection?.enter(.idle, at: MonotonicTime.lastTick)
    exchange.reset()
    if idleExchanges.count < HTTPLimits.keptExchanges { idleExchanges.append(exchange) }
  }
}

extension Span<UInt8> {
  fileprivate var isPost: Bool {
    count == 4 && self[0] == UInt8(ascii: "P") && self[1] == UInt8(ascii: "O") && self[2] == UInt8(ascii: "S")
      && self[3] == UInt8(ascii: "T")
  }
}

/// A worker: the library's events on one side, the handler on the other.
final class Worker<Handler: RequestHandler>: RequestEvents, @unchecked Sendable {
  private let handler: Handler

  init(
    _ handler: Handler, options: HTTPServerOptions, counters: HTTPCounters,
    connectionClosed: @escaping @Sendable () -> Void
  ) {
    self.handler = handler
    super.init(options: options, counters: counters, connectionClosed: connectionClosed)
  }

  override func bodyRule(for exchange: Exchange) -> BodyRule { handler.bodyRule(for: exchange.request) }

  override func answer(_ exchange: Exchange) { handler.answer(exchange.request, with: &exchange.response) }

  override func refuse(_ refusal: HTTPRefusal, _ exchange: Exchange) {
    exchange.response.removeAll()
    handler.refuse(refusal, with: &exchange.response)
    exchange.response.closesConnection = true
    exchange.stage = .answered
  }

  override func answered(_ exchange: Exchange, delivered: Bool) {
    handler.answered(exchange.response, delivered: delivered)
  }
}
