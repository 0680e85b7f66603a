internal import MediaTokenSystem

/// Ends connections of callers that have more than their share.
extension WorkerLoop {
  /// Closes a connection because its caller has too much.
  mutating func crowdOut(_ connection: Connection) {
    worker.counters.crowdedOut.count()
    close(connection)
  }

  /// Of the caller who has most connections, closes the one from which nothing has come for longest, whether it is silent
  /// or has begun a request; else one whose client does not read, or asks more than it has its turn for. Never one whose
  /// question is being answered. Over TCP first of all one that has not asked anything yet. False if there was none.
  ///
  /// `new` was opened just now, and has had no time to ask. `silentToo`: one may be closed that has not asked anything.
  @discardableResult
  mutating func crowdOutOne(isTCP: Bool, for new: Connection? = nil, silentToo: Bool = true) -> Bool {
    let most = callers.mostConnections(isTCP: isTCP)
    let isMeant = { [slots] (slot: Int) in
      guard let connection = slots[slot], connection !== new else { return false }
      return connection.peer.isTCP == isTCP && connection.caller.connections == most
    }
    // A question that has come and is not read yet is no silence.
    let isSilent = { [slots] (slot: Int) in
      silentToo && slots[slot].map { !Sockets.hasBytes($0.descriptor) } == true
    }
    func longestIdle(_ isMeant: (Int) -> Bool) -> Int? {
      [
        deadlines.first(.silence) { isMeant($0) && isSilent($0) }.map { ($0, deadlines.age($0, at: now)) },
        deadlines.first(.end, where: isMeant).map { ($0, deadlines.age($0, at: now)) },
        progress.first(.silence, where: isMeant).map { ($0, progress.age($0, at: now)) },
      ].compactMap(\.self).max { $0.1 < $1.1 }?.0
    }
    let hasNotAsked = isTCP ? longestIdle { [slots] in isMeant($0) && slots[$0]?.hasAsked == false } : nil
    let slot =
      hasNotAsked ?? longestIdle(isMeant)
      ?? deadlines.first(.request) { [slots] in isMeant($0) && slots[$0]?.waiting == nil }
    guard let connection = slot.flatMap({ slots[$0] }) else { return false }
    crowdOut(connection)
    return true
  }

  /// Closes as many as there are above the limit. A connection with bytes that are not read yet stays: it is tried again
  /// when they are read.
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
  /// Counts a question of a connection in the reserve, which it leaves when it has asked more than seldom.
  mutating func leaveReserve(_ connection: Connection) {
    // Where the system has no descriptor for that caller it stays.
    guard !connection.countQuestion(at: now),
      let caller = try? callers.find(Caller.Name(connection.peer.account, isReserve: false), worker.poller)
    else { return }
    connection.caller.poller.remove(connection.descriptor)
    callers.move(connection, to: caller)
    do throws(SystemError) {
      try caller.poller.add(connection.descriptor, connection.interest, as: connection.token)
    } catch {
      close(connection)
    }
  }
}
