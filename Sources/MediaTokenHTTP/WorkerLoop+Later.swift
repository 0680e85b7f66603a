package import MediaTokenSystem

/// The calls of a handler at the end of a turn.
extension WorkerLoop {
  /// Answers a request that was told ``Answering/later``. False if it no longer waits: the client has left, its deadline
  /// has passed, or it was answered.
  @discardableResult
  package mutating func answer(_ ticket: Ticket, _ write: (inout Response) -> Void) -> Bool {
    guard ticket.slot < slots.count, let connection = slots[ticket.slot], connection.number == ticket.connection,
      let waiting = connection.waiting, waiting.number == ticket.request
    else { return false }
    connection.waiting = nil
    deadlines.stop(connection.slot)
    var response = Response()
    write(&response)
    self.write(&response, to: waiting, on: connection)
    // Requests that were held back have their turn after those that are ready now.
    if connection.takesRequests, connection.incoming != nil { hold(connection) }
    watch(connection)
    settle(connection)
    return true
  }

  /// To be woken from any thread when there is something to answer: ``RequestHandler/endTurn(_:_:)`` is called soon.
  package var waker: Poller { worker.poller }

  /// Set in the tokens of descriptors of the handler's own, and in no connection's.
  static let descriptorMark: UInt64 = 1 << 63

  /// Watches a descriptor of the handler's own; ``RequestHandler/endTurn(_:_:)`` is called with its number.
  package func watch(_ descriptor: Int32, _ interest: Poller.Interest, as number: UInt32) throws(SystemError) {
    try worker.poller.add(descriptor, interest, as: Self.descriptorMark | UInt64(number))
  }
}
