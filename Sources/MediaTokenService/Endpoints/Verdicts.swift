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
    let outcome: TokenOutcome
    do throws(Refusal) {
      let token = try expectation.verifier.qualify(
        text, requestor: expectation.requestor, resource: expectation.resource, at: Instant.now,
        request: asked.useRequest)
      let now = token.claim.now
      // Once it is spent, it is too late for the viewer.
      if asked.endpoint == .auth, !AuthHeaders.haveRoom(for: token, besides: asked.handover) {
        outcome = .tooLong(token.leave())
      } else if !isSpent {
        outcome = .notSpent(token.leave())
      } else if let uses {
        try uses.add(WaitingUse(token, ofBytes: Armor.trimmedRange(of: text).count, asked))
        return .later
      } else if let handover = asked.handover {
        outcome = try exchange(token.spend(in: expectation.verifier.replayMemory), at: now, for: handover)
      } else {
        outcome = .valid(try token.spend(in: expectation.verifier.replayMemory), nil)
      }
    } catch {
      outcome = .refused(error)
    }
    end(outcome, asked, with: &response)
    return .now
  }

  /// For a request that an internal fault kept us from reading.
  func fail(_ fault: Fault, _ asked: AskedToken, with response: inout Response) -> Answering {
    end(.refused(.undecided(fault)), asked, with: &response)
    return .now
  }

  /// The end of a token that waited for the replay memory's answer, if its client still waits for it.
  func settle(_ use: WaitingUse, _ answer: Result<UseOutcome, Fault>, _ loop: inout WorkerLoop) {
    let outcome: TokenOutcome
    do throws(Refusal) {
      let token = try use.settle(answer).get()
      if let handover = use.asked.handover {
        outcome = try exchange(token, at: use.claim.now, for: handover)
      } else {
        outcome = .valid(token, nil)
      }
    } catch {
      outcome = .refused(error)
    }
    note(outcome, use.asked)
    self.answer(use.asked.ticket, &loop) { write(outcome, use.asked, with: &$0) }
  }

  /// Exchanges a used token at the instant of its verdict for what is handed over, and counts that. A fault is the answer then: a viewer
  /// who plays without the credential would see no segment.
  private func exchange(
    _ token: VerifiedToken, at now: Instant, for handover: Handover
  ) throws(Refusal) -> TokenOutcome {
    let handedOver = try handover.exchange(token, at: now)
    counters.add(.handovers)
    return .valid(token, handedOver)
  }

  @inline(__always)  // Otherwise some 300 bytes of token would be copied.
  private func end(_ outcome: TokenOutcome, _ asked: AskedToken, with response: inout Response) {
    note(outcome, asked)
    write(outcome, asked, with: &response)
  }

  private func write(_ outcome: TokenOutcome, _ asked: AskedToken, with response: inout Response) {
    switch asked.endpoint {
    case .auth: write(.decided(outcome), asked.name, asked.state, with: &response)
    case .verify: response.write(outcome, asked.state.viewerTags, asked.name)
    }
  }

  private func note(_ outcome: TokenOutcome, _ asked: AskedToken) {
    let duration = MonotonicTime.now &- asked.start
    let isRefused = count(outcome, asked.state, duration)
    logVerdict(outcome, isRefused: isRefused, asked, duration)
  }

  /// True if it is a refusal: to look again would copy some 300 bytes of token.
  private func count(_ outcome: TokenOutcome, _ state: ServingState, _ nanoseconds: UInt64) -> Bool {
    counters.addDuration(nanoseconds: nanoseconds)
    switch outcome {
    case .valid(let token, _):
      count(token, state)
      return false
    case .notSpent, .tooLong:
      counters.add(.notSpent)
      return false
    case .refused(.rejected(let rejection)): counters.add(.rejected(rejection.reason))
    case .refused(let refusal):
      let fault = refusal.fault ?? .internalFault
      counters.add(.undecided(fault))
      service.readiness.note(fault)
    }
    return true
  }

  private func count(_ token: VerifiedToken, _ state: ServingState) {
    counters.add(.valid)
    if token.use == .retry { counters.add(.retryAnswers) }
    if !token.unknownFields.isEmpty { counters.add(.unknownFields) }
    if state.isWeak(token.keyFingerprint) { counters.add(.weakKeyVerdicts) }
  }

  /// One line, if the configuration wants it and there were not too many in this second. It has the token's log name,
  /// and nothing else about it but the verdict.
  private func logVerdict(_ outcome: TokenOutcome, isRefused: Bool, _ asked: AskedToken, _ nanoseconds: UInt64) {
    let state = asked.state
    let settings = state.configuration.log
    switch settings.verdicts {
    case .none: return
    case .refused: if !isRefused { return }
    case .all: break
    }
    guard let suppressed = service.verdictLines.take(atMost: settings.linesPerSecond) else { return }
    service.log.write(outcome.level, "verdict") { writer in
      writer.member("requestID", asked.name.text)
      writer.member("endpoint", asked.endpoint.rawValue)
      if let ids = asked.trace.ids {
        writer.member("trace_id", ids.trace)
        writer.member("span_id", ids.span)
      }
      if case .exactly(let requestor) = asked.requestor { writer.member("requestor", requestor.text) }
      outcome.writeLogMembers(to: &writer, of: state)
      if case .process(let uid, _, let pid, _) = asked.peer {
        writer.member("peerUID", Int64(uid))
        writer.member("peerPID", Int64(pid))
      }
      writer.member("durationMilliseconds", thousandths: nanoseconds / 1000)
      if suppressed > 0 { writer.member("suppressedLines", Int64(clamping: suppressed)) }
    }
  }
}

/// The end of a token's way.
enum TokenOutcome: Sendable {
  /// It was spent on this request, and brings what is handed over.
  case valid(VerifiedToken, HandedOver?)
  /// The request plays nothing, so it was not spent.
  case notSpent(NotSpentToken)
  /// The answer's headers have no room for what they must say, so it was not spent.
  case tooLong(NotSpentToken)
  case refused(Refusal)

  fileprivate var level: Log.Level {
    switch self {
    case .valid, .notSpent, .tooLong, .refused(.rejected): .info
    case .refused: .error
    }
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
    case .refused(.rejected(let rejection)):
      writer.member("verdict", rejection.verdict.answer.wireName)
      writer.member("reason", rejection.reason.rawValue)
      if let identity = rejection.identity { writer.member("token", identity.logName) }
    case .refused(let refusal): writer.member("fault", refusal.answer.wireName)
    }
  }
}
