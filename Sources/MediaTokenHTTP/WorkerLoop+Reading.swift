internal import MediaTokenSystem

extension WorkerLoop {
  /// Whole requests are answered.
  mutating func read(_ connection: Connection) {
    let received = received
    switch received.receive(from: connection.descriptor) {
    case .nothing: return
    case .end: return endOfInput(of: connection)
    case .bytes(let count):
      connection.isFresh = false
      guard var request = connection.incoming.take() else { return takeReceivedRequests(connection) }
      let discarded = min(count, request.discarding ?? 0)
      if let left = request.discarding { request.discarding = left - discarded }
      request.bytes.append(copying: received.bytes.extracting(discarded...))
      connection.incoming = consume request
      takeKeptRequests(of: connection, .fresh)
    }
  }

  /// The client sends no more. Its whole requests are answered; half a request is not.
  private mutating func endOfInput(of connection: Connection) {
    writeAnswers()
    if connection.unsent == nil { close(connection) } else { connection.life = .answeringLast }
  }

  /// Takes the requests that are in the receive buffer: the common way, in which no byte is copied.
  private mutating func takeReceivedRequests(_ connection: Connection) {
    var request = IncomingRequest()
    swap(&request, &incoming)
    let received = received
    let bytes = received.bytes
    let taken = takeRequests(out: bytes, &request, connection, .fresh)
    if taken < bytes.count, connection.isOpen {
      request.keep(bytes.extracting(taken...))
      connection.incoming = consume request
    } else {
      request.reset()
      swap(&request, &incoming)
    }
    settle(connection)
  }

  /// The way in which requests come to their turn.
  enum Turn {
    /// They have just come: one short request, and the rest waits.
    case fresh
    /// They have waited.
    case held
  }

  mutating func takeKeptRequests(of connection: Connection, _ turn: Turn) {
    guard connection.takesRequests, var request = connection.incoming.take() else { return }
    var bytes: [UInt8] = []
    swap(&bytes, &request.bytes)
    let taken = takeRequests(out: bytes.span, &request, connection, turn)
    if taken < bytes.count, connection.isOpen {
      if taken > 0, bytes.capacity - (bytes.count - taken) > HTTPLimits.keptBytes {
        // The memory that only the taken requests needed goes, in one turn or in many.
        request.bytes = Array(bytes[taken...])
      } else {
        if taken > 0 { bytes.removeFirst(taken) }
        swap(&bytes, &request.bytes)
      }
      request.dropDiscardedBody()
      connection.incoming = consume request
    }
    settle(connection)
  }

  /// Takes as many requests as are whole and may be taken now, and returns the number of their bytes. `request` is about
  /// the bytes' first one, and afterwards about the one that is left.
  private mutating func takeRequests(
    out bytes: Span<UInt8>, _ request: inout IncomingRequest, _ connection: Connection, _ turn: Turn
  ) -> Int {
    var (taken, count) = (0, 0)
    while taken < bytes.count, connection.takesRequests {
      guard mayTake(turn, after: count, of: bytes.count) else {
        hold(connection)
        break
      }
      guard let length = takeRequest(bytes.extracting(taken...), &request, connection) else { break }
      taken += length
      count += 1
      request.reset()
    }
    return taken
  }

  /// True if a connection may have another request read and answered in this turn. `byteCount` is the length of all that
  /// its requests have to read.
  private func mayTake(_ turn: Turn, after count: Int, of byteCount: Int) -> Bool {
    switch turn {
    case .fresh: count == 0 && byteCount <= HTTPLimits.promptBytes
    case .held: count == 0 || count < HTTPLimits.requestsPerTurn && !isOutOfTime
    }
  }

