internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenHTTP
internal import MediaTokenSystem

extension Handler {
  /// The verdict on a token, counted and logged; nil if the replay memory has to ask others, and the ticket's answer
  /// comes later.
  @inline(__always)  // Otherwise some 300 bytes of token would be copied into the result and out of it.
  func decide(
    _ token: Span<UInt8>, _ expectation: Expectation, as question: QuestionContext, for ticket: Ticket,
    handingOver handedOver: inout HandedOver?
  ) -> Result<VerifiedToken, Refusal>? {
    decide(expectation, as: question) { start throws(Refusal) in
      let now = Instant.now
      guard uses == nil else {
        let unspent = try qualify(token, expectation, question, at: now)
        return try spend(
          unspent, ofBytes: Armor.trimmedRange(of: token).count, expectation, question, since: start, ticket)
      }
      let verified = try expectation.verifier.verify(
        token, requestor: expectation.requestor, resource: expectation.resource, at: now,
        request: question.useRequest(in: state))
      if let handover = expectation.handover { handedOver = try exchange(verified, at: now, for: handover) }
      return verified
    }
  }

  /// For a request that an internal fault kept us from reading.
  func decide(_ fault: Fault, as question: QuestionContext) -> Result<VerifiedToken, Refusal> {
    let result = Result<VerifiedToken, Refusal>.failure(.undecided(fault))
    note(result, .anyRequestor, question, state, since: MonotonicTime.now)
    return result
  }

  func qualify(
    _ token: Span<UInt8>, _ expectation: Expectation, _ question: QuestionContext, at now: Instant
  ) throws(Refusal) -> UnspentToken {
    try expectation.verifier.qualify(
      token, requestor: expectation.requestor, resource: expectation.resource, at: now,
      request: question.useRequest(in: state))
  }

  /// Step 7: spends a token, or claims its use where the replay memory has to ask others; nil if the answer comes
  /// later. `received` is the length of the token's text, and `start` the time at which the verification began.
  func spend(
    _ token: consuming UnspentToken, ofBytes received: Int, _ expectation: Expectation, _ question: QuestionContext,
    since start: UInt64, _ ticket: Ticket
  ) throws(Refusal) -> VerifiedToken? {
    guard let uses else { return try token.spend(in: expectation.verifier.replayMemory) }
    try uses.add(
      WaitingUse(token, ofBytes: received, question, expectation, state, since: start, ticket))
    return nil
  }

  /// The outcome of the path, counted and logged. `path` is told when it begins, in ``MonotonicTime``; nil: its end
  /// comes later.
  @inline(__always)
  func decide<Token: DecidedToken>(
    _ expectation: Expectation, as question: QuestionContext, _ path: (UInt64) throws(Refusal) -> Token?
  ) -> Result<Token, Refusal>? {
    let start = MonotonicTime.now
    let result: Result<Token, Refusal>
    do throws(Refusal) {
      guard let token = try path(start) else { return nil }
      result = .success(token)
    } catch {
      result = .failure(error)
    }
    note(result, expectation.requestor, question, state, since: start)
    return result
  }

  @inline(__always)
  func note<Token: DecidedToken>(
    _ result: Result<Token, Refusal>, _ requestor: ExpectedRequestor, _ question: QuestionContext,
    _ state: ServingState, since start: UInt64
  ) {
    let duration = MonotonicTime.now &- start
    count(result, state, duration)
    logVerdict(result, requestor, question, state, duration)
  }

  private func count<Token: DecidedToken>(
    _ result: Result<Token, Refusal>, _ state: ServingState, _ nanoseconds: UInt64
  ) {
    counters.addDuration(nanoseconds: nanoseconds)
    switch result {
    case .success(let token): token.count(in: counters, of: state)
    case .failure(.rejected(let rejection)): counters.add(.rejected(rejection.reason))
    case .failure(let refusal):
      let fault = refusal.fault ?? .internalFault
      counters.add(.undecided(fault))
      service.readiness.note(fault)
    }
  }

