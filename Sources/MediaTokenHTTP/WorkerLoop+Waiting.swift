internal import MediaTokenSystem

/// What does not have its turn at once, so that a short question never waits long: requests after the first of a connection
/// that sends many, and long requests.
extension WorkerLoop {
  /// Makes the requests that have come on a connection wait.
  mutating func hold(_ connection: Connection) {
    guard !connection.isHeld else { return }
    connection.isHeld = true
    held.append(connection.token)
  }

  /// Goes on with what waits, each once at most, until the turn has lasted long enough; at least with one.
  mutating func takeHeld() {
    guard !held.isEmpty else { return }
    // Those that have just asked do not wait for it.
    writeAnswers()
    var count = 0
    for token in held {
      count += 1
      if let connection = connection(token), connection.isHeld {
        connection.isHeld = false
        takeKeptRequests(of: connection, .held)
      }
      if isOutOfTime { break }
    }
    held.removeFirst(count)
  }

  /// Whether the turn has gone on with what waits for long enough.
  var isOutOfTime: Bool { MonotonicTime.now &- now > HTTPLimits.heldNanoseconds }

  // MARK: room

  /// Makes room where too much is kept.
  mutating func manageRoom() {
    while room.isExceeded, let connection = oldestKeeper {
      worker.counters.crowdedOut.count()
      close(connection)
    }
    // A client that waits to be told to go on must not wait for what happens next.
    writeAnswers()
  }

  /// Of the connections that keep anything, the one whose request began first; and if none has a request, the one that has been
  /// silent for longest.
  private var oldestKeeper: Connection? {
    let keepsAnything = { [slots] (slot: Int) in
      (slots[slot]?.kept ?? 0) > 0
    }
    return (deadlines.first(.request, where: keepsAnything) ?? deadlines.first(.silence, where: keepsAnything))
      .flatMap { slots[$0] }
  }
}
