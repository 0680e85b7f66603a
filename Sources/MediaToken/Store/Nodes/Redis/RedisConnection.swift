internal import MediaTokenSystem

/// One connection to a seat, from the lookup of its address to its end.
final class RedisConnection {
  enum End {
    /// There is no connection any more, or none that could be used; the seat's words.
    case lost(StoreWords?)
    case refused(SeatRefusal)
  }

  /// Nil while it lasts.
  private(set) var end: End?
  /// True if the handshake is done and the seat is ours.
  private(set) var isOpen = false
  private var epoch: EpochMark?
  /// The beginning of its address's lookup: the connection ages from then on.
  let start: UInt64

  private let engine: RedisEngine
  private let record: SeatRecord
  private let poller: Poller
  private let buffer: ReceiveBuffer
  private var commands: SeatCommands
  private var lookup: NameLookup?
  /// True if the lookup takes so long that the name service is taken to fail.
  private var isLookupLate = false
  /// The addresses that are still to be tried.
  private var addresses: [SocketAddress] = []
  private var socket: ConnectionSocket?
  private var reader = ReplyReader()
  private var handshake: Handshake
  /// In the order in which they were sent: replies come in the same.
  private var sent: [SentCommand] = []

  /// Begins to connect. All that is received goes through the buffer.
  init(_ engine: RedisEngine, _ record: SeatRecord, _ poller: Poller, _ buffer: ReceiveBuffer, at time: UInt64) {
    (self.engine, self.record, self.poller, self.buffer) = (engine, record, poller, buffer)
    commands = engine.commands(forSeat: record.number)
    handshake = Handshake(seat: record.number)
    start = time
    switch engine.fleet.seats[record.number - 1].place {
    case .local(let path): connect(to: [.local(path)], at: time)
    case .network(let host, let port):
      let numeric = SocketAddress.lookUp(host, port: port, isNumeric: true)
      if !numeric.isEmpty {
        connect(to: numeric, at: time)
      } else {
        lookup = try? NameLookup(host, port: port, waking: poller)
        if lookup == nil { end = .lost(nil) }
      }
    }
  }

  // MARK: its state

  /// True if it is so old that its address may be another process's by now.
  func isOld(at time: UInt64) -> Bool { time >= start + ConnectionTimes.oldest }

  /// True if it gets claims, once it has room for them: nothing is unanswered for too long.
  func takesClaims(at time: UInt64) -> Bool {
    isOpen && !isOld(at: time) && sent.first.map { time < $0.time + ConnectionTimes.slow } != false
  }

  /// True if so much is unanswered that it gets nothing more before an answer.
  var isFull: Bool { sent.count >= ConnectionTimes.mostCommands }

  var isQuiet: Bool { sent.isEmpty }

  /// The time to look at it even if nothing is ready; nil: when it is ready.
  var nextDeadline: UInt64? {
    if lookup != nil { return isLookupLate ? nil : start + ConnectionTimes.lost }
    return sent.first.map { $0.time + timeout }
  }

  // MARK: work

  func ask(_ batch: ClaimBatch, number: UInt64, at time: UInt64) {
    say(.claims(batch, number: number, isAgain: false), at: time) { $0.spend(batch, into: &$1) }
  }

  /// Does what is due. Reading comes first: a seat is late only if its answer is not among what has arrived.
  func work(at time: UInt64, isReady: Bool, _ hear: (SeatReply) -> Void) {
    if let found = lookup?.addresses {
      lookup = nil
      record.named(!found.isEmpty)
      connect(to: found, at: time)
    } else if lookup != nil, !isLookupLate, time >= start + ConnectionTimes.lost {
      isLookupLate = true
      record.named(false)
    }
    if isReady, end == nil, socket != nil {
      read(at: time, hear)
      if end == nil, socket?.flush() == false { lose(at: time) }
    }
    if end == nil, let oldest = sent.first?.time, time >= oldest + timeout { lose(at: time) }
  }

  func retire() {
    guard isOpen else { return }
    isOpen = false
    record.connectionClosed()
  }

  func close() { finish(.lost(nil)) }

  private func finish(_ end: End) {
    // Before the connection is gone: a refused seat is not a lost one.
    if case .refused(let refusal) = end { record.refused(refusal) }
    retire()
    lookup = nil
    dropConnection()
    self.end = end
  }

  /// The time that a command may wait. Before anything was heard, another address may be tried.
  private var timeout: UInt64 { addresses.isEmpty ? ConnectionTimes.lost : ConnectionTimes.attempt }

  private func connect(to addresses: [SocketAddress], at time: UInt64) {
    self.addresses = addresses
    connectToNext(at: time)
  }

  private func connectToNext(at time: UInt64) {
    while !addresses.isEmpty {
      do throws(WalkError) {
        socket = try ConnectionSocket(to: addresses.removeFirst(), watchedBy: poller, as: UInt64(record.number))
        // An address of this machine may have refused already.
        if shakeHands(at: time) { return }
        dropConnection()
      } catch {
        if case .distrusted(let place) = error { return finish(.refused(.exchangeableSocket(place))) }
      }
    }
    finish(.lost(nil))
  }

  /// The connection is gone. If nothing was heard on it, the host's next address is tried.
  private func lose(at time: UInt64) {
    dropConnection()
    connectToNext(at: time)
  }

  private func dropConnection() {
    socket.take()?.close()
    sent.removeAll()
  }

  /// The reply is awaited.
  private func say(
    _ question: SentCommand.Question, at time: UInt64, _ write: (inout SeatCommands, inout [UInt8]) -> Void
  ) {
    sent.append(SentCommand(question: question, time: time))
    if socket?.send({ write(&commands, &$0) }) == false { finish(.lost(nil)) }
  }
}