  /// One line, if the configuration wants it and there were not too many in this second. It has the token's log name,
  /// and nothing else about it but the verdict.
  private func logVerdict<Token: DecidedToken>(
    _ result: Result<Token, Refusal>, _ requestor: ExpectedRequestor, _ question: QuestionContext,
    _ state: ServingState, _ nanoseconds: UInt64
  ) {
    let settings = state.configuration.log
    switch (settings.verdicts, result) {
    case (.none, _), (.refused, .success): return
    case (.refused, .failure), (.all, _): break
    }
    guard let suppressed = service.verdictLines.take(atMost: settings.linesPerSecond) else { return }
    service.log.write(result.level, "verdict") { writer in
      writer.member("requestID", question.name.text)
      writer.member("endpoint", question.endpoint.logName)
      if let ids = question.trace.ids {
        writer.member("trace_id", ids.trace)
        writer.member("span_id", ids.span)
      }
      if case .exactly(let requestor) = requestor { writer.member("requestor", requestor.text) }
      result.writeLogMembers(to: &writer, of: state)
      if case .process(let uid, _, let pid, _) = question.peer {
        writer.member("peerUID", Int64(uid))
        writer.member("peerPID", Int64(pid))
      }
      writer.member("durationMilliseconds", thousandths: nanoseconds / 1000)
      if suppressed > 0 { writer.member("suppressedLines", Int64(clamping: suppressed)) }
    }
  }

  /// Exchanges a used token at the instant of its verdict, and counts that. A fault is the answer then: a viewer who
  /// plays without the credential would see no segment.
  func exchange(
    _ token: VerifiedToken, at now: Instant, for handover: Handover
  ) throws(Refusal) -> HandedOver {
    let handedOver = try handover.exchange(token, at: now)
    counters.add(.handovers)
    return handedOver
  }
}

/// The end of a decision if no step refused the token.
protocol DecidedToken {
  func count(in counters: Counters, of state: ServingState)
  func writeLogMembers(to writer: inout JSONWriter, of state: ServingState)
}

extension VerifiedToken: DecidedToken {
  func count(in counters: Counters, of state: ServingState) {
    counters.add(.valid)
    if use == .retry { counters.add(.retryAnswers) }
    if !unknownFields.isEmpty { counters.add(.unknownFields) }
    if state.isWeak(keyFingerprint) { counters.add(.weakKeyVerdicts) }
  }

  func writeLogMembers(to writer: inout JSONWriter, of state: ServingState) {
    writer.member("verdict", Verdict.validToken.answer.wireName)
    writer.member("token", identity.logName)
    writer.member("use", use.rawValue)
    state.viewerTags?.write(self, to: &writer)
  }
}

extension NotSpentToken {
  /// Without a verdict, which only step 7 could give.
  func writeLogMembers(to writer: inout JSONWriter) {
    writer.member("token", identity.logName)
    writer.member("use", Self.use)
  }
}

extension Result<VerifiedToken, Refusal> {
  /// 200 for a valid token and for nothing else.
  var httpStatus: UInt16 {
    switch self {
    case .success: UInt16(Verdict.validToken.answer.httpStatus)
    case .failure(let refusal): UInt16(refusal.answer.httpStatus)
    }
  }
}

extension Result where Success: DecidedToken, Failure == Refusal {
  fileprivate var level: Log.Level {
    switch self {
    case .success, .failure(.rejected): .info
    case .failure: .error
    }
  }

  fileprivate func writeLogMembers(to writer: inout JSONWriter, of state: ServingState) {
    switch self {
    case .success(let token): token.writeLogMembers(to: &writer, of: state)
    case .failure(.rejected(let rejection)):
      writer.member("verdict", rejection.verdict.answer.wireName)
      writer.member("reason", rejection.reason.rawValue)
      if let identity = rejection.identity { writer.member("token", identity.logName) }
    case .failure(let refusal): writer.member("fault", refusal.answer.wireName)
    }
  }
}
