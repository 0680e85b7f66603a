package import MediaToken
package import MediaTokenFormats
internal import MediaTokenSystem

/// The answers of a daemon's inspector without the daemon: by the same configuration, keys and replay memory. For
/// `mediatoken explain`.
package struct ConfiguredInspector {
  private let state: ServingState
  private let memory: PeekedMemory

  /// Reads configuration and keys, and opens the replay memory to look at it. None is made, and nothing is claimed; a
  /// table that does not exist yet is an error. The error names the file and the key.
  package init(configuration file: String) throws(Problem) {
    let source = ConfigurationSource.file(file)
    var configuration = try source.configuration()
    let verifier = try source.verifier(configuration, .none)
    configuration.forgetSecrets(ofHandovers: true)
    state = try ServingState(configuration, verifier, file: file)
    let policy = try configuration.loosestPolicy()
    memory = try rethrow(configuration.peekedMemory(policy)) { (error: Problem) in
      error.of(setting: "replay.address", in: file)
    }
  }

  /// Explains a token, or the one that is in a document. Nil stands for the requestor or resource of the configuration,
  /// or else of the token itself.
  package func explain(
    _ token: [UInt8], or document: DecisionDocument?, requestor: ExpectedRequestor?, resource: ExpectedResource?,
    at now: Instant
  ) throws(RequestError) -> ExplainedToken {
    var question = Question(requestor, resource)
    if document == nil { question.take(token: token.span) }
    let any = AskedBinding(requestor: requestor == .anyRequestor, resource: resource == .anyResource)
    return try state.explain(
      &question, from: document, any: any, at: now, peekingAt: memory, in: .configuredCommand)
  }
}

extension Question {
  /// Nil, and any, are left to the configuration.
  init(_ requestor: ExpectedRequestor?, _ resource: ExpectedResource?) {
    if case .exactly(let text) = requestor { _ = self.requestor.set(text.text.utf8Span.span) }
    if let resource, resource != .anyResource { self.resource = GivenResource(resource) }
  }
}

extension Configuration {
  /// Removes the keys of pseudonyms and of what a proxy is answered, and those of tenants' hand-overs: a command does not need
  /// them, and its user need not be allowed to read them.
  mutating func forgetSecrets(ofHandovers: Bool) {
    (viewerTag, auth) = (nil, nil)
    for index in tenants.indices where ofHandovers { tenants[index].handover = nil }
  }

  /// It is opened to be looked at.
  fileprivate func peekedMemory(_ policy: Policy) throws(Problem) -> PeekedMemory {
    func table(_ path: String) throws(Problem) -> SharedReplayTable {
      try SharedReplayTable(opening: path, policy: policy)
    }
    switch replay.address {
    case .none: return .none
    case .shared(let path, _): return .table(try table(path.text))
    case .fleet:
      guard let plan = try fleetPlan() else { return .unreachable }
      let local = plan.fleets.reversed().compactMap(\.options.settings.localTable).first
      guard let local else { return try plan.looks(localTable: nil) }
      do throws(Problem) {
        return try plan.looks(localTable: try table(local.path))
      } catch {
        // The daemon would make it, empty.
        guard error.code == Problem.missing, local.capacity != nil else { throw error }
        return try plan.looks(localTable: nil)
      }
    }
  }
}

extension FleetPlan {
  /// The nodes of a fleet, to be looked at, or those of both. A look at one waits no longer than five verdicts: the inspector's next
  /// caller waits here as well.
  func looks(localTable: SharedReplayTable?) throws(Problem) -> PeekedMemory {
    var looks: [FleetAdministration] = []
    for (_, var options) in fleets {
      options.settings.localTable = nil
      var nodes = try FleetAdministration(options)
      nodes.timeoutMilliseconds = Self.timeoutMilliseconds(deadline: options.deadlineMilliseconds)
      looks.append(nodes)
    }
    if case .joint(_, _, let until) = self { return .nodes(looks, until: until, localTable: localTable) }
    return .nodes(looks, until: nil, localTable: localTable)
  }

  /// A look's wait for nodes.
  static func timeoutMilliseconds(deadline: Int) -> Int { min(5 * deadline, 2000) }
}