  /// The number of bytes that are the request's own, all of them after a refusal; nil if it is not whole.
  private mutating func takeRequest(
    _ bytes: Span<UInt8>, _ request: inout IncomingRequest, _ connection: Connection
  ) -> Int? {
    guard let rule = request.bodyRule ?? bodyRule(bytes, &request, connection) else {
      return connection.isOpen ? nil : bytes.count
    }
    let (headBytes, bodyBytes) = (request.head.byteCount, request.head.bodyBytes)
    let here = min(bytes.count - headBytes, bodyBytes)
    let end = headBytes + here
    switch rule {
    case .collect where here == bodyBytes:
      answer(bytes, upTo: end, request.head, body: bytes.extracting(headBytes..<end), connection)
      return end
    case .unread:
      let isWhole = here == bodyBytes
      answer(bytes, upTo: end, request.head, isLast: !isWhole, body: Span(), connection)
      return isWhole ? end : bytes.count
    case .discard where request.discarding == nil && here == bodyBytes:
      answer(bytes, upTo: end, request.head, body: Span(), connection)
      return end
    case .discard where request.discarding == 0:
      answer(bytes, upTo: headBytes, request.head, body: Span(), connection)
      return headBytes
    case .collect: break
    case .discard:
      if request.discarding == nil { request.discarding = bodyBytes - here }
    }
    // A client that has sent a part of its body does not wait; of a body that is thrown away, that part may be gone already.
    if here == 0, request.discarding ?? bodyBytes == bodyBytes, request.head.expectsContinue, !request.isTold {
      request.isTold = true
      tellToGoOn(connection)
    }
    return nil
  }

  /// Nil if the head is not whole, or refused.
  private mutating func bodyRule(
    _ bytes: Span<UInt8>, _ request: inout IncomingRequest, _ connection: Connection
  ) -> BodyRule? {
    switch request.head.read(bytes, limit: options.headBytes) {
    case .incomplete: return nil
    case .refused(let refusal):
      worker.counters.malformed.count()
      refuse(refusal, request.head, connection)
      return nil
    case .complete: break
    }
    let rule = handler.bodyRule(
      of: Request(bytes, request.head, body: Span(), from: connection.peer, ticket(connection)))
    let limit: Int
    switch rule {
    case .collect(let most): limit = most
    case .discard: limit = options.discardedBytes
    // Nothing of it is waited for.
    case .unread: limit = .max
    }
    guard request.head.bodyBytes <= limit else {
      refuse(.bodyTooLarge(limit: limit), request.head, connection)
      return nil
    }
    request.bodyRule = rule
    return rule
  }

  /// The request ends at `end`. `isLast`: the connection ends with it, whatever its head says.
  private mutating func answer(
    _ bytes: Span<UInt8>, upTo end: Int, _ head: borrowing RequestHead, isLast: Bool = false,
    body: Span<UInt8>, _ connection: Connection
  ) {
    if deadlines.kind(connection.slot) == .request,
      deadlines.age(connection.slot, at: now) > options.requestDeadline.nanoseconds
    {
      return refuse(.late, head, connection)
    }
    connection.hasAsked = true
    if connection.caller.name.isReserve {
      leaveReserve(connection)
      if connection.isClosed { return }
    }
    let waiting = WaitingRequest(head, number: connection.nextWaitingNumber, isLast: isLast)
    var response = takeResponse()
    let answering = handler.answer(
      Request(bytes, head, body: body, from: connection.peer, ticket(connection)), with: &response)
    switch answering {
    case .now:
      // All come first: writing may end the connection, or begin to wait for its end.
      connection.lingers = isLast || end < bytes.count
      deadlines.stop(connection.slot)
      write(&response, to: waiting, on: connection)
    case .later:
      connection.waiting = waiting
      // Bytes that come in the meantime are not read.
      connection.lingers = true
    }
    swap(&response, &self.response)
  }

  /// The handler does not look at the request, and nothing that follows is read.
  private mutating func refuse(_ refusal: RequestRefusal, _ head: borrowing RequestHead, _ connection: Connection) {
    var response = takeResponse()
    handler.refuse(refusal, with: &response)
    response.endsConnection = true
    connection.lingers = true
    write(&response, to: WaitingRequest(head, number: 0), on: connection)
    swap(&response, &self.response)
  }

  /// The response that keeps its memory, to be given back.
  private mutating func takeResponse() -> Response {
    var response = Response()
    swap(&response, &self.response)
    response.reset()
    return response
  }

  private func ticket(_ connection: Connection) -> Ticket { ticket(connection, connection.nextWaitingNumber) }

  func ticket(_ connection: Connection, _ request: UInt32) -> Ticket {
    Ticket(slot: connection.slot, connection: connection.number, request: request)
  }
}
