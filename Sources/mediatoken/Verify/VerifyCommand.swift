internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenHandover
internal import MediaTokenSystem

extension Command {
  static let verify = Command(
    words: ["verify"],
    summary: "Decide whether a token, or each token of a --batch, is genuine.",
    operand: TokenSource.optionalOperand,
    options: TrustOptions.all + ExpectationOptions.all + [TokenSource.decision, VerifyCommand.batch]
      + ReplayOption.all + PolicyOptions.all + HandoverOptions.all + [OutputOptions.showGUID, OutputOptions.json],
    notes: [
      """
      The first line on standard output is the verdict; without a verdict it is empty. For a decision without a \
      token it is NO_TOKEN.
      """,
      .exitStatus(
        """
        0 valid, 1 refused or no token, 2 the command line is not understood, 3 no verdict. For a batch: 3 if a line has no \
        verdict, else 1 if one was refused or malformed, else 0.
        """),
      """
      One use is enforced if --replay names a table, which mediatoken replay create makes, or a fleet, whose nodes \
      several hosts share. If it cannot be used, there is no verdict. A valid token then counts as used. It cannot be \
      combined with --at, nor with "at" in a line of a batch. All hosts of a fleet write the same address and the \
      same --max-ttl, --future-tolerance and --expiry-tolerance.
      """,
      """
      With --handover a token that was used for the first time, or once more by the same request, brings a credential \
      with which a CDN lets the segments of this playback through. Its key is read before the token.
      """,
      .example(
        """
        mediatoken verify - --keys adobe.pem --allow-rsa-1024 FINGERPRINT \\
          --requestor REF30 --resource TNT <token.txt
        """),
      .example(
        """
        mediatoken verify --decision answer.json --keys adobe.pem \\
          --allow-rsa-1024 FINGERPRINT --requestor REF30 --resource TNT
        """),
    ],
    run: VerifyCommand.run)
}

/// Decides about one token, or about a ``Batch``.
enum VerifyCommand {
  static let batch = Option(
    "batch", .text(.fileOrInput),
    "check one token per line, plain or {\"token\": ...}, and answer with one JSON object per line")

  static func run(_ arguments: Arguments) throws(Problem) -> Int32 {
    let expectations = try ExpectationOptions(arguments)
    let batch = try arguments[batch]
    try TokenSource.check(arguments, or: Self.batch)
    let request = try ReplayOption.request(arguments)
    if batch != nil, request != nil {
      throw arguments.usage(
        "\(ReplayOption.requestID.usage) names one request, and \(Self.batch.usage) has many; give one of them")
    }
    let replay = try ReplayOption.choice(arguments, try arguments[ReplayOption.replay])
    let handover = try HandoverOptions.terms(arguments, isEnforced: replay.isEnforced)
    let verifier = try verifier(arguments, replay)
    if let batch {
      return try Batch(verifier: verifier, expectations: expectations, mayHaveInstant: !replay.isEnforced)
        .run(on: batch)
    }
    let minter = try handover.map { (handover) throws(Problem) in try handover.minter() }
    switch try TokenSource.read(arguments, for: expectations.resource) {
    case .token(let token, _): return try answer(token, verifier, expectations, request, minter, arguments)
    case .noToken(let noToken): return try noToken.print(arguments)
    }
  }

  /// Every usage error comes before any file is read. `replay` nil: nothing remembers tokens.
  static func verifier(_ arguments: Arguments, _ replay: ReplayChoice?) throws(Problem) -> TokenVerifier {
    let policy = try PolicyOptions.policy(arguments)
    let keys = try TrustOptions.load(arguments)
    let store: any Store = try replay?.open(policy: policy) ?? NoReplayMemory()
    return try rethrow(TokenVerifier(keys: keys, store: store, policy: policy)) { (fault: Fault) in
      noVerdict(fault)
    }
  }

  /// `store`: the one that was asked.
  static func noVerdict(_ fault: Fault, from store: any Store = .none) -> Problem {
    let why = ReplayCause.words(fault, from: store)
    return Problem("no verdict: \(fault.answer.wireName); the fault is on this side, not the token's\(why)")
  }

  private static func answer(
    _ token: [UInt8], _ verifier: TokenVerifier, _ expectations: ExpectationOptions, _ request: UseRequest?,
    _ minter: HandoverMinter?, _ arguments: Arguments
  ) throws(Problem) -> Int32 {
    let asJSON = arguments.has(OutputOptions.json)
    let now = expectations.instant ?? .now
    let valid: VerifiedToken
    do throws(Refusal) {
      valid = try verifier.path.verify(
        token.span, requestor: expectations.requestor, resource: expectations.resource,
        at: now, request: request)
    } catch {
      let rejection: Rejection
      switch error {
      case .rejected(let rejected): rejection = rejected
      case .undecided, .cancelled: throw noVerdict(error.fault ?? .internalFault, from: verifier.store)
      }
      try StandardOutput.write(
        asJSON ? OutputOptions.line { $0.members(of: error) } : VerdictText.of(rejection))
      return rejection.verdict.answer.exitStatus
    }
    let handover = try HandoverOptions.mint(minter, valid, at: now)
    let guid = arguments.has(OutputOptions.showGUID)
    try StandardOutput.write(
      asJSON
        ? OutputOptions.line { writer in
          writer.members(ofValid: valid)
          if let handover { writer.member("handover", handover.text) }
        } : VerdictText.of(valid, showingGUID: guid, handover: handover))
    return Verdict.validToken.answer.exitStatus
  }
}
