package import MediaToken
package import MediaTokenHandover
internal import MediaTokenSystem

/// The verdicts of a daemon's `/v1/verify` without the daemon: by the same configuration and keys. For `mediatoken verify`.
package struct ConfiguredVerifier {
  private let state: ServingState
  /// In which the same caller gets its first answer again; 0: never.
  package let retryWindowMilliseconds: Int64

  /// What is asked about one use, and uses tokens up.
  package enum AskedStore: Sendable {
    /// A check uses no token up.
    case none
    /// The one of the configuration.
    case configured
    /// Another, with the configuration's times and settings.
    case other(ReplayAddress)
  }

  /// What a token is judged by.
  package struct Rules {
    package let path: TokenPath
    package let requestor: ExpectedRequestor
    package let resource: ExpectedResource
    /// Nil: a used token is exchanged for nothing.
    package let minter: HandoverMinter?

    package init(
      path: TokenPath, requestor: ExpectedRequestor, resource: ExpectedResource, minter: HandoverMinter? = nil
    ) {
      (self.path, self.requestor, self.resource, self.minter) = (path, requestor, resource, minter)
    }
  }

  /// Reads configuration and keys, and opens the replay memory that is asked. The error names the file and the key.
  package init(configuration file: String, asking asked: AskedStore) throws(Problem) {
    let source = ConfigurationSource.file(file)
    var configuration = try source.configuration()
    retryWindowMilliseconds = configuration.replay.retryWindowMilliseconds
    if case .other(let address) = asked { configuration.replay.address = address }
    let verifier = try source.verifier(configuration, Self.open(asked, configuration, source))
    // Only a token that is used up is exchanged.
    configuration.forgetSecrets(ofHandovers: !verifier.store.isEnforced)
    state = try ServingState(configuration, verifier, file: file)
  }

  private static func open(
    _ asked: AskedStore, _ configuration: Configuration, _ source: ConfigurationSource
  ) throws(Problem) -> any Store {
    switch asked {
    case .none: .none
    case .configured: try ReplayLoading.open(configuration, source)
    case .other(let address):
      try Problem.about(
        "no replay memory",
        address.open(
          policy: configuration.loosestPolicy(),
          retryWindowMilliseconds: configuration.replay.retryWindowMilliseconds,
          fleet: configuration.replay.fleet))
    }
  }

  package var store: any Store { state.verifier.store }

  /// The rules for a token. Nil stands for the requestor or resource of the configuration, where it has just one.
  package func rules(requestor: ExpectedRequestor?, resource: ExpectedResource?) throws(RequestError) -> Rules {
    let found = try state.expectation(Question(requestor, resource), at: .verify)
    return Rules(
      path: found.verifier, requestor: found.requestor, resource: found.resource, minter: found.handover?.minter)
  }
}
