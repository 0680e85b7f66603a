internal import MediaTokenSystem

/// One thread's way to a database: a connection that gets the claims, and for moments one that takes its place or waits for its last
/// answer.
final class PostgresSeat: Seat {
  let number: Int
  private let engine: PostgresEngine
  private let record: SeatRecord
  private let poller: Poller

  /// Gets the claims.
  private var connection: PostgresConnection?
  /// Waits for its last answer; until then no other gets a claim, so that a server which holds answers back is not given more.
  private var leaving: PostgresConnection?
  private var dial: PostgresDial?
  private var nextDial: UInt64 = 0
  private var backoff = Backoff()
  /// The last connection was refused, or broke, or could not be made.
  private var hasFailed = false

  init(_ engine: PostgresEngine, _ record: SeatRecord, watchedBy poller: Poller) {
    (self.engine, self.record, self.poller) = (engine, record, poller)
    number = record.number
  }

  func isUsable(at time: UInt64) -> Bool { isQuiet && isYoung(at: time) }

  func isBusy(at time: UInt64) -> Bool { isRenewing || (connection != nil && !isQuiet && isYoung(at: time)) }

  /// The next connection is being made as it should be. Where that takes longer than the last one stays young, claims wait for it.
  private var isRenewing: Bool { dial != nil && !hasFailed }

  var isConnected: Bool { connection != nil || dial != nil }

  private var isQuiet: Bool { connection?.isQuiet == true && leaving == nil }

  private func isYoung(at time: UInt64) -> Bool {
    guard let connection, connection.end == nil else { return false }
    return engine.youth.standing(of: connection.goal, at: time) == .young
  }

  var nextDeadline: UInt64? {
    // It broke when it was sent something.
    if connection?.end != nil { return 0 }
    var soonest = min(connection?.deadline ?? .max, leaving?.deadline ?? .max)
    if let connection {
      let deadlines = engine.youth.deadlines(of: connection.start)
      soonest = min(soonest, deadlines.age)
      if dial == nil { soonest = min(soonest, deadlines.renewal) }
      if isQuiet { soonest = min(soonest, deadlines.care) }
    } else if dial == nil {
      soonest = min(soonest, nextDial)
    }
    return soonest == .max ? nil : soonest
  }

  func ask(_ batch: ClaimBatch, number: UInt64, at time: UInt64) {
    guard isUsable(at: time) else { return }
    connection?.ask(batch, number: number, at: time)
  }

  func work(at time: UInt64, isReady: Bool, _ hear: (SeatReply) -> Void) {
    leaving?.work(at: time, isReady: isReady, hear)
    connection?.work(at: time, isReady: isReady, hear)
    if let dial, let outcome = dial.take() {
      self.dial = nil
      follow(outcome, startedAt: dial.start, at: time, hear)
    }
    replaceConnections(at: time, hear)
    dialIfDue(at: time)
    if isUsable(at: time), engine.youth.takesCare(at: time) { connection?.care(at: time) }
  }

  func close() { close { _ in } }

  private func close(_ hear: (SeatReply) -> Void) {
    retire(hear)
    leaving?.close(hear)
    dial?.abandon()
    (leaving, dial) = (nil, nil)
  }

  private func replaceConnections(at time: UInt64, _ hear: (SeatReply) -> Void) {
    if let end = connection?.end {
      if case .refused(let refusal) = end {
        refuse(refusal, at: time, hear)
      } else {
        retire(hear)
        tryAgain(at: time)
      }
    }
    if connection != nil, !isYoung(at: time) {
      retire(hear)
      if dial == nil { nextDial = time }
    }
    // An answer of a database that was left is not waited for.
    if let leaving,
      leaving.isQuiet || leaving.end != nil
        || engine.youth.standing(of: leaving.goal, at: time) == .moved
    {
      leaving.close(hear)
      self.leaving = nil
    }
  }

  /// The connection gets no more claims, and ends when it has its answer.
  private func retire(_ hear: (SeatReply) -> Void) {
    guard let connection = self.connection.take() else { return }
    record.connectionClosed()
    engine.youth.close(connection.start)
    if connection.isQuiet || connection.end != nil {
      connection.close(hear)
    } else {
      leaving?.close(hear)
      leaving = connection
    }
  }

  private func refuse(_ refusal: SeatRefusal, at time: UInt64, _ hear: (SeatReply) -> Void) {
    // Before the connection is gone: a refused seat is not a lost one.
    record.refused(refusal)
    close(hear)
    hasFailed = true
    nextDial = time + ConnectionTimes.pause(after: refusal)
  }

  private func tryAgain(at time: UInt64) {
    record.reconnecting()
    hasFailed = true
    nextDial = time + backoff.next(engine.chance())
    engine.youth.fail(nextAt: nextDial)
  }

  private func follow(
    _ outcome: PostgresDial.Outcome, startedAt start: UInt64, at time: UInt64, _ hear: (SeatReply) -> Void
  ) {
    switch outcome {
    case .refused(let refusal): refuse(refusal, at: time, hear)
    case .nameless:
      record.named(false)
      tryAgain(at: time)
    case .lost: tryAgain(at: time)
    case .open(let opened, let handshake, let database):
      record.named(true)
      record.identified(database)
      retire(hear)
      let connection = PostgresConnection(
        engine, record, poller, opened, ConnectionYouth.Goal(handshake), start: start)
      if let refusal = record.connectionOpened(handshake) {
        connection.close()
        return refuse(refusal, at: time, hear)
      }
      engine.youth.open(start, connection.goal)
      self.connection = connection
      hasFailed = false
      backoff.reset()
    }
  }

  private func dialIfDue(at time: UInt64) {
    guard dial == nil else { return }
    if let connection {
      guard connection.isWorn || engine.youth.takesTurn(connection.start, at: time) else { return }
    } else if time < nextDial {
      return
    }
    engine.youth.begin(at: time, engine.chance())
    dial = try? PostgresDial(engine, waking: poller, at: time)
    if dial == nil { tryAgain(at: time) }
  }
}
