internal import MediaTokenSystem

/// A connection that is open, with one question in flight at most.
final class PostgresConnection {
  enum End {
    case lost
    case refused(SeatRefusal)
  }

  /// Nil while it lasts.
  private(set) var end: End?
  /// The time when it began to be made.
  let start: UInt64
  let goal: ConnectionYouth.Goal

  private let engine: PostgresEngine
  private let record: SeatRecord
  private let poller: Poller
  private let connection: DatabaseConnection
  private let descriptor: Int32
  private var isWaitingToSend = false
  private var question: Question?
  private var asked: UInt64 = 0

  private enum Question {
    /// `isAgain`: the batch is sent for the second time.
    case claims(ClaimBatch, number: UInt64, isAgain: Bool)
    case care
  }

  init(
    _ engine: PostgresEngine, _ record: SeatRecord, _ poller: Poller, _ connection: DatabaseConnection,
    _ goal: ConnectionYouth.Goal, start: UInt64
  ) {
    (self.engine, self.record, self.poller, self.connection) = (engine, record, poller, connection)
    (self.goal, self.start) = (goal, start)
    descriptor = connection.descriptor
    if (try? poller.add(descriptor, .reading, as: UInt64(record.number))) == nil { end = .lost }
  }

  var isQuiet: Bool { question == nil }

  /// True if another is to take its place before its time.
  var isWorn: Bool { connection.isWorn }

  /// The time when the answer is given up, and the connection with it; nil if none is awaited.
  var deadline: UInt64? { isQuiet ? nil : asked + ConnectionTimes.lost }

  func ask(_ batch: ClaimBatch, number: UInt64, at time: UInt64) {
    send(.claims(batch, number: number, isAgain: false), at: time)
  }

  /// Attends the epoch, and has the slots made that are due.
  func care(at time: UInt64) { send(.care, at: time) }

  private func send(_ question: Question, at time: UInt64) {
    (self.question, asked) = (question, time)
    let statements = engine.statements
    let isSent =
      switch question {
      case .claims(let batch, _, _): connection.send(statements.claims, statements.parameters(of: batch))
      case .care:
        connection.send(
          statements.tend, statements.parametersOfTend(at: FleetClock.secondRoundedUp(engine.clock.now())))
      }
    if !isSent { end = .lost } else { flush() }
  }

  private func flush() {
    guard let isMore = connection.flush() else {
      end = .lost
      return
    }
    guard isMore != isWaitingToSend else { return }
    isWaitingToSend = isMore
    let interest: Poller.Interest = isMore ? [.reading, .writing] : .reading
    if (try? poller.change(descriptor, interest, as: UInt64(record.number))) == nil { end = .lost }
  }

  /// Does what is due, if its socket is ready.
  func work(at time: UInt64, isReady: Bool, _ hear: (SeatReply) -> Void) {
    if isReady, end == nil {
      let reception = connection.receive()
      // Answers that came before the end count.
      while end == nil, let answer = connection.takeAnswer() { self.hear(answer, at: time, hear) }
      if reception != .good { end = end ?? .lost }
      if end == nil, isWaitingToSend { flush() }
    }
    if end == nil, let deadline, time >= deadline { end = .lost }
    // No answer can come any more.
    if end != nil { fail(hear) }
  }

  /// A question that waits for an answer has none.
  func close(_ hear: (SeatReply) -> Void = { _ in }) {
    fail(hear)
    poller.remove(descriptor)
    connection.finish()
    end = end ?? .lost
  }

  private func fail(_ hear: (SeatReply) -> Void) {
    if case .claims(let batch, let number, _) = question {
      record.countBatch(.error, claims: batch.claims.count)
      hear(SeatReply(batch: number, answers: nil))
    }
    question = nil
  }

  private func hear(_ answer: ServerAnswer, at time: UInt64, _ hear: (SeatReply) -> Void) {
    // A stray answer would be taken for the answer to the next question.
    guard let question else {
      end = .lost
      return
    }
    let elapsed = time &- asked
    if let error = answer.error, follow(ServerState(error.state, error.message), question, at: time) { return }
    self.question = nil
    switch question {
    case .claims(let batch, let number, _):
      let row = answer.isWarned ? nil : answer.rows?.bytes(0)
      let said = row.flatMap { ClaimsAnswer($0, count: batch.claims.count) }
      record.countBatch(answer.isWarned ? .warned : said == nil ? .error : .ok, claims: batch.claims.count)
      hear(SeatReply(batch: number, answers: said?.answers))
      if let said {
        engine.clock.note(
          second: said.time, ofSeat: record.number, in: EpochMark(process: goal.process, from: goal.from),
          askedAgo: elapsed)
      }
      // The server does not speak as the schema's functions do.
      if answer.error == nil, !answer.isWarned, said == nil { end = .lost }
    case .care:
      guard answer.error == nil, let rows = answer.rows, let second = rows.number(0), let since = rows.number(1),
        let high = rows.number(2),
        let found = engine.result(
          second: second, since: since, high: high, isBorn: false, of: goal.process, goal.timeline, elapsed),
        found.from == goal.from
      else {
        // Data of another epoch are found by a handshake.
        if answer.error == nil { end = .lost }
        return
      }
      if rows.text(4) == "on" { end = .refused(.readOnly) }
      record.learned(found)
      if let seen = rows.number(3), FleetClock.epochSeconds.contains(seen) { record.attended(at: seen) }
    }
  }

  /// True if the same question was asked once more: the same ballots are the same claims.
  private func follow(_ state: ServerState, _ question: Question, at time: UInt64) -> Bool {
    switch state {
    case .again:
      guard case .claims(let batch, let number, isAgain: false) = question else { return false }
      send(.claims(batch, number: number, isAgain: true), at: time)
      return true
    // An epoch is given by the next handshake, which also finds another node.
    case .noEpoch, .otherNode: end = .lost
    case .refused(let refusal): end = .refused(refusal)
    case .clock, .hasEpoch, .none: break
    }
    return false
  }
}
