internal import MediaTokenSystem

/// One stream of commands to a node's process, and of its replies, from the lookup of its address to its end. It begins with the questions
/// whether the process may be a node. Nothing here waits.
final class RedisStream: Redacted {
  /// Why it ended; nil while it lasts.
  private(set) var end: NodeError?
  /// The beginning of its address's lookup: it ages from then on.
  let start: UInt64
  /// That of the user who was logged in last: no message repeats it.
  private(set) var password: String?
  /// True if the name service has an address for it, false if it has none or fails; nil: it was not asked, or this was told already.
  private var isNamed: Bool?

  private let engine: RedisEngine
  private let number: Int
  private let poller: Poller
  private let buffer: ReceiveBuffer
  private let longestWait: UInt64
  private var commands: NodeCommands
  /// What its address's lookup finds; nil if it has none, or no longer.
  private var lookup: Monitor<[SocketAddress]?>?
  /// True if the lookup takes so long that the name service is taken to fail.
  private var isLookupLate = false
  /// The addresses that are still to be tried.
  private var addresses: [SocketAddress] = []
  private var socket: ConnectionSocket?
  private var reader = ReplyReader()
  /// In the order in which they were sent: replies come in the same.
  private var sent: [SentCommand] = []
  /// 0: it has said nothing.
  private var lastHeard: UInt64 = 0

  /// Begins to connect. All that is received goes through the buffer. `longestWait`: for a reply, in nanoseconds.
  init(
    _ engine: RedisEngine, node number: Int, _ poller: Poller, _ buffer: ReceiveBuffer, at time: UInt64,
    longestWait: UInt64 = ConnectionTimes.lost
  ) {
    (self.engine, self.number, self.poller, self.buffer) = (engine, number, poller, buffer)
    (start, self.longestWait) = (time, longestWait)
    commands = engine.commands(forNode: number)
    switch engine.fleet.nodes[number - 1].place {
    case .local(let path): connect(to: [.local(path)], at: time)
    case .network(let host, let port):
      let numeric = SocketAddress.lookUp(host, port: port, isNumeric: true)
      guard numeric.isEmpty else {
        connect(to: numeric, at: time)
        return
      }
      do throws(SystemError) {
        let found = Monitor<[SocketAddress]?>(nil)
        try engine.names.begin(host, port: port) { addresses in
          found.change { $0 = addresses }
          poller.wake()
        }
        lookup = found
      } catch {
        end = .unreachable(error)
      }
    }
  }

  // MARK: its state

  /// True if everything was answered.
  var isQuiet: Bool { sent.isEmpty }

  var unanswered: Int { sent.count }

  /// The time when what waits longest for its reply was sent.
  var oldestQuestion: UInt64? { sent.first?.time }

  /// See ``Node/silentSince``.
  var silentSince: UInt64? { sent.first.map { max($0.time, lastHeard) } }

  /// The time to look at it even if nothing is ready; nil: when it is ready.
  var nextDeadline: UInt64? {
    if lookup != nil { return isLookupLate ? nil : start + ConnectionTimes.lost }
    return sent.first.map { $0.time + timeout }
  }

  /// What was learnt of its name, once.
  func takeNaming() -> Bool? { isNamed.take() }

  /// The claims without a reply.
  var claims: [TakenClaims] {
    sent.compactMap { if case .claims(let claims, _) = $0.question { claims } else { nil } }
  }

  // MARK: work

  /// Sends commands, whose replies are awaited. If it is broken, that is found when it is read.
  func say(
    _ questions: SentCommand.Question..., at time: UInt64, _ write: (inout NodeCommands, inout [UInt8]) -> Void
  ) {
    for question in questions { sent.append(SentCommand(question: question, time: time)) }
    _ = socket?.send { write(&commands, &$0) }
  }

