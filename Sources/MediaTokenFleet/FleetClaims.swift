package import MediaToken
internal import MediaTokenReplay
internal import MediaTokenSystem
internal import Synchronization

/// One thread's claims in a fleet, and its ways to the seats.
///
/// The claims of a turn go to all usable seats in one piece. Each reply is counted in one pass, and what it decides is
/// answered at once; what is undecided at its deadline is a fault, and its word is kept for the next try.
package final class FleetClaims {
  private let fleet: Fleet
  private let poller: Poller
  private let timer: DeadlineTimer
  private let seats: [any Seat]
  private var words = WordSource()
  private var hasher: SHA256Hasher
  private var breaker = Breaker()

  /// Added, and not sent yet.
  private var turn: [OpenClaim] = []
  /// Sent, and waiting for lanes since then.
  private var held: [OpenClaim] = []
  private var heldSince: UInt64 = 0
  private var rounds = ClaimRounds()
  private var answers: [Answer] = []
  private typealias Answer = (number: UInt64, answer: Result<UseOutcome, Fault>)

  private var events: [Poller.Event] = []
  /// When the timer goes off; ``never``: it is not set.
  private var alarm = never
  /// No round and no held claim has an earlier deadline.
  private var soonestDeadline = never
  /// Until when claims wait for lanes that are being made.
  private var patientUntil: UInt64
  private var lastTended: UInt64
  /// How many claims wait, and how many of them ``Fleet/waiting`` knows of.
  private var waiting = 0
  private var publishedWaiting = 0

  private static let never = UInt64.max
  /// The timer among the poller's events; seats are numbered from 1.
  private static let timerToken: UInt64 = 0
  /// How long new lanes are waited for, and after how long without care they count as new: 2 s and 1 s.
  private static let patience: UInt64 = 2_000_000_000
  private static let longestNeglect: UInt64 = 1_000_000_000

  /// Begins to make its lanes.
  ///
  /// - Throws: a fault if the system has no descriptor or memory left.
  init(_ fleet: Fleet, at time: UInt64) throws(Fault) {
    self.fleet = fleet
    hasher = try SHA256Hasher()
    do throws(SystemError) {
      let poller = try Poller()
      timer = try DeadlineTimer()
      try poller.add(timer.descriptor, .reading, as: Self.timerToken)
      self.poller = poller
    } catch {
      throw .replayMemoryUnavailable
    }
    seats = fleet.health.records.map { [poller] in fleet.engine.makeSeat($0, watchedBy: poller) }
    (patientUntil, lastTended) = (time &+ Self.patience, time)
    for seat in seats { seat.work(at: time, isReady: false) { _ in } }
    setAlarm()
  }

  // A child shares the parent's connections and its poller: it touches neither.
  deinit {
    fleet.waiting.subtract(publishedWaiting, ordering: .relaxed)
    if !fleet.isForked { for seat in seats { seat.close() } }
  }

  // MARK: adding

  /// Adds a claim, at whatever time: see ``PendingClaims/add(_:number:)``.
  package func add(_ claim: UseClaim, number: UInt64) {
    do throws(Fault) {
      if let outcome = try outcomeWithoutSeats(of: claim) { return answer(number, .success(outcome)) }
      turn.append(try open(claim, number: number))
      waiting += 1
    } catch {
      answer(number, .failure(error))
    }
  }

  /// What this host knows of a claim by itself. It keeps replays off the seats, and tokens whose times no floor covers.
  private func outcomeWithoutSeats(of claim: UseClaim) throws(Fault) -> UseOutcome? {
    guard !fleet.isForked, let end = fleet.endSecond(of: claim), claim.now.millisecondsSinceEpoch >= 0 else {
      throw .replayMemoryUnavailable
    }
    if claim.now.millisecondsSinceEpoch / 1000 >= end { return .expired }
    guard fleet.covers(claim) else { throw .replayMemoryUnavailable }
    return fleet.localTable?.isUsed(claim) == true ? .alreadyUsed : nil
  }

  /// A claim with its word: the request's, the one that an earlier fault left, or a new one.
  private func open(_ claim: UseClaim, number: UInt64) throws(Fault) -> OpenClaim {
    let second = UInt32(clamping: claim.now.millisecondsSinceEpoch / 1000)
    let (word, origin): (ClaimWord, OpenClaim.WordOrigin)
    if fleet.retryWindowMilliseconds > 0, let request = claim.request {
      word = ClaimWord(try ClaimWord.ID.of(request, for: claim.identity, &hasher), second: second)
      origin = .request
    } else if let kept = fleet.undecided.take(claim.identity) {
      (word, origin) = (kept, .kept)
    } else {
      (word, origin) = (ClaimWord(words.next(), second: second), .chance)
    }
    return OpenClaim(
      claim: claim, number: number, origin: origin,
      tally: Tally(
        seats: fleet.seats, word: word,
        retryWindowMilliseconds: origin == .request ? fleet.retryWindowMilliseconds : nil))
  }

  // MARK: sending

  /// Sends what was added: see ``PendingClaims/send()``.
  func send(at time: UInt64) {
    guard !turn.isEmpty else { return }
    if time &- lastTended > Self.longestNeglect { takeUpLanes(at: time) }
    if held.isEmpty { heldSince = time }
    held.append(contentsOf: turn)
    turn.removeAll(keepingCapacity: true)
    ask(at: time)
    setAlarm()
    publishWaiting()
  }

  /// Lanes of which nobody took care for a while may have grown old, and have replies that nobody read.
  private func takeUpLanes(at time: UInt64) {
    patientUntil = time &+ Self.patience
    work(at: time) { _ in true }
  }

  /// Sends the held claims, if there are lanes for them. If there are none, they are held until their deadline where lanes
  /// are being made, and end with a fault elsewhere.
  private func ask(at time: UInt64) {
    guard !fleet.isForked else { return failAll() }
    while !held.isEmpty {
      let usable = usableSeats(at: time)
      guard usable.count >= fleet.votesNeeded else {
        let deadline = heldSince &+ fleet.deadline
        if time < min(deadline, patientUntil) {
          soonestDeadline = min(soonestDeadline, deadline, patientUntil)
        } else {
          failHeld()
        }
        return
      }
      patientUntil = 0
      let claims = Array(held.prefix(ClaimBatch.mostClaims))
      held.removeFirst(claims.count)
      ask(usable, claims, at: time)
    }
  }

  private func usableSeats(at time: UInt64) -> SeatSet {
    var usable = SeatSet()
    for seat in seats where seat.isUsable(at: time) { usable.insert(seat.number) }
    return usable
  }

  private func ask(_ usable: SeatSet, _ claims: [OpenClaim], at time: UInt64) {
    var batch = ClaimBatch()
    for open in claims {
      batch.add(ClaimBatch.Claim(open.claim.identity, issueTime: open.claim.issueTime, word: open.tally.word))
    }
    let wait = breaker.wait(asking: usable, needed: fleet.votesNeeded, deadline: fleet.deadline, at: time)
    let round = ClaimRound(
      since: heldSince, deadline: min(heldSince &+ fleet.deadline, time &+ wait), asked: usable, claims: claims)
    let number = rounds.next
    rounds.append(round)
    soonestDeadline = min(soonestDeadline, round.deadline)
    for seat in usable { seats[seat - 1].ask(batch, number: number, at: time) }
  }

  // MARK: hearing

  /// Does what is due and hands over what is known: see ``PendingClaims/takeAnswers(_:)``.
  func takeAnswers(at time: UInt64, _ body: (UInt64, Result<UseOutcome, Fault>) -> Void) {
    let isWoken = poller.wait(milliseconds: 0, &events)
    turn(at: time, isWoken: isWoken)
    handOver(body)
  }

  /// Waits until something is due, unless answers are known, and does the same.
  func waitForAnswers(_ body: (UInt64, Result<UseOutcome, Fault>) -> Void) {
    let isWoken = poller.wait(milliseconds: answers.isEmpty ? nil : 0, &events)
    turn(at: MonotonicTime.now, isWoken: isWoken)
    handOver(body)
  }

  /// Takes care of the lanes: waits for what is due, for so long at most.
  func tend(milliseconds: Int32) {
    let isWoken = poller.wait(milliseconds: milliseconds, &events)
    turn(at: MonotonicTime.now, isWoken: isWoken)
  }

  private func turn(at time: UInt64, isWoken: Bool) {
    guard !fleet.isForked else { return failAll() }
    var ready = SeatSet()
    for event in events {
      if event.token == Self.timerToken { alarm = 0 } else { ready.insert(Int(event.token)) }
    }
    work(at: time) { seat in
      ready.contains(seat.number) ? true : isWoken || seat.nextDeadline.map { $0 <= time } == true ? false : nil
    }
    if !held.isEmpty { ask(at: time) }
    endRounds(at: time)
    setAlarm()
    publishWaiting()
  }

  /// Lets seats work: those for which `isReady` is not nil.
  private func work(at time: UInt64, _ isReady: (any Seat) -> Bool?) {
    lastTended = time
    for seat in seats {
      guard let isReady = isReady(seat) else { continue }
      seat.work(at: time, isReady: isReady) { hear($0, from: seat.number, at: time) }
    }
  }

  /// Counts a reply, in one pass.
  private func hear(_ reply: SeatReply, from seat: Int, at time: UInt64) {
    let record = fleet.health.records[seat - 1]
    guard let index = rounds.index(of: reply.batch), rounds[index].asked.contains(seat),
      !rounds[index].answered.contains(seat)
    else { return record.count(.late, reply.answers?.count ?? 1) }
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
    if rounds[index].answered == rounds[index].asked { endRound(index, at: time) }
  }

  /// Counts what a seat said to one claim, and answers the claim if that decides it.
  private func count(
    _ said: SeatAnswer, from seat: Int, _ open: inout OpenClaim, _ kinds: inout ReplyKinds
  ) -> Bool {
    kinds.count(said, to: open.tally.word)
    guard !open.isAnswered else { return false }
    open.tally.count(said, from: seat)
    let decision = open.tally.decision(at: open.claim.now)
    guard decision != .undecided else { return false }
    open.isAnswered = true
    settle(open, decision)
    return true
  }

  /// What the seats decided; a first use of the fleet must be one of this host, too.
  private func settle(_ open: OpenClaim, _ decision: Tally.Decision) {
    switch decision {
    case .undecided: fail(open, wasAsked: true)
    case .retry: close(open, .success(.retry))
    case .used: close(open, .success(.alreadyUsed))
    case .predates: close(open, .success(.predatesMemory))
    case .firstUse:
      do throws(Fault) {
        close(open, .success(try fleet.localTable?.spend(open.claim) ?? .firstUse))
      } catch {
        keepWord(of: open)
        close(open, .failure(error))
      }
    }
  }

  // MARK: ending

  /// Ends rounds whose deadline has passed, and held claims that waited for lanes for too long.
  private func endRounds(at time: UInt64) {
    if time >= soonestDeadline {
      soonestDeadline = held.isEmpty ? Self.never : min(heldSince &+ fleet.deadline, patientUntil)
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
    var failed = 0
    for open in rounds.end(index) where !open.isAnswered {
      fail(open, wasAsked: true)
      failed += 1
    }
    if failed > 0 { fleet.durations.count(failed, after: time &- since) }
  }

  private func failHeld() {
    for open in held { fail(open, wasAsked: false) }
    held.removeAll(keepingCapacity: true)
  }

  /// In a forked child nothing is asked, and nothing is heard. The words stay with the parent.
  private func failAll() {
    var numbers = (turn + held).map(\.number)
    for index in rounds.indices {
      numbers += rounds.end(index).filter { !$0.isAnswered }.map(\.number)
    }
    (turn, held) = ([], [])
    waiting = 0
    for number in numbers { answer(number, .failure(.replayMemoryUnavailable)) }
  }

  /// A fault. A word that a seat may have stored is kept; one that no seat has seen is worth nothing.
  private func fail(_ open: OpenClaim, wasAsked: Bool) {
    if wasAsked || open.origin == .kept { keepWord(of: open) }
    close(open, .failure(.replayMemoryUnavailable))
  }

  private func keepWord(of open: OpenClaim) {
    guard open.origin != .request, let end = fleet.endSecond(of: open.claim) else { return }
    fleet.undecided.keep(
      open.tally.word, of: open.claim.identity, until: end, now: open.claim.now.millisecondsSinceEpoch / 1000)
  }

  private func close(_ open: OpenClaim, _ result: Result<UseOutcome, Fault>) {
    waiting -= 1
    answer(open.number, result)
  }

  private func answer(_ number: UInt64, _ result: Result<UseOutcome, Fault>) { answers.append((number, result)) }

  private func handOver(_ body: (UInt64, Result<UseOutcome, Fault>) -> Void) {
    guard !answers.isEmpty else { return }
    // The body may add claims that are answered at once.
    let known = answers
    answers.removeAll(keepingCapacity: true)
    for (number, answer) in known { body(number, answer) }
  }

  // MARK: the timer

  /// Sets the timer, unless it goes off early enough: then it costs nothing, and is set anew when it has.
  private func setAlarm() {
    var next = soonestDeadline
    for seat in seats { next = min(next, seat.nextDeadline ?? Self.never) }
    guard alarm == 0 || next < alarm else { return }
    alarm = next
    timer.set(next == Self.never ? nil : next)
  }

  private func publishWaiting() {
    guard waiting != publishedWaiting else { return }
    fleet.waiting.add(waiting - publishedWaiting, ordering: .relaxed)
    publishedWaiting = waiting
  }
}

extension FleetClaims: PendingClaims {
  package var descriptor: Int32 { poller.descriptor }

  package func send() { send(at: MonotonicTime.now) }

  package func takeAnswers(_ body: (UInt64, Result<UseOutcome, Fault>) -> Void) {
    takeAnswers(at: MonotonicTime.now, body)
  }
}

/// How many answers of each kind a reply has.
private struct ReplyKinds {
  private var counts = InlineArray<7, Int>(repeating: 0)

  mutating func count(_ answer: SeatAnswer, to word: ClaimWord) {
    let kind: SeatReplyKind =
      switch answer {
      case .new: .new
      case .stands(let standing): standing.id == word.id ? .ours : .other
      case .forgotten: .forgotten
      case .ahead: .ahead
      }
    counts[kind.index] += 1
  }

  func tell(_ record: SeatRecord) {
    for kind in SeatReplyKind.allCases { record.count(kind, counts[kind.index]) }
  }
}
