internal import MediaToken
internal import MediaTokenHandover
internal import MediaTokenSystem

/// The state that requests are answered from, at one moment: made whole, never changed, exchanged whole.
final class ServingState: Sendable {
  let configuration: Configuration
  /// For requestors that are not served here, too: it tells a bad token from one for another requestor, and spends neither.
  let verifier: TokenVerifier
  let requestors: SortedNames
  /// In the order of ``requestors``.
  let tenants: [Tenant]
  /// True if no tenant accepts any provider, and so no token is valid.
  let allowsNothing: Bool
  /// The keys of less than 2048 bits.
  let weakKeys: [Fingerprint]
  let auth: AuthRules?
  /// True if a caller that repeats a request may get its first answer again.
  let hasRetries: Bool
  /// In lower case.
  let requestIDHeader: [UInt8]?
  /// Nil if pseudonyms of viewers' accounts are not wanted.
  let viewerTags: ViewerTags?

  /// Reads the keys of pseudonyms and hand-overs. `file`: the configuration's, for errors.
  init(
    _ configuration: Configuration, _ verifier: TokenVerifier, file: String? = nil
  ) throws(Problem) {
    self.configuration = configuration
    viewerTags = try configuration.viewerTag.map { (settings) throws(Problem) in
      try rethrow(ViewerTags(settings)) { (error: Problem) in
        error.of(setting: "viewerTag.key", in: file)
      }
    }
    self.verifier = verifier
    var tenants: [ExactText: Tenant] = [:]
    for (index, settings) in configuration.tenants.enumerated() {
      let handover = try settings.handover.opened("tenants[\(index)].handover", of: file)
      let move = configuration.replay.place.move
      let policy = move.map { settings.policy.stricter(with: $0.tolerances) } ?? settings.policy
      let path = TokenPath(verifier.path, applying: policy)
      tenants[settings.requestor] = Tenant(settings, path, handover)
    }
    requestors = SortedNames(configuration.tenants.map(\.requestor))
    self.tenants = requestors.names.compactMap { tenants[$0] }
    allowsNothing = configuration.tenants.allSatisfy(\.policy.mvpds.admitsNone)
    let keys = verifier.path.trustedKeys.keys
    weakKeys = keys.filter { $0.modulusBits < Limits.ordinaryModulusBits }.map(\.fingerprint)
    auth = if let settings = configuration.auth { try AuthRules(settings, of: file) } else { nil }
    // After each was read, so that what is wrong with one is blamed on that one.
    try SecretPurposes.check(configuration, file: file)
    hasRetries = configuration.replay.retryWindowMilliseconds > 0
    requestIDHeader = configuration.requestIDHeader.map { Array($0.utf8) }
  }

  var keys: [TrustedKey] { verifier.path.trustedKeys.keys }

  /// The warnings for an operator: an event for the log, and a sentence.
  var warnings: [(event: String, text: String)] {
    var warnings: [(event: String, text: String)] = []
    for key in keys {
      for warning in key.warnings(at: .now) { warnings.append(("key", "\(key.origin): \(warning)")) }
    }
    if auth?.observes == true {
      warnings.append(
        ("observe", "auth.observe is on: /v1/auth lets every request through, whatever the verdict"))
    }
    return warnings
  }

  func isWeak(_ fingerprint: Fingerprint) -> Bool { weakKeys.contains(fingerprint) }
}

extension Configuration {
  /// The loosest policy of all tenants: what a replay memory must cover, so that it remembers a token for as long as any
  /// tenant accepts it.
  func loosestPolicy() throws(Problem) -> Policy {
    let policies = tenants.map(\.policy)
    return try rethrow(
      Policy(
        maxTTLMilliseconds: policies.map(\.maxTTLMilliseconds).max() ?? Policy.standard.maxTTLMilliseconds,
        futureToleranceMilliseconds: policies.map(\.futureToleranceMilliseconds).max()
          ?? Policy.standard.futureToleranceMilliseconds,
        expiryToleranceMilliseconds: policies.map(\.expiryToleranceMilliseconds).max() ?? 0)
    ) { (error: Problem) in error.of(setting: "tenants") }
  }
}

/// A requestor that is served. An object, so that finding one copies none of its parts.
final class Tenant: Sendable {
  let requestor: ExactText
  let resources: PlayedResources
  let verifier: TokenPath
  /// For the answers of `/v1/verify`.
  let handover: Handover?

  init(_ settings: TenantSettings, _ verifier: TokenPath, _ handover: Handover?) {
    (requestor, resources, self.verifier) = (settings.requestor, settings.resources, verifier)
    self.handover = handover
  }
}
