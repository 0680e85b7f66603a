internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenHTTP
internal import MediaTokenSystem

extension Handler {
  /// The one way of a token through its steps, counted, logged and answered; later if the replay memory has to ask others, and ``settle``
  /// is the end. `isSpent`: the request may play.
  func decide(
    _ text: Span<UInt8>, _ expectation: Expectation, isSpent: Bool = true, as asked: AskedToken,
    with response: inout Response
  ) -> Answering {
    let result: Result<DecidedToken, Refusal>
    do throws(Refusal) {
      let token = try expectation.verifier.qualify(
        text, requestor: expectation.requestor, resource: expectation.resource, at: Instant.now,
        request: asked.question.useRequest(in: state))
      let now = token.claim.now
      // Once it is spent, it is too late for the viewer.
      if asked.question.endpoint == .auth, !AuthHeaders.haveRoom(for: token, besides: asked.handover) {
        result = .success(.tooLong(token.leave()))
      } else if !isSpent {
        result = .success(.notSpent(token.leave()))
      } else if let uses {
        try uses.add(WaitingUse(token, ofBytes: Armor.trimmedRange(of: text).count, asked))
        return .later
      } else {
        result = .success(try exchange(token.spend(in: expectation.verifier.replayMemory), at: now, asked))
      }
    } catch {
      result = .failure(error)
    }
    end(result, asked, with: &response)
    return .now
  }

  /// For a request that an internal fault kept us from reading.
  func fail(_ fault: Fault, _ asked: AskedToken, with response: inout Response) -> Answering {
    end(.failure(.undecided(fault)), asked, with: &response)
    return .now
  }

  /// The end of a token that waited for the replay memory's answer, if its client still waits for it.
  func settle(_ use: WaitingUse, _ answer: Result<UseOutcome, Fault>, _ loop: inout WorkerLoop) {
    let result: Result<DecidedToken, Refusal>
    do throws(Refusal) {
      result = .success(try exchange(use.settle(answer).get(), at: use.claim.now, use.asked))
    } catch {
      result = .failure(error)
    }
    note(result, use.asked)
    self.answer(use.asked.ticket, &loop) { write(result, use.asked, with: &$0) }
  }

  /// Exchanges a used token at the instant of its verdict for what is handed over, and counts that. A fault is the answer then: a viewer
  /// who plays without the credential would see no segment.
  @inline(__always)
  private func exchange(
    _ token: VerifiedToken, at now: Instant, _ asked: AskedToken
  ) throws(Refusal) -> DecidedToken {
    guard let handover = asked.handover else { return .valid(token, nil) }
    let handedOver = try handover.exchange(token, at: now)
    counters.add(.handovers)
    return .valid(token, handedOver)
  }

  @inline(__always)  // Otherwise some 300 bytes of token would be copied.
  private func end(_ result: Result<DecidedToken, Refusal>, _ asked: AskedToken, with response: inout Response) {
    note(result, asked)
    write(result, asked, with: &response)
  }

  private func write(_ result: Result<DecidedToken, Refusal>, _ asked: AskedToken, with response: inout Response) {
    switch asked.question.endpoint {
    case .auth: write(.decided(result), asked.question.name, asked.state, with: &response)
    default: response.write(result, asked.state.viewerTags, asked.question.name)
    }
  }

  private func note(_ result: Result<DecidedToken, Refusal>, _ asked: AskedToken) {
    let duration = MonotonicTime.now &- asked.start
    count(result, asked.state, duration)
    logVerdict(result, asked, duration)
  }

  private func count(_ result: Result<DecidedToken, Refusal>, _ state: ServingState, _ nanoseconds: UInt64) {
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
  private func logVerdict(_ result: Result<DecidedToken, Refusal>, _ asked: AskedToken, _ nanoseconds: UInt64) {
    let (question, state) = (asked.question, asked.state)
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
      if case .exactly(let requestor) = asked.requestor { writer.member("requestor", requestor.text) }
      result.writeLogMembers(to: &writer, of: state)
      if case .process(let uid, _, let pid, _) = question.peer {
        writer.member("peerUID", Int64(uid))
        writer.member("peerPID", Int64(pid))
      }
      writer.member("durationMilliseconds", thousandths: nanoseconds / 1000)
      if suppressed > 0 { writer.member("suppressedLines", Int64(clamping: suppressed)) }
    }
  }
}

/// The end of a token that no step refused.
enum DecidedToken: Sendable {
  /// It was spent on this request, and brings what is handed over.
  case valid(VerifiedToken, HandedOver?)
  /// The request plays nothing, so it was not spent.
  case notSpent(NotSpentToken)
  /// The answer's headers have no room for what they must say, so it was not spent.
  case tooLong(NotSpentToken)

  fileprivate func count(in counters: Counters, of state: ServingState) {
    guard case .valid(let token, _) = self else { return counters.add(.notSpent) }
    counters.add(.valid)
    if token.use == .retry { counters.add(.retryAnswers) }
    if !token.unknownFields.isEmpty { counters.add(.unknownFields) }
    if state.isWeak(token.keyFingerprint) { counters.add(.weakKeyVerdicts) }
  }

  fileprivate func writeLogMembers(to writer: inout JSONWriter, of state: ServingState) {
    switch self {
    case .valid(let token, _):
      writer.member("verdict", Verdict.validToken.answer.wireName)
      writer.member("token", token.identity.logName)
      writer.member("use", token.use.rawValue)
      state.viewerTags?.write(token, to: &writer)
    // Without a verdict, which only step 7 could give.
    case .notSpent(let token), .tooLong(let token):
      writer.member("token", token.identity.logName)
      writer.member("use", NotSpentToken.use)
      if case .tooLong = self { writer.member("error", RequestError.headerTooLong.name) }
    }
  }
}

extension Result<DecidedToken, Refusal> {
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
