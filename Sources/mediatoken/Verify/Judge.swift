internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenService
internal import MediaTokenSystem

/// What `verify` decides by: its options, or a daemon's configuration. It is made before a token is read.
struct Judge {
  let store: any Store
  /// Nil is the system's clock.
  let instant: Instant?
  /// Nil unless the request may be repeated.
  let request: UseRequest?
  /// The resource in the options.
  let resource: ExpectedResource?
  /// To be said with a valid token.
  let note: String?
  private let find: (ExpectedRequestor?, ExpectedResource?) throws(RequestError) -> ConfiguredVerifier.Rules

  /// Every usage error comes before any file is read.
  init(_ arguments: Arguments) throws(Problem) {
    let expectations = try ExpectationOptions(arguments)
    try TokenSource.check(arguments, or: VerifyCommand.batch)
    guard !arguments.has(ReplayOption.requestID) else {
      throw arguments.usage("\(ReplayOption.requestID.usage) needs \(ConfigurationOption.config.usage)")
    }
    let replay = try arguments[ReplayOption.replay]
    try ReplayOption.checkTime(arguments, isEnforced: replay != .none)
    let handover = try HandoverOptions.terms(arguments, isEnforced: replay != .none)
    let verifier = try Self.verifier(arguments, replay)
    let minter = try handover.map { (handover) throws(Problem) in try handover.minter() }
    (store, instant, request) = (verifier.store, expectations.instant, nil)
    (resource, note) = (expectations.resource, nil)
    find = { (requestor, resource) in
      ConfiguredVerifier.Rules(
        path: verifier.path, requestor: requestor ?? expectations.requestor,
        resource: resource ?? expectations.resource, minter: minter)
    }
  }

  /// Requestor and resource may be left out where the configuration has just one, but for a batch.
  init(configuration file: String, _ arguments: Arguments) throws(Problem) {
    for option in [ExpectationOptions.anyRequestor, ExpectationOptions.anyResource] where arguments.has(option) {
      throw arguments.usage(
        "the configuration says what is served; leave out \(option.usage) next to \(ConfigurationOption.config.usage)"
      )
    }
    if arguments.has(VerifyCommand.batch) { _ = try ExpectationOptions(arguments) }
    let requestor = try ExpectationOptions.requestor(arguments)
    let resource = try ExpectationOptions.resource(arguments)
    let instant = try arguments[ExpectationOptions.at]
    try TokenSource.check(arguments, or: VerifyCommand.batch)
    let other = arguments.has(ReplayOption.replay) ? try arguments[ReplayOption.replay] : nil
    let isAsked = other.map { $0 != .none } ?? arguments.has(VerifyCommand.spend)
    guard isAsked || !arguments.has(ReplayOption.requestID) else {
      throw arguments.usage("\(ReplayOption.requestID.usage) needs \(VerifyCommand.spend.usage)")
    }
    try ReplayOption.checkTime(arguments, isEnforced: isAsked)
    let asked = other.map { ConfiguredVerifier.AskedStore.other($0) } ?? (isAsked ? .configured : .none)
    let verifier = try Problem.about("no verdict", ConfiguredVerifier(configuration: file, asking: asked))
    request = try arguments[ReplayOption.requestID].map { (id) throws(Problem) in
      guard verifier.retryWindowMilliseconds > 0 else {
        throw Problem.setting(
          "replay.retryWindowMilliseconds", of: file, "there is no retry window",
          cure: "leave \(ReplayOption.requestID.usage) out, or write one there")
      }
      return UseRequest(id: id, callerUID: CurrentProcess.userID)
    }
    (store, self.instant, self.resource) = (verifier.store, instant, resource)
    note = isAsked ? nil : Self.unasked
    find = { (inLine, ofLine) throws(RequestError) in
      try verifier.rules(requestor: inLine ?? requestor, resource: ofLine ?? resource)
    }
  }

  private static let unasked =
    "no replay memory was asked, and no token used up; \(VerifyCommand.spend.usage) asks the configuration's"

  /// Nil stands for what the options say.
  func rules(
    requestor: ExpectedRequestor? = nil, resource: ExpectedResource? = nil
  ) throws(RequestError) -> ConfiguredVerifier.Rules { try find(requestor, resource) }

  static func verifier(_ arguments: Arguments, _ replay: ReplayAddress) throws(Problem) -> TokenVerifier {
    let policy = try PolicyOptions.policy(arguments)
    let keys = try TrustOptions.load(arguments)
    let store = try ReplayTableOptions.memory(replay.open(policy: policy))
    return try rethrow(TokenVerifier(keys: keys, store: store, policy: policy)) { (fault: Fault) in
      VerifyCommand.noVerdict(fault)
    }
  }
}
