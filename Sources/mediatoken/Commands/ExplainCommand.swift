internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenDecision
internal import MediaTokenFleet
internal import MediaTokenJSON
internal import MediaTokenPrograms
internal import MediaTokenSystem

extension Command {
  /// `mediatoken explain`.
  static let explain = Command(
    words: ["explain"],
    summary: "Show what each step of a verification expected and found.",
    operand: TokenSource.optionalOperand,
    options: TrustOptions.all + ExpectationOptions.all + PolicyOptions.all
      + [TokenSource.decision, ExplainCommand.replay, FleetOption.credentials, OutputOptions.json],
    notes: [
      """
      The first line is the verdict, as of mediatoken verify; the exit status is the same too. Steps that come \
      after a failed signature are not checked: anyone may have written those bytes. No token is used up.
      """,
      """
      Of a decision it also shows where its notBefore, notAfter, mvpd and serviceProvider are not what was signed. \
      They are unsigned, and change no verdict.
      """,
      "With a fleet its seats are looked at, and the verdict is what a claim would have brought at this moment.",
    ],
    run: ExplainCommand.run)
}

/// Explains a verdict.
enum ExplainCommand {
  static let replay = Option(
    "replay", .replayAddress, default: .none, shown: "none:",
    "look whether the token was used: redis:FLEET@SEAT,... or none:")

  static func run(_ arguments: Arguments) throws(ToolError) -> Int32 {
    let expectations = try ExpectationOptions(arguments)
    try TokenSource.check(arguments)
    let seats = try seats(arguments)
    let verifier = try VerifyCommand.verifier(arguments, nil)
    switch try TokenSource.read(arguments, for: expectations.resource) {
    case .token(let token, let decision):
      return try explain(token, decision, verifier, expectations, seats, arguments)
    case .noToken(let noToken): return try noToken.print(arguments)
    }
  }

  private static func explain(
    _ token: [UInt8], _ decision: Decision?, _ verifier: TokenVerifier, _ expectations: ExpectationOptions,
    _ seats: FleetAdministration?, _ arguments: Arguments
  ) throws(ToolError) -> Int32 {
    let now = expectations.instant ?? .now
    var explanation = Explanation(verifier, expectations, now)
    var (answer, action) = (Verdict.validToken.answer, Action.nothing)
    do throws(Refusal) {
      _ = try verifier.qualify(
        token.span, requestor: expectations.requestor, resource: expectations.resource, at: now,
        observer: &explanation
      ).leave()
    } catch {
      guard case .rejected(let rejection) = error else { throw VerifyCommand.noVerdict(error.answer) }
      explanation.refused(rejection)
      (answer, action) = (error.answer, error.action)
    }
    if let use = explanation.explainOneUse(in: seats) {
      if let reason = use.reason { (answer, action) = (reason.verdict.answer, reason.action) }
      if use.decision == nil { throw undecided(use) }
    }
    let asJSON = arguments.has(OutputOptions.json)
    let report = decision.map { explanation.compare($0) }
    try StandardOutput.write(
      asJSON ? json(answer, action, explanation, report) : text(answer, action, explanation, report))
    return answer.exitStatus
  }

  /// The fleet that is to be looked at, if one is.
  private static func seats(_ arguments: Arguments) throws(ToolError) -> FleetAdministration? {
    switch try ReplayOption.choice(arguments, try arguments[replay]).address {
    case .none: return nil
    case .shared:
      throw arguments.usage(
        "\(replay.usage) is a table, which explain does not look into; give redis:FLEET@SEAT,... or none:")
    case .fleet(let fleet): return try FleetCommands.administration(of: fleet, arguments)
    }
  }

  private static func undecided(_ use: ExplainedUse) -> ToolError {
    let lines = use.findings.map { "\n  " + VerdictText.shown($0) }.joined()
    return .unable(VerifyCommand.noVerdict(Fault.replayMemoryUnavailable.answer).description + lines)
  }

  private static func text(
    _ answer: Answer, _ action: Action, _ explanation: Explanation, _ decision: DecisionReport?
  ) -> String {
    var text = answer.wireName + "\n" + VerdictText.next(action, answer)
    for report in explanation.reports {
      text += "\(report.step.rawValue): \(report.outcome.rawValue)\n"
      for (name, value) in report.notes { text += "  " + VerdictText.line("\(name)", value) }
    }
    return text + (decision?.text ?? "")
  }

  private static func json(
    _ answer: Answer, _ action: Action, _ explanation: Explanation, _ decision: DecisionReport?
  ) -> String {
    OutputOptions.line { writer in
      writer.member("verdict", answer.wireName)
      writer.member("number", Int64(answer.number))
      writer.next(action, answer.adobeCode)
      writer.name("steps")
      writer.array { array in
        for report in explanation.reports {
          array.object { object in
            object.member("step", report.step.rawValue)
            object.member("outcome", report.outcome.rawValue)
            for (name, value) in report.notes { object.member(name, value) }
          }
        }
      }
      decision?.write(to: &writer)
    }
  }
}