// MARK: handshake

extension RedisConnection {
  /// False if the connection is broken.
  private func shakeHands(at time: UInt64) -> Bool {
    let credential = engine.credentials.current.credential(ofSeat: record.number)
    handshake.password = credential?.password
    let questions: [SentCommand.Question] =
      (credential == nil ? [] : [.authentication]) + [.server, .replication, .cluster]
    sent = questions.map { SentCommand(question: $0, time: time) }
    return socket?.send { output in
      if let credential { commands.authenticate(credential, into: &output) }
      for section in ["server", "replication", "cluster"] { commands.info(section, into: &output) }
    } == true
  }

  private func prepare(at time: UInt64) {
    for script in [SeatScripts.claims, SeatScripts.birth, SeatScripts.probe] { load(script, at: time) }
    probe(at: time)
    bear(at: time)
  }

  private func load(_ script: SeatScripts.Script, at time: UInt64) {
    say(.script, at: time) { $0.load(script, into: &$1) }
  }

  /// Sees whether the seat takes writes: it is not asked if it takes none.
  func probe(at time: UInt64) {
    record.probed(at: time)
    say(.probe, at: time) { $0.probe(into: &$1) }
  }

  private func bear(at time: UInt64) {
    let second = FleetClock.secondRoundedUp(engine.clock.now())
    let highest = engine.clock.highestSecond(ofSeat: record.number)
    say(.birth, at: time) { $0.bear(at: second, highestSecond: highest, into: &$1) }
  }

  private func follow(_ step: Handshake.Step, at time: UInt64) {
    switch step {
    case .none: break
    case .approved: prepare(at: time)
    case .lost(let words): if !isOpen { finish(.lost(words)) }
    case .refused(let refusal): finish(.refused(refusal))
    case .done(let found):
      epoch = found.epoch
      if refuseClock(found.clockOffsetSeconds) { return }
      if isOpen { return record.learned(found) }
      if let refusal = record.connectionOpened(found) { return finish(.refused(refusal)) }
      isOpen = true
    }
  }
}

// MARK: hearing

extension RedisConnection {
  /// True for a seat whose clock is too far from ours: it is out, as it would be at a birth.
  private func refuseClock(_ offset: Int64) -> Bool {
    guard offset.magnitude > FleetClock.tolerance else { return false }
    finish(.refused(.clock(offsetSeconds: offset)))
    return true
  }

  private func read(at time: UInt64, _ hear: (SeatReply) -> Void) {
    while end == nil {
      switch socket?.receive(into: buffer) {
      case nil, .nothing: return
      case .end: return lose(at: time)
      case .bytes(let count):
        addresses = []
        do throws(ForeignReply) {
          let buffer = buffer
          try reader.feed(buffer.bytes)
          while end == nil, let reply = try reader.take() { try hearReply(reply, at: time, hear) }
          // The beginning of a reply to nothing would be taken for one to the next command.
          if end == nil, isQuiet, reader.open > 0 { throw ForeignReply() }
        } catch {
          return hearForeign(hear)
        }
        // A read that did not fill the buffer was the last.
        if count < ConnectionSocket.bufferBytes { return }
      }
    }
  }

  /// A reply that answers none of our commands leaves them as they are.
  private func hearReply(_ reply: Reply, at time: UInt64, _ hear: (SeatReply) -> Void) throws(ForeignReply) {
    let elapsed = time &- (sent.first?.time ?? time)
    switch sent.first?.question {
    case nil: throw ForeignReply()
    case .claims(let batch, let number, let isAgain):
      if reply.kind == .error {
        sent.removeFirst()
        let mayRepeat = !isAgain && !isOld(at: time)
        return hearError(ErrorReply(reply.wholeText), batch, number, mayRepeat: mayRepeat, at: time, hear)
      }
      guard let said = ClaimsReply(reply, count: batch.claims.count) else { throw ForeignReply() }
      sent.removeFirst()
      let offset = engine.clock.note(second: said.time, ofSeat: record.number, in: epoch, askedAgo: elapsed)
      // Its votes count, whatever its clock shows.
      hear(SeatReply(batch: number, answers: said.answers))
      _ = refuseClock(offset)
    case .some(let question):
      let step = try handshake.hear(reply, to: question, askedAgo: elapsed, engine.clock)
      sent.removeFirst()
      follow(step, at: time)
    }
  }

  /// A seat that has lost its scripts or its epoch gets them, and the same batch once more: the same ballots are the same
  /// claims.
  private func hearError(
    _ error: ErrorReply, _ batch: ClaimBatch, _ number: UInt64, mayRepeat: Bool, at time: UInt64,
    _ hear: (SeatReply) -> Void
  ) {
    switch error {
    case .noScript where mayRepeat: load(SeatScripts.claims, at: time)
    case .noEpoch where mayRepeat: bear(at: time)
    case .refused(let refusal):
      hear(SeatReply(batch: number, answers: nil))
      return finish(.refused(refusal))
    default: return hear(SeatReply(batch: number, answers: nil))
    }
    say(.claims(batch, number: number, isAgain: true), at: time) { $0.spend(batch, into: &$1) }
  }

  /// The batch that waits longest has no answer; the rest of the stream means nothing.
  private func hearForeign(_ hear: (SeatReply) -> Void) {
    if case .claims(_, let number, _) = sent.first?.question { hear(SeatReply(batch: number, answers: nil)) }
    finish(isOpen ? .lost(nil) : .refused(.protocolUnknown))
  }
}
