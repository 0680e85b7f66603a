internal import MediaTokenSystem

/// What does not have its turn at once, so that a short question never waits long: requests after the first of a connection
/// that sends many, long requests, answers in parts, and bodies that need room.
extension WorkerLoop {
  /// Makes the requests that have come on a connection wait.
  mutating func hold(_ connection: Connection) {
    guard connection.place == .none else { return }
    connection.place = .held
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
      if let connection = connection(token), connection.place == .held {
        connection.place = .none
        takeKeptRequests(of: connection, .held)
      }
      if isOutOfTime { break }
    }
    held.removeFirst(count)
  }

  /// Whether the turn has gone on with what waits for long enough.
  var isOutOfTime: Bool { MonotonicTime.now &- now > HTTPLimits.heldNanoseconds }

  // MARK: parts

  /// Keeps what is written of an answer until the next part has its turn.
  mutating func wait(_ connection: Connection, with response: consuming Response) {
    connection.partial = response
    connection.place = .parts
    if connection.isBegun { inParts.insert(connection.token, at: 0) } else { inParts.append(connection.token) }
    watch(connection)
  }

  /// Keeps what is written of an answer until the handler has the next part to write.
  mutating func pause(_ connection: Connection, with response: consuming Response) {
    connection.partial = response
    connection.place = .paused
    connection.isBegun = true
    watch(connection)
  }

  /// Whether a part can be done now.
  var hasPart: Bool {
    guard let token = inParts.first else { return false }
    return connection(token).map { isReadyForPart($0) } ?? true
  }

  /// What was begun is finished, and nothing more begun while there is little room for its answer.
  private func isReadyForPart(_ connection: Connection) -> Bool {
    connection.isBegun || !room.isTight
  }

  /// Has one part of one answer written: of the first request until it is answered, and then of the next.
  mutating func takePart() {
    inParts.removeFirst(inParts.prefix { connection($0) == nil }.count)
    while let token = inParts.first {
      guard let connection = connection(token), connection.takesRequests else {
        // It is gone, or waits again when its client has read the answers before this one.
        self.connection(token)?.place = .none
        inParts.removeFirst()
        continue
      }
      guard isReadyForPart(connection) else { return }
      // Nor do answers that are ready wait for a part.
      writeAnswers()
      inParts.removeFirst()
      connection.place = .none
      connection.isBegun = true
      deadlines.begin(.request, connection.slot, at: now)
      takeKeptRequests(of: connection, .held)
      return watch(connection)
    }
  }

  // MARK: room

  /// Whether a body may be read on: it is short, or has its room. Where it must wait, so does its client.
  mutating func hasRoom(for byteCount: Int, _ connection: Connection) -> Bool {
    if byteCount <= HTTPLimits.readBytes || connection.reserved > 0 { return true }
    if room.reserve(byteCount, for: connection) { return true }
    room.wait(connection)
    connection.place = .room
    watch(connection)
    return false
  }

  /// Reads on where room has become free, and makes room where too much is kept.
  mutating func manageRoom() {
    while room.isExceeded, let connection = oldestKeeper {
      worker.counters.crowdedOut.count()
      close(connection)
    }
    while true {
      room.forgetFirst(room.goneAtFront { connection($0)?.incoming?.announcedBytes == nil })
      guard let connection = room.firstWaiting.flatMap({ self.connection($0) }),
        let byteCount = connection.incoming?.announcedBytes, room.admitFirst(byteCount, connection)
      else { break }
      connection.place = .none
      takeKeptRequests(of: connection, .held)
      watch(connection)
    }
    // A client that waits to be told to go on must not wait for what happens next.
    writeAnswers()
  }

  /// Of the connections that keep anything, the one whose request began first; and if none has a request, the one that has been
  /// silent for longest.
  private var oldestKeeper: Connection? {
    let keepsAnything = { [slots] (slot: Int) in
      slots[slot].map { $0.kept.requests + $0.kept.answers > 0 } ?? false
    }
    return (deadlines.first(.request, where: keepsAnything) ?? deadlines.first(.silence, where: keepsAnything))
      .flatMap { slots[$0] }
  }
}
