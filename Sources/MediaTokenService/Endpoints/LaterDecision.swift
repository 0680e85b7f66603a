internal import MediaToken
internal import MediaTokenHTTP
internal import MediaTokenSystem

/// Verdicts for which the replay memory has to ask others: steps 1 to 6 now, and step 7 when its answer is here.
extension Handler {
  /// Takes a token along steps 1 to 6 and claims its use, which `reply` will be told.
  ///
  /// - Returns: why it comes to no claim, counted and logged; nil: the answer comes later.
  func claimUse(
    of text: Span<UInt8>, _ expectation: Expectation, as question: QuestionContext, from uses: WaitingUses,
    _ reply: WaitingUse.Reply
  ) -> Refusal? {
    let start = MonotonicTime.now
    do throws(Refusal) {
      let token = try qualify(text, expectation, question)
      try uses.add(
        WaitingUse(token, ofBytes: text.count, question, expectation.requestor, state, since: start, reply))
      return nil
    } catch {
      note(Result<VerifiedToken, Refusal>.failure(error), expectation.requestor, question, state, since: start)
      return error
    }
  }

  /// The same for `/v1/auth`, where a token whose names no answer can say is not spent.
  ///
  /// - Returns: what came of it, counted and logged; nil: the answer comes later.
  func claimUseForAuth(
    of text: Span<UInt8>, _ expectation: Expectation, as question: QuestionContext, from uses: WaitingUses,
    _ ticket: Ticket
  ) -> AuthOutcome? {
    let start = MonotonicTime.now
    let result: Result<AuthToken, Refusal>
    do throws(Refusal) {
      let token = try qualify(text, expectation, question)
      if token.canBeSaid(AuthHeaders.fit) {
        try uses.add(
          WaitingUse(
            token, ofBytes: text.count, question, expectation.requestor, state, since: start, .auth(ticket)))
        return nil
      }
      result = .success(.tooLong(token.leave()))
    } catch {
      result = .failure(error)
    }
    note(result, expectation.requestor, question, state, since: start)
    return .decided(result)
  }

  private func qualify(
    _ text: Span<UInt8>, _ expectation: Expectation, _ question: QuestionContext
  ) throws(Refusal) -> UnspentToken {
    try expectation.verifier.qualify(
      text, requestor: expectation.requestor, resource: expectation.resource, at: .now,
      request: question.useRequest(in: state))
  }

  /// Ends what waited: makes the verdict, counts and logs it, and answers, if anybody still waits for the answer.
  func settle(_ use: WaitingUse, _ answer: Result<UseOutcome, Fault>, _ loop: inout WorkerLoop) {
    let result = use.settle(answer)
    note(result, use.requestor, use.question, use.state, since: use.start)
    switch use.reply {
    case .verify(let ticket):
      self.answer(ticket, &loop) { $0.write(result, use.question.name) }
    case .auth(let ticket):
      self.answer(ticket, &loop) { response in
        write(.decided(result.map { .valid($0) }), use.question.name, use.state, with: &response)
      }
    case .line(let index, let round):
      if round.settle(index, result) { loop.goOn(round.ticket) }
    }
  }

  /// Answers one request, or counts that its client was gone.
  private func answer(_ ticket: Ticket, _ loop: inout WorkerLoop, _ write: (inout Response) -> Void) {
    if loop.answer(ticket, write) { return }
    var response = Response()
    write(&response)
    answered(response.status, delivered: false)
  }
}
