internal import MediaTokenSystem

/// One thread's claims in a fleet.
///
/// The claims of a turn go to all usable seats in one piece. Each reply is counted in one pass, and what it decides is
/// answered at once; what is undecided at its deadline is a fault, and its ballot is kept for the next try.
package final class FleetClaims {
  private let fleet: Fleet
  private let connections: SeatConnections
  private var ballots: BallotSource
  private var breaker = Breaker()

  /// Added, and not sent yet.
  private var turn: [OpenClaim] = []
  /// Sent, and waiting for connections since then; the first one longest.
  private var held: [OpenClaim] = []
  private var rounds = ClaimRounds()
  private var answers: ClaimAnswers
  /// No round and no held claim has an earlier deadline.
  private var soonestDeadline = SeatConnections.never
  /// How long claims wait for connections that are being made.
  private var waitsUntil: UInt64
  /// When claims were sent last, or when it was made.
  private(set) var lastUsed: UInt64
  /// Room that was used before.
  private var spare: [OpenClaim] = []

  /// For how long claims wait for new connections, within their deadline: 2 s.
  private static let timeout: UInt64 = 2_000_000_000
  /// After how long without care connections may have grown old, and are waited for as new ones: 100 ms.
  private static let longestNeglect: UInt64 = 100_000_000

  /// Begins to make its connections.
  ///
  /// - Throws: a fault if the system has no descriptor or memory left.
  init(_ fleet: Fleet, at time: UInt64) throws(Fault) {
    self.fleet = fleet
    answers = ClaimAnswers(fleet)
    ballots = try BallotSource()
    connections = try SeatConnections(fleet, at: time)
    (waitsUntil, lastUsed) = (time &+ Self.timeout, time)
  }

  deinit { answers.withdraw() }

  // MARK: adding and sending

  /// Adds a claim to this turn's: see ``PendingClaims/add(_:number:)``.
  package func add(_ claim: UseClaim, number: UInt64) {
    do throws(Fault) {
      if let outcome = try fleet.outcomeWithoutSeats(of: claim) { return answers.add(number, .success(outcome)) }
      let (ballot, origin) = try ballots.ballot(for: claim, in: fleet)
      let window = origin == .request ? fleet.retryWindowMilliseconds : nil
      turn.append(
        OpenClaim(
          claim: claim, number: number, origin: origin,
          tally: Tally(seats: fleet.seats, ballot: ballot, retryWindowMilliseconds: window)))
      answers.noteWaiting()
    } catch {
      answers.add(number, .failure(error))
    }
  }

  /// Gives up a claim that is not sent: see ``PendingClaims/withdraw(_:)``.
  package func withdraw(_ number: UInt64) -> Bool {
    if let index = turn.firstIndex(where: { $0.number == number }) {
      answers.withdraw(turn.remove(at: index))
    } else if let index = held.firstIndex(where: { $0.number == number }) {
      answers.withdraw(held.remove(at: index))
    } else {
      return false
    }
    return true
  }

  /// Sends what was added: see ``PendingClaims/send(_:)``.
  func send(at time: UInt64) {
    guard !turn.isEmpty else { return }
    if fleet.isForked { return failAll() }
    lastUsed = time
    if time &- connections.lastTended > Self.longestNeglect, connections.lastTended < time {
      takeUpConnections(at: time)
    }
    for index in turn.indices { turn[index].since = time }
    if held.isEmpty {
      swap(&held, &turn)
    } else {
      held.append(contentsOf: turn)
      turn.removeAll(keepingCapacity: true)
    }
    askSeats(at: time)
    connections.setAlarm(for: soonestDeadline)
    answers.publishWaiting()
  }

  /// Replies may be unread, and connections may have grown old: the claims that are sent now wait for new ones.
  private func takeUpConnections(at time: UInt64) {
    waitsUntil = max(waitsUntil, time &+ fleet.deadline)
    connections.work(at: time, all: true) { hear($0, from: $1, at: time) }
  }

  /// Sends the held claims, if there are connections for them. If not, they are held until their deadline while connections are being
  /// made or are busy, and end with a fault otherwise.
  private func askSeats(at time: UInt64) {
    while let oldest = held.first {
      let usable = connections.usable(at: time)
      guard usable.count >= fleet.votesNeeded else {
        let mayCome = usable.count + connections.busy(at: time).count >= fleet.votesNeeded || time < waitsUntil
        let late = mayCome ? held.prefix { $0.since &+ fleet.deadline <= time }.count : held.count
        for open in held[..<late] { answers.fail(open, wasAsked: false) }
        held.removeFirst(late)
        guard let oldest = held.first else { return }
        soonestDeadline = min(soonestDeadline, oldest.since &+ fleet.deadline)
        if time < waitsUntil { soonestDeadline = min(soonestDeadline, waitsUntil) }
        return
      }
      waitsUntil = 0
      ask(usable, takeBatch(), since: oldest.since, at: time)
    }
  }

  /// As many held claims as go into a batch. Those of one second follow each other: a seat takes them with one command.
  private func takeBatch() -> [OpenClaim] {
    var claims = spare
    spare = []
    if held.count <= ClaimBatch.mostClaims {
      swap(&claims, &held)
    } else {
      claims.append(contentsOf: held.prefix(ClaimBatch.mostClaims))
      held.removeFirst(ClaimBatch.mostClaims)
    }
    if claims.count > 1 {
      claims.sort { ($0.claim.issueTime, $0.number) < ($1.claim.issueTime, $1.number) }
    }
    return claims
  }

  private func ask(_ usable: SeatSet, _ claims: [OpenClaim], since: UInt64, at time: UInt64) {
    let wait = breaker.wait(asking: usable, needed: fleet.votesNeeded, deadline: fleet.deadline, at: time)
    let deadline = min(since &+ fleet.deadline, time &+ wait)
    let round = ClaimRound(since: since, deadline: deadline, asked: usable, claims: claims)
    soonestDeadline = min(soonestDeadline, deadline)
    connections.ask(usable, round.batch, number: rounds.append(round), at: time)
  }

  /// Asks the seats that can be asked only now, for the claims that wait: with them there may be a majority.
  private func askLatecomers(at time: UInt64) {
    for index in rounds.indices where !rounds[index].isOver && rounds[index].asked.count < fleet.seats {
      let late = connections.usable(at: time).subtracting(rounds[index].asked)
      guard late.count > 0 else { continue }
      rounds[index].asked.formUnion(late)
      connections.ask(late, rounds[index].batch, number: rounds.number(of: index), at: time)
    }
  }

  // MARK: hearing

  /// Does what is due and hands over what is known: see ``PendingClaims/takeAnswers(_:)``.
  func takeAnswers(at time: UInt64, _ body: (UInt64, Result<UseOutcome, Fault>) -> Void) {
    connections.wait(milliseconds: 0)
    workDue(at: time)
    handOver(body)
  }

  /// Waits until something is due, unless answers are known, and does the same.
  func waitForAnswers(_ body: (UInt64, Result<UseOutcome, Fault>) -> Void) {
    connections.wait(milliseconds: answers.isEmpty ? nil : 0)
    workDue(at: MonotonicTime.now)
    handOver(body)
  }

  /// Takes care of the connections: waits for what is due, for so long at most. For when no claim waits.
  func tend(milliseconds: Int32) {
    connections.wait(milliseconds: milliseconds)
    workDue(at: MonotonicTime.now)
  }

  private func workDue(at time: UInt64) {
    if fleet.isForked { return failAll() }
    connections.work(at: time) { hear($0, from: $1, at: time) }
    endRounds(at: time)
    askLatecomers(at: time)
    askSeats(at: time)
    connections.setAlarm(for: soonestDeadline)
    answers.publishWaiting()
  }

  /// Counts a reply, in one pass.
  private func hear(_ reply: SeatReply, from seat: Int, at time: UInt64) {
    let record = fleet.health.records[seat - 1]
    guard let index = rounds.indexAwaiting(seat, in: reply.batch) else {
      return record.count(.late, reply.answers?.count ?? 1)
    }
    rounds[index].answered.insert(seat)
    if let said = reply.answers, said.count == rounds[index].claims.count {
      var kinds = ReplyKinds()
      var decided = 0
      for place in said.indices where count(said[place], from: seat, &rounds[index].claims[place], &kinds) {
        decided += 1
      }
      kinds.tell(record)
      if decided > 0 { fleet.durations.count(decided, after: time &- rounds[index].since) }
    } else {
      record.count(.error, rounds[index].claims.count)
    }
    guard rounds[index].answered == rounds[index].asked else { return }
    // No answer can come any more, unless of a seat that was not asked yet.
    if rounds[index].isDecided || connections.connected.subtracting(rounds[index].asked).count == 0 {
      endRound(index, at: time)
    }
  }

  /// Counts what a seat said to one claim, and answers the claim if that decides it.
  ///
  /// - Returns: whether it did.
  private func count(
    _ said: SeatAnswer, from seat: Int, _ open: inout OpenClaim, _ kinds: inout ReplyKinds
  ) -> Bool {
    kinds.count(said, to: open.tally.ballot)
    if open.isAnswered { return false }
    open.tally.count(said, from: seat)
    guard let decision = open.tally.decision(at: open.claim.now) else { return false }
    if decision == .firstUse { answers.spendHere(open) } else { answers.close(open, .success(decision)) }
    open.isAnswered = true
    return true
  }

  // MARK: ending

  /// Ends the rounds whose deadline has passed.
  private func endRounds(at time: UInt64) {
    if time >= soonestDeadline {
      soonestDeadline = SeatConnections.never
      for index in rounds.indices where !rounds[index].isOver {
        if rounds[index].deadline <= time {
          endRound(index, at: time)
        } else {
          soonestDeadline = min(soonestDeadline, rounds[index].deadline)
        }
      }
    }
    rounds.trim()
  }

  /// No more answers count. What they left undecided is a fault.
  private func endRound(_ index: Int, at time: UInt64) {
    breaker.note(asked: rounds[index].asked, answered: rounds[index].answered)
    let since = rounds[index].since
    var claims = rounds.end(index)
    var failed = 0
    for open in claims where !open.isAnswered {
      answers.fail(open, wasAsked: true)
      failed += 1
    }
    if failed > 0 { fleet.durations.count(failed, after: time &- since) }
    claims.removeAll(keepingCapacity: true)
    spare = claims
  }

  /// A forked child sends and reads nothing. The ballots remain the parent's.
  private func failAll() {
    let open = turn + held + rounds.indices.flatMap { rounds.end($0).filter { !$0.isAnswered } }
    (turn, held) = ([], [])
    for open in open { answers.close(open, .failure(.replayMemoryUnavailable)) }
  }

  /// Hands over what is known.
  private func handOver(_ body: (UInt64, Result<UseOutcome, Fault>) -> Void) {
    guard !answers.isEmpty else { return }
    // The body may add claims that are answered at once.
    for (number, answer) in answers.take() { body(number, answer) }
  }
}

extension FleetClaims: PendingClaims {
  package var descriptor: Int32 { connections.descriptor }

  package func send(_ body: (UInt64, Result<UseOutcome, Fault>) -> Void) {
    send(at: MonotonicTime.now)
    handOver(body)
  }

  package func takeAnswers(_ body: (UInt64, Result<UseOutcome, Fault>) -> Void) {
    takeAnswers(at: MonotonicTime.now, body)
  }
}
