internal import MediaToken
internal import MediaTokenSystem

extension Settings {
  /// A token must be remembered for as long as a tenant accepts it.
  private static let covered = Reload.takenWithin(
    "not above what the replay memory was made for; with a fleet the greatest of all tenants must stay as it is")

  static let tenant: SettingSection<WrittenTenant> = SettingSection(
    WrittenTenant(),
    [
      Setting("requestor", \.requestor, .name("a requestor's id"), required: true, "the requestor's id, each once"),
      Setting(
        "resources", \.resources,
        .list(of: .name("a resource"), least: 1, orElse: "leave the key out to accept every one"),
        without: "every one", "the only resources that are played"),
      Setting(
        "resourceDocument", \.resourceDocument, .resourceDocument, without: "none",
        "the only resource that is played, a Media RSS document in whatever spelling; instead of the list"),
      Setting(
        "resourceChannel", \.resourceChannel, .resourceChannel, without: "none",
        "the only channel that is played, by its id or by documents with it as their channel's title; instead of the list"
      ),
      Setting(
        "allowMVPDs", \.allowMVPDs, .list(of: .name("a provider's id")), without: "all",
        "the only providers that are accepted; an empty list accepts none"),
      Setting(
        "allowProxyMVPDs", \.allowProxyMVPDs, .list(of: .name("a provider's id")),
        without: "all, and tokens without one",
        "the only proxy providers (proxyMvpdId) that are accepted; refuses tokens without one, and an empty list all"
      ),
      Setting(
        "denyMVPDs", \.denyMVPDs, .list(of: .name("a provider's id")), without: "none",
        "providers that are refused"),
      Setting(
        "maxTTLMilliseconds", \.maxTTLMilliseconds, .integer(Policy.servedMaxTTLs, .milliseconds),
        reload: covered,
        "the longest life that is granted; a longer one is cut"),
      Setting(
        "futureToleranceMilliseconds", \.futureToleranceMilliseconds, .integer(Policy.tolerances, .milliseconds),
        reload: covered,
        "how far ahead of the clock a token may be issued"),
      Setting(
        "expiryToleranceMilliseconds", \.expiryToleranceMilliseconds, .integer(Policy.tolerances, .milliseconds),
        reload: covered,
        "how long after its end a token is still accepted"),
      Setting(
        "unknownFields", \.unknownFields, .word,
        "whether tokens with signed fields of unknown names are accepted, and the names reported, or refused"),
      Setting(
        "handover", \.handover, .handover(tenantHandover), without: "none",
        "what a used token is exchanged for, in the answers of /v1/verify"),
    ]
  ) { tenant, file throws(ConfigurationError) in
    if tenant.resources != nil, tenant.resourceDocument != nil || tenant.resourceChannel != nil {
      throw file.error(
        \.resources, "a tenant has more than one of resources, resourceDocument and resourceChannel; keep one")
    }
    if tenant.resourceDocument != nil, tenant.resourceChannel != nil {
      throw file.error(\.resourceChannel, "a tenant has resourceDocument and resourceChannel; keep one")
    }
  }

  /// - Throws: if two tenants are one requestor.
  static func checkTenants(
    _ tenants: [TenantSettings], _ file: SectionReading<Configuration>
  ) throws(ConfigurationError) {
    var requestors: Set<ExactText> = []
    for (index, settings) in tenants.enumerated() where !requestors.insert(settings.requestor).inserted {
      throw try file.inside(\.tenants, at: index, tenant)
        .error(\.requestor, "this requestor is given twice")
    }
  }
}

extension SettingValues<[TenantSettings]> {
  /// At least one tenant.
  static var tenants: Self {
    .list(
      of: SettingValues<WrittenTenant>.section(Settings.tenant).making {
        written, value throws(ConfigurationError) in
        try rethrow(written.settings()) { (error: PolicyError) in value.error(error.description) }
      }, least: 1)
  }
}

/// A tenant as the file says it.
struct WrittenTenant: Sendable, Hashable {
  var requestor: ExactText = ""
  var resources: [ExactText]?
  var resourceDocument: ExpectedResource?
  var resourceChannel: ExpectedResource?
  var allowMVPDs: [ExactText]?
  var allowProxyMVPDs: [ExactText]?
  var denyMVPDs: [ExactText] = []
  var maxTTLMilliseconds = Policy.standard.maxTTLMilliseconds
  var futureToleranceMilliseconds = Policy.standard.futureToleranceMilliseconds
  var expiryToleranceMilliseconds = Policy.standard.expiryToleranceMilliseconds
  var unknownFields = Policy.standard.unknownFields
  var handover: HandoverSettings?

  /// What is said about resources; at most one of the three settings is there.
  private var played: PlayedResources {
    if let one = resourceDocument ?? resourceChannel { return .one(one) }
    return resources.map { .listed($0) } ?? .every
  }

  /// The tenant with its policy.
  func settings() throws(PolicyError) -> TenantSettings {
    TenantSettings(
      requestor: requestor, resources: played,
      policy: try Policy(
        maxTTLMilliseconds: maxTTLMilliseconds, futureToleranceMilliseconds: futureToleranceMilliseconds,
        expiryToleranceMilliseconds: expiryToleranceMilliseconds, unknownFields: unknownFields,
        mvpds: MVPDList(allowing: allowMVPDs, allowingProxies: allowProxyMVPDs, denying: denyMVPDs)),
      handover: handover)
  }
}
