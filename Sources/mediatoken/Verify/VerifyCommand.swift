internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenService
internal import MediaTokenSystem

extension Command {
  static let verify = Command(
    words: ["verify"],
    summary: "Decide whether a token, or each token of a --batch, is genuine.",
    operand: TokenSource.optionalOperand,
    options: [ConfigurationOption.config, VerifyCommand.spend] + TrustOptions.all + ExpectationOptions.all
      + [TokenSource.decision, VerifyCommand.batch] + ReplayOption.all + PolicyOptions.all + HandoverOptions.all
      + [OutputOptions.showGUID, OutputOptions.json],
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
      combined with --at, nor with "at" in a line of a batch.
      """,
      """
      With --config the keys, the requestors, the policies, the hand-over and the times are those of a daemon's configuration: \
      none of these is given then, and where it has just one requestor or resource, that may be left out. No replay memory is \
      asked, and no token used up, unless --spend is given, or --replay names a memory in place of the file's; the output says so. \
      Run it as the daemon's user, who may read the keys.
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
        mediatoken verify - --config /etc/mediatoken/mediatokend.json \\
          --resource TNT <token.txt
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
  static let spend = Flag(
    "spend", "with --config: ask its replay memory, in which a valid token then counts as used")
  static let batch = Option(
    "batch", .text(.fileOrInput),
    "check one token per line, plain or {\"token\": ...}, and answer with one JSON object per line")

  static func run(_ arguments: Arguments) throws(Problem) -> Int32 {
    let batch = try arguments[batch]
    if batch != nil, arguments.has(ReplayOption.requestID) {
      throw arguments.usage(
        "\(ReplayOption.requestID.usage) names one request, and \(Self.batch.usage) has many; give one of them")
    }
    guard let file = try ConfigurationOption.file(arguments, replacing: HandoverOptions.all) else {
      guard !arguments.has(spend) else {
        throw arguments.usage("\(spend.usage) needs \(ConfigurationOption.config.usage)")
      }
      return try run(Judge(arguments), on: batch, arguments)
    }
    return try run(Judge(configuration: file, arguments), on: batch, arguments)
  }

  private static func run(_ judge: Judge, on batch: String?, _ arguments: Arguments) throws(Problem) -> Int32 {
    if let batch { return try Batch(judge: judge).run(on: batch) }
    let rules = try rethrow(judge.rules()) { (error: RequestError) in
      Problem("no verdict: \(error.detail)")
    }
    let meant = rules.resource == .noMatch ? judge.resource ?? .anyResource : rules.resource
    switch try TokenSource.read(arguments, for: meant) {
    case .token(let token, _): return try answer(token, judge, rules, arguments)
    case .noToken(let noToken): return try noToken.print(arguments)
    }
  }

  /// `store`: the one that was asked.
  static func noVerdict(_ fault: Fault, from store: any Store = .none) -> Problem {
    let why = ReplayCause.words(fault, from: store)
    return Problem("no verdict: \(fault.answer.wireName); the fault is on this side, not the token's\(why)")
  }

  private static func answer(
    _ token: [UInt8], _ judge: Judge, _ rules: ConfiguredVerifier.Rules, _ arguments: Arguments
  ) throws(Problem) -> Int32 {
    let asJSON = arguments.has(OutputOptions.json)
    let now = judge.instant ?? .now
    let valid: VerifiedToken
    do throws(Refusal) {
      valid = try rules.path.verify(
        token.span, requestor: rules.requestor, resource: rules.resource, at: now, request: judge.request)
    } catch {
      let rejection: Rejection
      switch error {
      case .rejected(let rejected): rejection = rejected
      case .undecided, .cancelled: throw noVerdict(error.fault ?? .internalFault, from: judge.store)
      }
      try StandardOutput.write(
        asJSON ? OutputOptions.line { $0.members(of: error) } : VerdictText.of(rejection))
      return rejection.verdict.answer.exitStatus
    }
    let handover = try HandoverOptions.mint(rules.minter, valid, at: now)
    let guid = arguments.has(OutputOptions.showGUID)
    try StandardOutput.write(
      asJSON
        ? OutputOptions.line { writer in
          writer.members(ofValid: valid)
          if let handover { writer.member("handover", handover.text) }
          if let note = judge.note { writer.member("note", note) }
        }
        : VerdictText.of(valid, showingGUID: guid, handover: handover)
          + (judge.note.map { VerdictText.line("note", $0) } ?? ""))
    return Verdict.validToken.answer.exitStatus
  }
}
