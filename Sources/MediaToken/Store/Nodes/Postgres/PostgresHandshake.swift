internal import MediaTokenSystem

/// The checks before a database gets claims. All of it waits.
struct PostgresHandshake: Sendable {
  private let engine: PostgresEngine
  let caller: DatabaseCaller
  /// The server's address and port, as it sees them; empty for a socket.
  let server: String
  /// Eight hexadecimal digits.
  let timeline: String
  private let timelineNumber: Int64
  let database: DatabaseIdentity

  init(_ engine: PostgresEngine, _ caller: DatabaseCaller) throws(NodeError) {
    (self.engine, self.caller) = (engine, caller)
    let statements = engine.statements
    let rows = try caller.ask(statements.facts, statements.parametersOfFacts)
    let texts = [0, 2, 3, 4, 5, 6, 7, 8, 9].map { rows.text($0) ?? "" }
    guard let version = Int(texts[0]), let isStandby = rows.number(1) else { throw .refused(.protocolUnknown) }
    if isStandby != 0 { throw .refused(.standby) }
    guard version >= 130_000 else { throw .refused(.version("\(version / 10000)")) }
    if texts[4].hasPrefix(PostgresStatements.formerMark) { throw .refused(.formerSchema) }
    guard texts[4].hasPrefix(PostgresStatements.mark) else { throw .refused(.noSchema) }
    guard texts[4] == statements.mark else { throw .refused(.otherFleet) }
    guard texts[3] == "on" else { throw .refused(.notDurable) }
    guard texts[6] == "read committed" else { throw .refused(.isolation) }
    guard texts[7] == "off" else { throw .refused(.readOnly) }
    guard let number = Int64(texts[5], radix: 16) else { throw .refused(.protocolUnknown) }
    let cluster = try caller.answer(to: statements.cluster, QueryParameters()).rows?.text(0)
    database = DatabaseIdentity(fleet: engine.fleet.name, cluster: cluster, database: texts[8])
    (server, timeline, timelineNumber) = ("\(texts[1]) \(texts[2])", texts[5], number)
  }

  /// Gives the data an epoch, if they have none.
  func startEpoch(isFresh: Bool = false) throws(NodeError) -> HandshakeResult {
    let (clock, statements) = (engine.clock, engine.statements)
    let start = MonotonicTime.now
    let now = FleetClock.secondRoundedUp(clock.now())
    let highest = clock.highestSecond(ofNode: 1)
    let answer = try caller.answer(
      to: statements.start, statements.parametersOfStart(at: now, highestSecond: highest, isFresh: isFresh))
    let elapsed = MonotonicTime.now &- start
    if let error = answer.error, ServerState(error.state, "") == .clock {
      guard let second = Int64(error.message), FleetClock.seconds.contains(second) else {
        throw .refused(.protocolUnknown)
      }
      let refusal = clock.startRefusal(at: second, ofNode: 1, askedAgo: elapsed)
      throw refusal.map { .refused($0) }
        ?? .busy("its clock and this host's were more than 5 s apart when it was asked; set both clocks")
    }
    if answer.error?.state == ServerState.otherFleet { throw .refused(try engine.refusal(of: caller)) }
    let rows = try caller.rows(of: answer)
    guard let second = rows.number(0), let since = rows.number(1), let high = rows.number(2),
      let started = rows.number(3),
      let result = engine.result(
        second: second, since: since, high: high, isStarted: started != 0, of: server, timelineNumber, elapsed)
    else { throw .refused(.protocolUnknown) }
    return result
  }
}
