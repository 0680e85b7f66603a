internal import MediaTokenSystem

/// A connection to the primary, for a thread that waits: for each answer 2 s at most.
struct DatabaseLink {
  private let engine: PostgresEngine
  private let caller: DatabaseCaller
  private let goal: DatabaseLinks.Goal
  let database: DatabaseIdentity
  private let record: NodeRecord

  static func dial(_ engine: PostgresEngine, _ record: NodeRecord) throws(NodeError) -> (
    DatabaseLink, HandshakeResult
  ) {
    try PrimarySearch(engine).withPrimary(keepsConnection: true) { (handshake) throws(NodeError) in
      let found = try handshake.startEpoch()
      let link = DatabaseLink(
        engine: engine, caller: handshake.caller, goal: DatabaseLinks.Goal(found), database: handshake.database,
        record: record)
      return (link, found)
    }
  }

  private init(
    engine: PostgresEngine, caller: DatabaseCaller, goal: DatabaseLinks.Goal, database: DatabaseIdentity,
    record: NodeRecord
  ) {
    (self.engine, self.caller, self.goal, self.database) = (engine, caller, goal, database)
    self.record = record
  }

  var isWorn: Bool { caller.connection.isWorn }

  func end() { caller.connection.finish() }

  /// The answers; nil if it has none for these claims. An error if the connection can't be used any more.
  func ask(_ batch: ClaimBatch) throws(NodeError) -> [NodeAnswer]? {
    do throws(NodeError) {
      let (answers, result) = try claims(batch, mayRepeat: true)
      record.countBatch(result, claims: batch.claims.count)
      return answers
    } catch {
      record.countBatch(.error, claims: batch.claims.count)
      throw error
    }
  }

  private func claims(
    _ batch: ClaimBatch, mayRepeat: Bool
  ) throws(NodeError) -> ([NodeAnswer]?, ClaimBatchResult) {
    let start = MonotonicTime.now
    let statements = engine.statements
    let answer = try question(statements.claims, statements.parameters(of: batch))
    if let error = answer.error {
      // The same ballots are the same claims.
      if case .again = ServerState(error.state, error.message), mayRepeat {
        return try claims(batch, mayRepeat: false)
      }
      try leave(error)
      return (nil, .error)
    }
    if answer.isWarned { return (nil, .warned) }
    guard let said = answer.rows?.bytes(0).flatMap({ ClaimsAnswer($0, count: batch.claims.count) }) else {
      // The server does not speak as the schema's functions do.
      throw .closed
    }
    engine.clock.note(
      second: said.time, ofNode: 1, in: EpochMark(process: goal.process, from: goal.from),
      askedAgo: MonotonicTime.now &- start)
    return (said.answers, .ok)
  }

  /// Maintains the epoch, and has the slots made that are due. What is known of the epoch now, and the second of the server's clock in
  /// which it was maintained before; nil if there is no answer now.
  func maintain() throws(NodeError) -> (found: HandshakeResult, seen: Int64?)? {
    let start = MonotonicTime.now
    let statements = engine.statements
    let answer = try question(
      statements.maintain, statements.parametersOfMaintain(at: FleetClock.secondRoundedUp(engine.clock.now())))
    if let error = answer.error {
      try leave(error)
      return nil
    }
    guard let rows = answer.rows, let second = rows.number(0), let since = rows.number(1),
      let high = rows.number(2),
      let found = engine.result(
        second: second, since: since, high: high, isStarted: false, of: goal.process, goal.timeline,
        MonotonicTime.now &- start)
    else { throw .closed }
    if rows.text(4) == "on" { throw .refused(.readOnly) }
    return (found, rows.number(3).flatMap { FleetClock.epochSeconds.contains($0) ? $0 : nil })
  }

  private func question(_ statement: String, _ parameters: borrowing QueryParameters) throws(NodeError)
    -> ServerAnswer
  {
    // A stray answer would be taken for the answer to this question.
    guard caller.connection.receive() == .good, caller.connection.takeAnswer() == nil else { throw .closed }
    return try caller.answer(to: statement, parameters, within: Timeout(milliseconds: Self.lostMilliseconds))
  }

  private static let lostMilliseconds = Int(ConnectionTimes.lost / 1_000_000)

  /// Throws if the server's error ends the connection.
  private func leave(_ error: (state: String, message: String)) throws(NodeError) {
    switch ServerState(error.state, error.message) {
    // An epoch is given by the next handshake, which also finds another member.
    case .noEpoch, .otherMember: throw .closed
    case .refused(.otherFleet): throw .refused(try engine.refusal(of: caller))
    case .refused(let refusal): throw .refused(refusal)
    case .clock, .hasEpoch, .again, .none: break
    }
  }
}
