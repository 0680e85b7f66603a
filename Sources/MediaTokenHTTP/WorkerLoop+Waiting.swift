internal import MediaTokenSystem

/// Requests that do not have their turn at once, so that a short question never waits long: those after the first of a
/// connection that sends many, and long ones.
extension WorkerLoop {
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
}
