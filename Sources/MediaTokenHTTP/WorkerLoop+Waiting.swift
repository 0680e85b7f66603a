internal import MediaTokenSystem

/// What does not have its turn at once, so that a short question never waits long: requests after the first of a connection
/// that sends many, and long requests.
extension WorkerLoop {
  /// Makes the requests that have come on a connection wait.
  mutating func hold(_ connection: Connection) {
    guard !connection.isHeld else { return }
    connection.isHeld = true
    connection.caller.held.append(connection.token)
    callers.makeReadyAgain(connection.caller)
  }

  /// Goes on with the caller's connection that has waited longest.
  mutating func takeHeld(of caller: Caller) {
    guard !caller.held.isEmpty else { return }
    // Those that have just asked do not wait for it.
    writeAnswers()
    let gone = caller.held.prefix { connection($0)?.isHeld != true }.count
    guard let connection = caller.held.dropFirst(gone).first.flatMap({ connection($0) }) else {
      return caller.held.removeAll()
    }
    caller.held.removeFirst(gone + 1)
    connection.isHeld = false
    // Its client may have left since this was read.
    if Sockets.isOver(connection.descriptor) { close(connection) } else { takeKeptRequests(of: connection, .held) }
  }

  // MARK: shares

  /// Closes a connection because its caller has too much.
  mutating func crowdOut(_ connection: Connection) {
    worker.counters.crowdedOut.count()
    close(connection)
  }

  /// Of the caller who has most connections, closes the one from which nothing has come for longest, whether it is silent or has begun a
  /// request; else one whose client does not read, or asks more than it has its turn for. Never one whose question is being
  /// answered.
  ///
  /// - Parameters:
  ///   - new: one that was opened just now, and has had no time to ask.
  ///   - silentToo: whether one may be closed that has not asked anything.
  /// - Returns: whether there was one.
  @discardableResult
  mutating func crowdOutOne(isTCP: Bool, for new: Connection? = nil, silentToo: Bool = true) -> Bool {
    let most = callers.mostConnections(isTCP: isTCP)
    let isMeant = { [slots] (slot: Int) in
      guard let connection = slots[slot], connection !== new else { return false }
      return connection.peer.isTCP == isTCP && connection.caller.connections == most
    }
    // A question that has come and is not read yet is no silence.
    let isSilent = { [slots] (slot: Int) in
      silentToo && isMeant(slot) && slots[slot].map { !Sockets.hasBytes($0.descriptor) } == true
    }
    let idle = [
      deadlines.first(.silence, where: isSilent).map { ($0, deadlines.age($0, at: now)) },
      deadlines.first(.end, where: isMeant).map { ($0, deadlines.age($0, at: now)) },
      progress.first(.silence, where: isMeant).map { ($0, progress.age($0, at: now)) },
    ].compactMap(\.self).max { $0.1 < $1.1 }
    let slot = idle?.0 ?? deadlines.first(.request) { [slots] in isMeant($0) && slots[$0]?.waiting == nil }
    guard let connection = slot.flatMap({ slots[$0] }) else { return false }
    crowdOut(connection)
    return true
  }

  /// Closes as many as there are above the limit. What has come and is not read yet is not closed: it is tried again when it is read.
  mutating func crowdOutExcess(isTCP: Bool, for new: Connection? = nil, silentToo: Bool = true) {
    let limit = isTCP ? tcpLimit : connectionLimit
    while callers.connections(isTCP: isTCP) > limit, crowdOutOne(isTCP: isTCP, for: new, silentToo: silentToo) {}
  }

  /// Of the caller's connections that keep anything, the one whose request began first; and if none has a request, the one that has
  /// been silent for longest.
  func oldestKeeper(of caller: Caller) -> Connection? {
    let keepsAnything = { [slots] (slot: Int) in
      slots[slot].map { $0.caller === caller && $0.kept > 0 } ?? false
    }
    return (deadlines.first(.request, where: keepsAnything) ?? deadlines.first(.silence, where: keepsAnything))
      .flatMap { slots[$0] }
  }
}
