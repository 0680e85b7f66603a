internal import MediaToken
internal import MediaTokenSystem

/// A requestor that the daemon serves.
struct TenantSettings: SettingSection {
  var requestor: ExactText = ""
  var resources = PlayedResources.every
  var policy = Policy.standard
  var handover: HandoverSettings?

  mutating func settings(_ reader: inout SettingReader) throws(Problem) {
    try reader.required("requestor", &requestor, .name("a requestor's id"), "the requestor's id, each once")
    try resources(&reader)
    try policy(&reader)
    try reader.optional(
      "handover", &handover, .section(HandoverSettings()), without: "none",
      "what a used token is exchanged for, in the answers of /v1/verify")
  }

  private mutating func resources(_ reader: inout SettingReader) throws(Problem) {
    var (listed, document, channel) = ([ExactText]?.none, ExpectedResource?.none, ExpectedResource?.none)
    try reader.optional(
      "resources", &listed,
      .list(of: .name("a resource"), least: 1, orElse: "leave the key out to accept every one"),
      without: "every one", "the only resources that are played")
    try reader.optional(
      "resourceDocument", &document, .resourceDocument, without: "none",
      "the only resource that is played, a Media RSS document in whatever spelling; instead of the list")
    try reader.optional(
      "resourceChannel", &channel, .resourceChannel, without: "none",
      "the only channel that is played, by its id or by documents with it as their channel's title; instead of the list"
    )
    guard let section = reader.section else { return }
    guard listed == nil || (document == nil && channel == nil) else {
      throw section.error(
        at: "resources", "a tenant has more than one of resources, resourceDocument and resourceChannel; keep one")
    }
    guard document == nil || channel == nil else {
      throw section.error(at: "resourceChannel", "a tenant has resourceDocument and resourceChannel; keep one")
    }
    resources = (document ?? channel).map { .one($0) } ?? listed.map { .listed(SortedNames($0)) } ?? .every
  }

  private mutating func policy(_ reader: inout SettingReader) throws(Problem) {
    var (allowed, allowedProxies, denied) = ([ExactText]?.none, [ExactText]?.none, [ExactText]())
    var (life, ahead, late) = (
      policy.maxTTLMilliseconds, policy.futureToleranceMilliseconds, policy.expiryToleranceMilliseconds
    )
    var unknownFields = policy.unknownFields
    // A token must be remembered for as long as a tenant accepts it.
    let covered = Reload.takenWithin(
      "not above what the replay memory was made for; with a fleet the greatest of all tenants must stay as it is")
    try reader.optional(
      "allowMVPDs", &allowed, .list(of: .name("a provider's id")), without: "all",
      "the only providers that are accepted; an empty list accepts none")
    try reader.optional(
      "allowProxyMVPDs", &allowedProxies, .list(of: .name("a provider's id")),
      without: "all, and tokens without one",
      "the only proxy providers (proxyMvpdId) that are accepted; refuses tokens without one, and an empty list all")
    try reader.optional(
      "denyMVPDs", &denied, .list(of: .name("a provider's id")), without: "none", "providers that are refused")
    try reader.optional(.maxTTL, &life, reload: covered)
    try reader.optional(.futureTolerance, &ahead, reload: covered)
    try reader.optional(.expiryTolerance, &late, reload: covered)
    try reader.optional(
      "unknownFields", &unknownFields, .word,
      "whether tokens with signed fields of unknown names are accepted, and the names reported, or refused")
    guard let section = reader.section else { return }
    policy = try rethrow(
      Policy(
        maxTTLMilliseconds: life, futureToleranceMilliseconds: ahead, expiryToleranceMilliseconds: late,
        unknownFields: unknownFields,
        mvpds: MVPDList(allowing: allowed, allowingProxies: allowedProxies, denying: denied))
    ) { (error: Problem) in section.error(error.description) }
  }
}

/// What a tenant plays.
enum PlayedResources: Sendable, Hashable {
  /// Whatever a request names.
  case every
  /// These and no others.
  case listed(SortedNames)
  /// One document or channel.
  case one(ExpectedResource)

  /// Whether it plays what a route asks for; not if there is no memory to find out.
  func have(_ resource: ExpectedResource) -> Bool {
    switch self {
    case .every: true
    case .listed(let texts): resource.exactText.flatMap { texts.index(of: $0) } != nil
    case .one(let one): (try? one.admits(resource)) ?? false
    }
  }

  /// Whether a question may leave the resource out.
  var isOne: Bool {
    switch self {
    case .every: false
    case .listed(let texts): texts.names.count == 1
    case .one: true
    }
  }
}

extension ExpectedResource {
  /// The very text that it must be; nil for a document or a channel.
  var exactText: ExactText? { if case .exactly(let text) = self { text } else { nil } }
}
