internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenReplay
internal import MediaTokenSystem

extension Command {
  /// `mediatoken explain`.
  static let explain = Command(
    words: ["explain"],
    summary: "Show what each step of a verification expected and found.",
    operand: TokenSource.optionalOperand,
    options: TrustOptions.all + ExpectationOptions.all + PolicyOptions.all
      + [
        TokenSource.decision, ExplainCommand.replay, FleetOption.credentials, ExplainedByDaemon.daemon,
        QueryCommand.timeout, OutputOptions.json,
      ],
    notes: [
      """
      The first line is the verdict, as in mediatoken verify; the exit status is the same too. Steps that come \
      after a failed signature are not checked: anyone may have written those bytes. No token is used up.
      """,
      """
      For a decision it also shows where its notBefore, notAfter, mvpd and serviceProvider are not what was signed. \
      They are unsigned, and change no verdict.
      """,
      """
      With --daemon the inspector of a running daemon explains, by its keys, policy and replay memory: no key is given \
      then, and requestor and resource may be left out. --timeout is for that.
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
    if let place = try arguments[ExplainedByDaemon.daemon] {
      return try ExplainedByDaemon.run(at: DaemonPlace(inspector: place), arguments)
    }
    if arguments.has(QueryCommand.timeout) {
      throw arguments.usage("\(QueryCommand.timeout.usage) is for \(ExplainedByDaemon.daemon.usage); leave it out")
    }
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
    let explained = ExplainedToken(
      token.span, with: verifier, requestor: expectations.requestor, resource: expectations.resource,
      at: expectations.instant ?? .now, peekingAt: seats.map { .seats($0, localTable: nil) } ?? .none,
      from: decision)
    return try explained.outcome().print(arguments)
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
}

extension ExplainedToken {
  /// What there is to print.
  ///
  /// - Throws: that a fault left no verdict, with what was found at a fleet's seats.
  fileprivate func outcome() throws(ToolError) -> ExplainedOutcome {
    ExplainedOutcome(
      conclusion: try printed(), reports: explanation.reports, details: details, decision: decision)
  }

  private func printed() throws(ToolError) -> ExplainedOutcome.Conclusion {
    switch conclusion {
    case .valid: return .verdict(Verdict.validToken.answer, .nothing, viewer: Action.nothing.viewerSentence)
    case .refused(let reason, _):
      return .verdict(reason.verdict.answer, reason.action, viewer: reason.viewerSentence)
    case .notCompared(let names): return .notCompared(names)
    case .undecided(let fault):
      let noVerdict = VerifyCommand.noVerdict(fault.answer)
      guard !findings.isEmpty else { throw noVerdict }
      throw .unable(noVerdict.description + findings.map { "\n  " + VerdictText.shown($0) }.joined())
    }
  }
}
