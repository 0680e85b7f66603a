internal import MediaTokenSystem

extension WorkerLoop {
  mutating func serve(_ caller: Caller) {
    // Others do not wait once more for one who is known to take long.
    if caller.tookLong { writeAnswers() }
    if caller.isHeldNext { takeHeld(of: caller) }
    // Else what waits kept new questions waiting as long as there is more of it.
    let mayRead = !caller.isHeldNext || !isOutOfTime
    caller.isHeldNext = false
    let mayBeMore = !mayRead || readFound(of: caller)
    if !caller.held.isEmpty, mayRead {
      caller.isHeldNext = isOutOfTime
      if !caller.isHeldNext { takeHeld(of: caller) }
    }
    if mayBeMore || !caller.held.isEmpty { callers.makeReadyAgain(caller) }
  }

  /// Reads a few of the caller's connections that are ready. True if there may be more of them.
  private mutating func readFound(of caller: Caller) -> Bool {
    var found: [Poller.Event] = []
    swap(&found, &caller.found)
    defer { swap(&found, &caller.found) }
    let isLeft = caller.nextFound < found.count
    if !isLeft {
      _ = caller.poller.wait(milliseconds: 0, atMost: HTTPLimits.readsPerService, &found)
      caller.nextFound = 0
    }
    let first = caller.nextFound
    while caller.nextFound < found.count {
      if caller.nextFound > first, isOutOfTime { return true }
      let event = found[caller.nextFound]
      caller.nextFound += 1
      guard let connection = connection(event.token) else { continue }
      // A client that has left since it was found is not answered.
      let isGone = isLeft && Sockets.isOver(connection.descriptor)
      if isGone { close(connection) } else { handle(event, connection) }
    }
    return isLeft || found.count == HTTPLimits.readsPerService
  }

  private mutating func handle(_ event: Poller.Event, _ connection: Connection) {
    // Over in both directions: no answer would arrive, so what it has asked is not read, and no token is spent for it.
    if event.isOver { return close(connection) }
    if event.isWritable { writeUnsent(of: connection) }
    guard event.isReadable, !connection.isClosed else { return }
    if connection.life == .lingering { return throwAway(from: connection) }
    // Bytes that come wait until it is answered.
    guard connection.takesRequests else { return watch(connection) }
    if !connection.isHeld { read(connection) }
  }

  var isOutOfTime: Bool { MonotonicTime.now &- turnStart > options.turnNanoseconds }
}
