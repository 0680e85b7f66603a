internal import MediaToken
internal import MediaTokenIssuer
internal import MediaTokenSystem

package enum ConfigurationSource: Sendable {
  /// A file, read again at every reload.
  case file(String)
  /// `--dev`: the development key, and a table that only this process has.
  case development(DevelopmentMode.Session)

  /// As it is now.
  func configuration() throws(Problem) -> Configuration {
    switch self {
    case .file(let path): return try ConfigurationFile.read(path)
    case .development(let session):
      guard let file = session.file else { return session.configuration }
      var configuration = try ConfigurationFile.read(file)
      // Whatever it says, no table or fleet that others use gets to see tokens that anyone can make.
      configuration.replay.address = .none
      return configuration
    }
  }

  /// A verifier by the keys as they are now; the store is opened after they were read. The error names the key's file;
  /// the development key is an error, because anyone can sign with it, and with `--dev` any other one is.
  func verifier(
    _ configuration: Configuration, _ store: @autoclosure () throws(Problem) -> any Store
  ) throws(Problem) -> TokenVerifier {
    let (keys, store) = (try keys(configuration), try store())
    return try rethrow(TokenVerifier(keys: keys, store: store)) { (fault: Fault) in
      Problem.setting("keys", "OpenSSL cannot work with the keys (\(fault.answer.wireName))")
    }
  }

  func keys(_ configuration: Configuration) throws(Problem) -> TrustedKeys {
    let session: DevelopmentMode.Session? = if case .development(let session) = self { session } else { nil }
    if let session, session.file == nil { return session.keys }
    let consent = WeakKeyConsent.given(configuration.allowRSA1024)
    let source = KeySource.files(configuration.keys)
    let keys = try rethrow(source.read(consent: consent, takesDevelopmentKey: session != nil)) {
      (error: Problem) in
      Self.inDaemonsWords(error).of(setting: "keys", in: file)
    }
    guard let session else { return keys }
    if let key = keys.keys.first(where: { $0.fingerprint != session.pair.fingerprint }) {
      throw Problem.setting(
        "keys", of: file,
        "\(key.origin): --dev trusts only the key whose private half is \(session.keyPath), and not this one",
        cure: "name its public half (openssl pkey -in \(session.keyPath) -pubout), or leave --dev out"
      )
    }
    return session.keys
  }

  /// The files whose change is a reason to reload.
  func watchedPaths(_ configuration: Configuration) -> [String] {
    file.map { [$0] + configuration.keys + configuration.secretFiles } ?? []
  }

  var file: String? {
    switch self {
    case .file(let path): path
    case .development(let session): session.file
    }
  }

  /// A key without consent is explained with the command line's option; in the file another member gives consent.
  private static func inDaemonsWords(_ problem: Problem) -> Problem {
    switch problem.code {
    case Problem.consentMissing, Problem.consentToCertificate:
      problem.cured("\(problem.cure ?? ""); in the configuration's file: allowRSA1024")
    case Problem.developmentKey: problem.cured("only --dev takes it")
    default: problem
    }
  }
}

extension Configuration {
  /// The files that others must not read: users and passwords of nodes, and keys of pseudonyms and hand-overs.
  fileprivate var secretFiles: [String] {
    [replay.fleet.credentialsFile, replay.place.move?.fleet.credentialsFile, viewerTag?.key].compactMap(\.self)
      + handovers.map(\.settings.keyFile)
  }
}

enum ReplayLoading {
  /// The warning about `none:`.
  static let notEnforced = "replay.address enforces nothing: a token can be used any number of times"

  static func open(
    _ configuration: Configuration, _ source: ConfigurationSource
  ) throws(Problem) -> any Store {
    let policy = try configuration.loosestPolicy()
    let window = configuration.replay.retryWindowMilliseconds
    let blamed = blaming(source)
    if case .development = source {
      return try rethrow(
        SharedReplayTable(anonymousWithCapacity: 100_000, policy: policy, retryWindowMilliseconds: window),
        as: blamed)
    }
    guard let plan = try configuration.fleetPlan() else {
      return try rethrow(
        configuration.replay.address.open(policy: policy, retryWindowMilliseconds: window), as: blamed)
    }
    return try rethrow(MovableFleet(opening: plan, at: .now), as: blamed)
  }

  /// What a reload does where hosts move from one fleet to another; nil if it is no step of a move. Nothing has changed yet.
  static func step(
    of store: any Store, to configuration: Configuration, _ source: ConfigurationSource
  ) throws(Problem) -> MovableFleet.Step? {
    guard let store = store as? MovableFleet, let plan = try configuration.fleetPlan() else { return nil }
    return try rethrow(store.step(to: plan, at: .now), as: blaming(source))
  }

  /// Those of the fleets that there are after the step.
  static func readCredentialsAgain(
    of store: any Store, before step: MovableFleet.Step?, _ source: ConfigurationSource
  ) throws(Problem) {
    guard let fleet = store as? MovableFleet else { return }
    try rethrow(fleet.readCredentialsAgain(before: step), as: blaming(source))
  }

  /// Everything is left as it is. The descriptions are those of a fleet's nodes.
  static func tryOut(
    _ configuration: Configuration, _ source: ConfigurationSource
  ) throws(Problem) -> [(side: JointTally.Side?, node: NodeDescription)] {
    guard let plan = try configuration.fleetPlan() else {
      let policy = try configuration.loosestPolicy()
      return try rethrow(configuration.replay.address.tryOut(policy: policy), as: blaming(source)).map { (nil, $0) }
    }
    return try rethrow(plan.tryOut(at: .now), as: blaming(source))
  }

  /// The error with the setting at fault.
  static func blaming(_ source: ConfigurationSource) -> (Problem) -> Problem {
    { problem in
      let isOfCredentials = problem.code == FleetCredentials.code
      let fleet = problem.subject == JointTally.Side.from.rawValue ? "replay.address.fleet" : "replay.fleet"
      return problem.of(setting: isOfCredentials ? "\(fleet).credentials" : "replay.address", in: source.file)
    }
  }

  /// Throws if a tenant would accept tokens for longer than the open memory remembers them, or if the times of a fleet
  /// would be others.
  static func check(
    _ store: any Store, covers configuration: Configuration, _ source: ConfigurationSource
  ) throws(Problem) {
    guard let excess = store.excess(of: try configuration.loosestPolicy()) else { return }
    if configuration.replay.isFleet {
      throw Problem.setting(
        "tenants", of: source.file,
        "expected \(excess.promised) as the greatest \(excess.setting)Milliseconds, as when the daemon was started, found \(excess.wanted)",
        cure: "other times are another fleet: change its name, its times and all hosts together"
      )
    }
    throw Problem.setting(
      "tenants", of: source.file,
      "expected \(excess.setting)Milliseconds of at most \(excess.promised), for which the replay memory was made, found \(excess.wanted)",
      cure: "a looser one needs a new memory and a restart"
    )
  }
}
