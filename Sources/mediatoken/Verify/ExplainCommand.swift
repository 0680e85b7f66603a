internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenService
internal import MediaTokenSystem

extension Command {
  static let explain = Command(
    words: ["explain"],
    summary: "Show what each step of a verification expected and found.",
    operand: TokenSource.optionalOperand,
    options: [ConfigurationOption.config] + TrustOptions.all + ExpectationOptions.all + PolicyOptions.all
      + [TokenSource.decision, ExplainCommand.replay, OutputOptions.json],
    notes: [
      """
      The first line says in a sentence what would become of the token; the verdict is in the lines for a report, and the \
      exit status is that of mediatoken verify. Steps that come after a failed signature are not checked: anyone may have \
      written those bytes. No token is used up.
      """,
      """
      For a decision it also shows where its notBefore, notAfter, mvpd and serviceProvider are not what was signed. \
      They are unsigned, and change no verdict.
      """,
      """
      With --config the keys, the policies and the replay memory are those of a daemon's configuration: none of these is \
      given then, and requestor and resource may be left out. Run it as the daemon's user, who may read the keys and open \
      the table.
      """,
      "With a fleet its nodes are looked at, and the verdict is what a claim would have brought at this moment.",
    ],
    run: ExplainCommand.run)
}

enum ExplainCommand {
  static let replay = Option(
    "replay", .replayAddress, default: .none, shown: "none:",
    "look whether the token was used: redis:FLEET@NODE,..., postgres:FLEET@HOST/DATABASE or none:")

  static func run(_ arguments: Arguments) throws(Problem) -> Int32 {
    if let file = try ConfigurationOption.file(arguments, replacing: [replay]) {
      return try explain(byConfiguration: file, arguments)
    }
    let expectations = try ExpectationOptions(arguments)
    try TokenSource.check(arguments)
    let nodes = try nodes(arguments)
    let verifier = try Judge.verifier(arguments, .none)
    switch try TokenSource.read(arguments, for: expectations.resource) {
    case .token(let token, let decision):
      let explained = ExplainedToken(
        token.span, with: verifier.path, requestor: expectations.requestor, resource: expectations.resource,
        at: expectations.instant ?? .now,
        peekingAt: nodes.map { .nodes([$0], until: nil, localTable: nil) } ?? .none, from: decision,
        in: .commandLine)
      return try explained.print(arguments)
    case .noToken(let noToken): return try noToken.print(arguments)
    }
  }

  /// By the files that a daemon would read.
  private static func explain(
    byConfiguration file: String, _ arguments: Arguments
  ) throws(Problem) -> Int32 {
    let requestor = try ExpectationOptions.requestor(arguments)
    let resource = try ExpectationOptions.resource(arguments)
    let instant = try arguments[ExpectationOptions.at]
    try TokenSource.check(arguments)
    let inspector = try rethrow(ConfiguredInspector(configuration: file)) { (error: Problem) in
      error.about("no verdict")
    }
    let document = try TokenSource.document(arguments)
    let token = document == nil ? try TokenSource.read(arguments) : []
    let explained: ExplainedToken
    do throws(RequestError) {
      explained = try inspector.explain(
        token, or: document, requestor: requestor, resource: resource, at: instant ?? .now)
    } catch {
      switch error {
      case .noTokenInDecision(let noToken): return try noToken.print(arguments)
      case .undecided(let fault): throw VerifyCommand.noVerdict(fault)
      default: throw Problem("no verdict: \(error.detail)")
      }
    }
    return try explained.print(arguments)
  }

  /// Nil if no fleet is to be looked at.
  private static func nodes(_ arguments: Arguments) throws(Problem) -> FleetAdministration? {
    let address = try arguments[replay]
    try ReplayOption.checkTime(arguments, isEnforced: address != .none)
    switch address {
    case .none: return nil
    case .shared:
      throw arguments.usage(
        "\(replay.usage) is a table, which explain does not look into; give a fleet or none:, or \(ConfigurationOption.config.usage)"
      )
    case .fleet(let fleet):
      return try ReplayTableOptions.memory(FleetAdministration(FleetOptions(address: fleet, policy: .standard)))
    }
  }
}
