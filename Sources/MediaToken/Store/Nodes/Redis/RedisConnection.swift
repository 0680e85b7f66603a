internal import MediaTokenSystem

/// A connection that claims go over, once its handshake is done.
final class RedisConnection {
  enum End {
    /// There is no connection any more, or none that could be used; the node's words.
    case lost(StoreWords?)
    case refused(NodeRefusal)
  }

  /// Nil while it lasts.
  private(set) var end: End?
  /// True if the handshake is done and the node is ours.
  private(set) var isOpen = false
  private var epoch: EpochMark?
  /// The time when it is to see whether it still takes writes.
  private(set) var nextProbe: UInt64 = 0
  private let engine: RedisEngine
  private let record: NodeRecord
  private let stream: RedisStream
  private var handshake: Handshake

  init(_ engine: RedisEngine, _ record: NodeRecord, _ poller: Poller, _ buffer: ReceiveBuffer, at time: UInt64) {
    (self.engine, self.record) = (engine, record)
    stream = RedisStream(engine, node: record.number, poller, buffer, at: time)
    handshake = Handshake(node: record.number)
    followStream()
  }

  // MARK: its state

  var start: UInt64 { stream.start }

  /// True if it is so old that its address may be another process's by now.
  func isOld(at time: UInt64) -> Bool { time >= start + ConnectionTimes.oldest }

  /// True if it gets claims, once it has room for them: nothing is unanswered for too long.
  func takesClaims(at time: UInt64) -> Bool {
    isOpen && !isOld(at: time) && stream.oldestQuestion.map { time < $0 + ConnectionTimes.slow } != false
  }

  /// True if so much is unanswered that it gets nothing more before an answer.
  var isFull: Bool { stream.unanswered >= ConnectionTimes.mostCommands }

  var isQuiet: Bool { stream.isQuiet }
  var silentSince: UInt64? { stream.silentSince }
  var nextDeadline: UInt64? { stream.nextDeadline }

  /// The claims that it was lost with.
  var lost: [TakenClaims] { end == nil ? [] : stream.claims }

  // MARK: work

  func ask(_ claims: TakenClaims, at time: UInt64) {
    stream.say(.claims(claims, isAgain: false), at: time) { $0.spend(claims.batch, into: &$1) }
  }

  /// Does what is due.
  func work(at time: UInt64, isReady: Bool, _ hear: (NodeReply) -> Void) {
    guard end == nil else { return }
    stream.work(at: time, isReady: isReady) { (command, reply) throws(ForeignReply) in
      try self.hear(reply, to: command, at: time, hear)
    }
    if let isNamed = stream.takeNaming() { record.named(isNamed) }
    followStream()
  }

  private func followStream() {
    switch stream.end {
    case nil: break
    case .refused(let refusal) where !isOpen: finish(.refused(refusal))
    default: finish(.lost(nil))
    }
  }

  /// It gets no more claims.
  func retire() {
    guard isOpen else { return }
    isOpen = false
    record.connectionClosed()
  }

  func close() { finish(.lost(nil)) }

  private func finish(_ end: End) {
    if self.end != nil { return }
    // Before the connection is gone: a refused node is not a lost one.
    if case .refused(let refusal) = end { record.refused(refusal) }
    retire()
    stream.close()
    self.end = end
  }

  // MARK: handshake

  private func prepare(at time: UInt64) {
    for script in [NodeScripts.claims, NodeScripts.start, NodeScripts.probe] { load(script, at: time) }
    probe(at: time)
    startEpoch(at: time)
  }

  private func load(_ script: NodeScripts.Script, at time: UInt64) {
    stream.say(.script, at: time) { $0.load(script, into: &$1) }
  }

  /// Sees whether the node takes writes: it is not asked if it takes none.
  func probe(at time: UInt64) {
    nextProbe = time + ConnectionTimes.maintenance
    stream.say(.probe, at: time) { $0.probe(into: &$1) }
  }

  private func startEpoch(at time: UInt64) {
    let second = FleetClock.secondRoundedUp(engine.clock.now())
    let highest = engine.clock.highestSecond(ofNode: record.number)
    stream.say(.start, at: time) { $0.startEpoch(at: second, highestSecond: highest, into: &$1) }
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

// MARK: - hearing

extension RedisConnection {
  /// True for a node whose clock is too far from ours: it is out, as it would be at a start.
  private func refuseClock(_ offset: Int64) -> Bool {
    guard offset.magnitude > FleetClock.tolerance else { return false }
    finish(.refused(.clock(offsetSeconds: offset)))
    return true
  }

  private func hear(
    _ reply: Reply, to command: SentCommand, at time: UInt64, _ hear: (NodeReply) -> Void
  ) throws(ForeignReply) {
    let elapsed = time &- command.time
    guard case .claims(let claims, let isAgain) = command.question else {
      handshake.password = stream.password
      return follow(try handshake.hear(reply, to: command.question, askedAgo: elapsed, engine.clock), at: time)
    }
    if reply.kind == .error {
      return hearError(
        ErrorReply(reply.wholeText), claims, mayRepeat: !isAgain && !isOld(at: time), at: time, hear)
    }
    guard let said = ClaimsReply(reply, count: claims.numbers.count) else { throw ForeignReply() }
    let offset = engine.clock.note(second: said.time, ofNode: record.number, in: epoch, askedAgo: elapsed)
    // Its votes count, whatever its clock shows.
    hear(NodeReply(claims: claims, end: .answered(said.answers)))
    _ = refuseClock(offset)
  }

  /// A node that has lost its scripts or its epoch gets them, and the same batch once more: the same ballots are the same
  /// claims.
  private func hearError(
    _ error: ErrorReply, _ claims: TakenClaims, mayRepeat: Bool, at time: UInt64, _ hear: (NodeReply) -> Void
  ) {
    switch error {
    case .noScript where mayRepeat: load(NodeScripts.claims, at: time)
    case .noEpoch where mayRepeat: startEpoch(at: time)
    case .refused(let refusal):
      hear(NodeReply(claims: claims, end: .unanswered))
      return finish(.refused(refusal))
    default: return hear(NodeReply(claims: claims, end: .unanswered))
    }
    stream.say(.claims(claims, isAgain: true), at: time) { $0.spend(claims.batch, into: &$1) }
  }
}
