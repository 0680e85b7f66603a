internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenSystem

/// A requestor that the daemon serves.
struct TenantSettings: SettingSection {
  var requestor: ExactText = ""
  private var listed: [ExactText]?
  private var document: ExpectedResource?
  private var channel: ExpectedResource?
  private var allowed: [ExactText]?
  private var allowedProxies: [ExactText]?
  private var denied: [ExactText] = []
  private var life = Policy.standard.maxTTLMilliseconds
  private var ahead = Policy.standard.futureToleranceMilliseconds
  private var late = Policy.standard.expiryToleranceMilliseconds
  private var unknownFields = Policy.standard.unknownFields
  var handover: HandoverSettings?
  /// What the settings above come to.
  private(set) var policy = Policy.standard

  init(requestor: ExactText = "") { self.requestor = requestor }

  var resources: PlayedResources {
    (document ?? channel).map { .one($0) } ?? listed.map { .listed(SortedNames($0)) } ?? .every
  }

  /// A token must be remembered for as long as a tenant accepts it.
  private static let covered = Reload.takenWithin(
    "not above what the replay memory was made for; with a fleet the greatest of all tenants must stay as it is")

  var rows: [SettingRow<Self>] {
    required("requestor", \.requestor, .name(.requestor), "the requestor's id, each once")
    optional(
      "resources", \.listed, .list(of: .name(.resource), least: 1, orElse: "leave the key out to accept every one"),
      without: "every one", "the only resources that are played")
    optional(
      "resourceDocument", \.document, .resourceDocument,
      "the only resource that is played, a Media RSS document in whatever spelling; instead of the list")
    optional(
      "resourceChannel", \.channel, .resourceChannel,
      "the only channel that is played, by its id or by documents with it as their channel's title; instead of the list"
    )
    optional(
      ChoiceNames.allowedProviders.member, \.allowed, .list(of: .name(.provider)), without: "all",
      "the only providers that are accepted; an empty list accepts none")
    optional(
      ChoiceNames.allowedProxies.member, \.allowedProxies, .list(of: .name(.provider)),
      without: "all, and tokens without one",
      "the only proxy providers (proxyMvpdId) that are accepted; refuses tokens without one, and an empty list all")
    optional(
      ChoiceNames.deniedProviders.member, \.denied, .list(of: .name(.provider)), without: "none",
      "providers that are refused")
    optional(.maxTTL, \.life, reload: Self.covered)
    optional(.futureTolerance, \.ahead, reload: Self.covered)
    optional(.expiryTolerance, \.late, reload: Self.covered)
    optional(
      ChoiceNames.unknownFields.member, \.unknownFields, .words(),
      "whether tokens with signed fields of unknown names are accepted, and the names reported, or refused")
    optional(
      "handover", \.handover, .section(HandoverSettings()),
      "what a used token is exchanged for, in the answers of /v1/verify")
  }

  mutating func check(_ section: Given) throws(Problem) {
    guard listed == nil || (document == nil && channel == nil) else {
      throw section.error(
        at: "resources", "a tenant has more than one of resources, resourceDocument and resourceChannel",
        cure: "keep one")
    }
    guard document == nil || channel == nil else {
      throw section.error(
        at: "resourceChannel", "a tenant has resourceDocument and resourceChannel", cure: "keep one")
    }
    policy = try rethrow(
      Policy(
        maxTTLMilliseconds: life, futureToleranceMilliseconds: ahead, expiryToleranceMilliseconds: late,
        unknownFields: unknownFields,
        mvpds: MVPDList(allowing: allowed, allowingProxies: allowedProxies, denying: denied)),
      as: section.error)
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
