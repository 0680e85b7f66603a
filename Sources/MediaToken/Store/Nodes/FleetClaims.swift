internal import MediaTokenSystem

/// One thread's claims in a fleet.
///
/// The claims of a turn go to all usable seats in one piece. Each reply is counted in one pass, and what it decides is
/// answered at once; what is undecided at its deadline is a fault, and its ballot is kept for the next try.
package final class FleetClaims {
  let fleet: Fleet
  let connections: SeatConnections
  private var ballots: BallotSource
  var breaker = Breaker()

  /// Added, and not sent yet.
  private var turn: [OpenClaim] = []
  /// Sent, and waiting for connections.
  private var held = CallersLine<OpenClaim>()
  var rounds = ClaimRounds()
  var answers: ClaimAnswers
  var joined: JoinedClaims
  /// No claim has an earlier deadline.
  var soonestDeadline = SeatConnections.never
  /// The end of the wait for connections that are being made.
  private var waitsUntil: UInt64
  /// The time when claims were sent last, or when this was made.
  private(set) var lastUsed: UInt64
  /// Room that was used before.
  var spare: [OpenClaim] = []

  /// The wait of claims for new connections, within their deadline: 2 s.
  private static let timeout: UInt64 = 2_000_000_000
  /// The time without care after which connections may have grown old, and are waited for as new ones: 100 ms.
  private static let longestNeglect: UInt64 = 100_000_000

  /// Begins to make its connections. A fault if the system has no descriptor or memory left.
  init(_ fleet: Fleet, at time: UInt64) throws(Fault) {
    self.fleet = fleet
    answers = ClaimAnswers(fleet)
    ballots = try BallotSource()
    connections = try SeatConnections(fleet, at: time)
    joined = JoinedClaims(fleet, ClaimInbox(waking: connections.poller))
    (waitsUntil, lastUsed) = (time &+ Self.timeout, time)
  }

  deinit {
    // Others may wait for the answers to these claims.
    for open in openClaims { answers.abandon(open) }
    joined.abandon()
    answers.end()
  }

  /// The claims without an answer, those that joined others' left out.
  private var openClaims: [OpenClaim] {
    turn + held.all + rounds.indices.flatMap { rounds[$0].claims.filter { !$0.isAnswered } }
  }

  // MARK: adding and sending

  /// See ``PendingClaims/add(_:number:of:)``.
  package func add(_ claim: UseClaim, number: UInt64, of caller: ClaimCaller) {
    do throws(Fault) {
      if let outcome = try fleet.outcomeWithoutSeats(of: claim) { return answers.add(number, .success(outcome)) }
    } catch {
      return answers.add(number, .failure(error))
    }
    if joined.begin(claim, number: number, of: caller) {
      ask(claim, number: number, of: caller)
    } else {
      answers.noteWaiting()
    }
  }

  /// Adds a claim whose caller is the one that asks about its token: see ``Fleet/begin(_:telling:as:)``. `since` is the
  /// time when it was sent, 0 if it was not yet; `deadline` is the end of its wait, 0 for that of all that are sent with
  /// it.
  func ask(
    _ claim: UseClaim, number: UInt64, of caller: ClaimCaller = .one, since: UInt64 = 0, deadline: UInt64 = 0
  ) {
    answers.noteWaiting()
    do throws(Fault) {
      let (ballot, origin) = try ballots.ballot(for: claim, in: fleet)
      let window = origin == .request ? fleet.retryWindowMilliseconds : nil
      turn.append(
        OpenClaim(
          claim: claim, number: number, caller: caller, origin: origin, since: since, deadline: deadline,
          tally: Tally(seats: fleet.seats, ballot: ballot, retryWindowMilliseconds: window)))
    } catch {
      answers.fail(claim, number, error)
    }
  }

  /// See ``PendingClaims/withdraw(_:)``.
  package func withdraw(_ number: UInt64) -> Bool {
    if let index = turn.firstIndex(where: { $0.number == number }) {
      answers.withdraw(turn.remove(at: index))
    } else if let open = held.remove(where: { $0.number == number }).first {
      answers.withdraw(open)
    } else if joined.withdraw(number) {
      answers.noteLeft()
    } else {
      return false
    }
    return true
  }

  /// See ``PendingClaims/send(_:)``.
  func send(at time: UInt64) {
    joined.send(at: time, until: time &+ fleet.deadline)
    soonestDeadline = min(soonestDeadline, joined.soonestDeadline)
    defer {
      connections.setAlarm(for: soonestDeadline)
      answers.publishWaiting()
    }
    guard !turn.isEmpty else { return }
    if fleet.isForked { return failAll() }
    lastUsed = time
    if time &- connections.lastTended > Self.longestNeglect, connections.lastTended < time {
      takeUpConnections(at: time)
    }
    hold(at: time)
    askSeats(at: time)
  }

  /// The added claims wait for connections from now on.
  private func hold(at time: UInt64) {
    for index in turn.indices {
      if turn[index].deadline == 0 { (turn[index].since, turn[index].deadline) = (time, time &+ fleet.deadline) }
      held.append(turn[index], of: turn[index].caller)
    }
    turn.removeAll(keepingCapacity: true)
  }

  /// Replies may be unread, and connections may have grown old: the claims that are sent now wait for new ones.
  private func takeUpConnections(at time: UInt64) {
    waitsUntil = max(waitsUntil, time &+ fleet.deadline)
    connections.work(at: time, all: true) { hear($0, from: $1, at: time) }
  }

  /// Sends the held claims, if there are connections for them. If not, they are held until their deadline while connections
  /// are being made or are busy, and end with a fault otherwise.
  private func askSeats(at time: UInt64) {
    while !held.isEmpty {
      let usable = connections.usable(at: time)
      guard usable.count >= fleet.votesNeeded else {
        let mayCome = usable.count + connections.busy(at: time).count >= fleet.votesNeeded || time < waitsUntil
        for open in held.remove(where: { !mayCome || $0.deadline <= time }) { answers.fail(open, wasAsked: false) }
        soonestDeadline = min(soonestDeadline, held.least(\.deadline) ?? SeatConnections.never)
        if !held.isEmpty, time < waitsUntil { soonestDeadline = min(soonestDeadline, waitsUntil) }
        return
      }
      waitsUntil = 0
      ask(usable, takeBatch(), at: time)
    }
  }

  /// As many held claims as go into a batch. Those of one second follow each other: a seat takes them with one command.
  private func takeBatch() -> [OpenClaim] {
    var claims = spare
    spare = []
    held.take(ClaimBatch.mostClaims, into: &claims)
    if claims.count > 1 {
      claims.sort { ($0.claim.issueTime, $0.number) < ($1.claim.issueTime, $1.number) }
    }
    return claims
  }

  private func ask(_ usable: SeatSet, _ claims: consuming [OpenClaim], at time: UInt64) {
    let end = time &+ breaker.wait(asking: usable, needed: fleet.votesNeeded, deadline: fleet.deadline, at: time)
    for index in claims.indices { claims[index].deadline = min(claims[index].deadline, end) }
    let last = claims.reduce(0) { max($0, $1.deadline) }
    let round = ClaimRound(deadline: last, asked: usable, claims: claims)
    soonestDeadline = min(soonestDeadline, round.nextDeadline)
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

  /// See ``PendingClaims/takeAnswers(_:)``.
  func takeAnswers(at time: UInt64, _ body: (UInt64, Result<UseOutcome, Fault>) -> Void) {
    connections.wait(milliseconds: 0)
    workDue(at: time)
    handOver(body)
  }

  /// Sends the added claims and hands over each answer, until `isLast` is true for one or there is nothing more to wait
  /// for.
  func sendAndWait(_ isLast: (UInt64, Result<UseOutcome, Fault>) -> Bool) {
    send(at: MonotonicTime.now)
    while true {
      for (number, answer) in answers.take() where isLast(number, answer) { return }
      connections.wait(milliseconds: nil)
      workDue(at: MonotonicTime.now)
    }
  }

  /// Takes care of the connections: waits for what is due, for so long at most. For when no claim waits.
  func tend(milliseconds: Int32) {
    connections.wait(milliseconds: milliseconds)
    workDue(at: MonotonicTime.now)
  }

  private func workDue(at time: UInt64) {
    if fleet.isForked { return failAll() }
    connections.work(at: time) { hear($0, from: $1, at: time) }
    endLate(at: time)
    askLatecomers(at: time)
    // An end here may be news for others of this thread.
    var isTold = true
    while isTold {
      isTold = hearOthers(at: time)
      hold(at: time)
      askSeats(at: time)
    }
    connections.setAlarm(for: soonestDeadline)
    answers.publishWaiting()
  }

  /// A forked child sends and reads nothing. The ballots remain the parent's.
  private func failAll() {
    let (open, others) = (openClaims, joined.removeAll())
    (turn, held) = ([], CallersLine())
    for index in rounds.indices { _ = rounds.end(index) }
    for open in open { answers.close(open, .failure(.replayMemoryUnavailable)) }
    for number in others { answers.hear(number, .failure(.replayMemoryUnavailable)) }
  }

  func handOver(_ body: (UInt64, Result<UseOutcome, Fault>) -> Void) {
    guard !answers.isEmpty else { return }
    // The body may add claims that are answered at once.
    for (number, answer) in answers.take() { body(number, answer) }
  }
}
