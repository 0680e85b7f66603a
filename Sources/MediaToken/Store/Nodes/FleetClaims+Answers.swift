internal import MediaTokenSystem

extension FleetClaims {
  func hear(_ reply: SeatReply, from seat: Int, at time: UInt64) {
    let record = fleet.health.records[seat - 1]
    guard let index = rounds.indexAwaiting(seat, in: reply.batch) else {
      return record.count(.late, reply.answers?.count ?? 1)
    }
    rounds[index].answered.insert(seat)
    if let said = reply.answers, said.count == rounds[index].claims.count {
      var kinds = ReplyKinds()
      for place in said.indices { count(said[place], from: seat, &rounds[index].claims[place], &kinds, at: time) }
      kinds.tell(record)
    } else {
      record.count(.error, rounds[index].claims.count)
    }
    guard rounds[index].answered == rounds[index].asked else { return }
    // No answer can come any more, unless of a seat that was not asked yet.
    if rounds[index].isDecided || connections.connected.subtracting(rounds[index].asked).count == 0 {
      endRound(index, at: time)
    }
  }

  /// Counts a seat's answer to one claim, and answers the claim if that decides it.
  private func count(
    _ said: SeatAnswer, from seat: Int, _ open: inout OpenClaim, _ kinds: inout ReplyKinds, at time: UInt64
  ) {
    kinds.count(said, to: open.tally.ballot)
    if open.isAnswered { return }
    open.tally.count(said, from: seat)
    guard let decision = open.tally.decision(at: open.claim.now) else { return }
    if decision == .firstUse { answers.spendHere(open) } else { answers.close(open, .success(decision)) }
    open.isAnswered = true
    fleet.durations.count(1, after: time &- open.since)
  }

  /// Hears the news of claims that joined others'. Those that ask now are sent with the rest of their deadlines. True if
  /// there was news.
  func hearOthers(at time: UInt64) -> Bool {
    guard let news = joined.take() else { return false }
    for (claim, outcome) in news {
      if let outcome {
        answers.hear(claim.number, .success(outcome))
      } else if claim.deadline != 0, claim.deadline <= time {
        answers.fail(claim.claim, claim.number, .replayMemoryUnavailable)
      } else {
        answers.noteLeft()
        ask(claim.claim, number: claim.number, of: claim.caller, since: claim.since, deadline: claim.deadline)
      }
    }
    return true
  }

  // MARK: ending

  func endLate(at time: UInt64) {
    if time >= soonestDeadline {
      for number in joined.removeLate(at: time) { answers.hear(number, .failure(.replayMemoryUnavailable)) }
      soonestDeadline = joined.soonestDeadline
      for index in rounds.indices where !rounds[index].isOver {
        if rounds[index].deadline <= time {
          endRound(index, at: time)
        } else {
          for place in rounds[index].claims.indices { endIfLate(&rounds[index].claims[place], at: time) }
          soonestDeadline = min(soonestDeadline, rounds[index].nextDeadline)
        }
      }
    }
    rounds.trim()
  }

  /// A claim that seats were asked about, and that is undecided at its deadline, is a fault.
  private func endIfLate(_ open: inout OpenClaim, at time: UInt64) {
    if open.isAnswered || open.deadline > time { return }
    answers.fail(open, wasAsked: true)
    open.isAnswered = true
    fleet.durations.count(1, after: time &- open.since)
  }

  /// No more answers count. A claim that they left undecided is a fault.
  private func endRound(_ index: Int, at time: UInt64) {
    breaker.note(asked: rounds[index].asked, answered: rounds[index].answered)
    var claims = rounds.end(index)
    for place in claims.indices {
      claims[place].deadline = time
      endIfLate(&claims[place], at: time)
    }
    claims.removeAll(keepingCapacity: true)
    spare = claims
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