  /// Does what is due. Reading comes first: a node is late only if its answer is not among what has arrived. `hear` is called with
  /// each reply and what it answers; if it throws, the rest of the stream means nothing.
  func work(
    at time: UInt64, isReady: Bool, _ hear: (SentCommand, Reply) throws(ForeignReply) -> Void
  ) {
    if let found = lookup?.current {
      (lookup, isNamed) = (nil, !found.isEmpty)
      if found.isEmpty { end = .nameless } else { connect(to: found, at: time) }
    } else if lookup != nil, !isLookupLate, time >= start + ConnectionTimes.lost {
      (isLookupLate, isNamed) = (true, false)
    }
    if isReady, end == nil, socket != nil {
      read(at: time, hear)
      if end == nil { _ = socket?.flush() }
    }
    if end == nil, let oldest = sent.first?.time, time >= oldest + timeout {
      lose(.late(milliseconds: Int(timeout / 1_000_000)), at: time)
    }
  }

  /// It ends for a reason of its owner's. What was sent has no reply.
  func close() {
    lookup = nil
    socket.take()?.close()
    end = end ?? .closed
  }

  /// The time that a reply may take. Before anything was heard, another address may be tried.
  private var timeout: UInt64 { addresses.isEmpty ? longestWait : ConnectionTimes.attempt }

  private func connect(to addresses: [SocketAddress], at time: UInt64) {
    self.addresses = addresses
    connectToNext(at: time, otherwise: .nameless)
  }

  private func connectToNext(at time: UInt64, otherwise error: NodeError) {
    var error = error
    while !addresses.isEmpty {
      do throws(WalkError) {
        socket = try ConnectionSocket(to: addresses.removeFirst(), watchedBy: poller, as: UInt64(number))
        return greet(at: time)
      } catch let failure {
        error = NodeError(failure)
        if case .distrusted = failure { break }
      }
    }
    end = error
  }

  /// First questions that change nothing.
  private func greet(at time: UInt64) {
    sent = []
    let credential = engine.credentials.current.credential(ofNode: number)
    password = credential?.password
    if let credential { say(.authentication, at: time) { $0.authenticate(credential, into: &$1) } }
    say(.server, .replication, .cluster, at: time) { commands, output in
      for section in ["server", "replication", "cluster"] { commands.info(section, into: &output) }
    }
  }

  /// The connection is gone. If nothing was heard on it, the host's next address is tried.
  private func lose(_ error: NodeError, at time: UInt64) {
    socket.take()?.close()
    guard !addresses.isEmpty else {
      end = error
      return
    }
    connectToNext(at: time, otherwise: error)
  }

  private func read(at time: UInt64, _ hear: (SentCommand, Reply) throws(ForeignReply) -> Void) {
    // What arrived before a failure is read all the same: a node may have said why, and gone.
    let failure = lastHeard == 0 ? socket?.failure() : nil
    while end == nil {
      switch socket?.receive(into: buffer) {
      case nil: return
      case .nothing:
        if let failure { lose(.unreachable(failure), at: time) }
        return
      case .end: return lose(failure.map(NodeError.unreachable) ?? .closed, at: time)
      case .bytes(let count):
        (addresses, lastHeard) = ([], time)
        do throws(ForeignReply) {
          let buffer = buffer
          try reader.feed(buffer.bytes)
          while end == nil, let reply = try reader.take() { try tell(reply, hear) }
          // The beginning of a reply to nothing would be taken for one to the next command.
          if end == nil, isQuiet, reader.open > 0 { throw ForeignReply() }
        } catch {
          socket.take()?.close()
          end = end ?? .refused(.protocolUnknown)
        }
        // A read that did not fill the buffer was the last.
        if count < ConnectionSocket.bufferBytes { return }
      }
    }
  }

  /// A reply that answers none of our commands leaves them as they are.
  private func tell(
    _ reply: Reply, _ hear: (SentCommand, Reply) throws(ForeignReply) -> Void
  ) throws(ForeignReply) {
    guard let command = sent.first else { throw ForeignReply() }
    sent.removeFirst()
    do throws(ForeignReply) {
      try hear(command, reply)
    } catch {
      sent.insert(command, at: 0)
      throw error
    }
  }
}
