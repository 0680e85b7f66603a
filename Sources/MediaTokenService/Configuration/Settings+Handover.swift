internal import MediaToken
internal import MediaTokenHandover
internal import MediaTokenSystem

extension Settings {
  /// For a route: the answer to a proxy sets cookies.
  static let routeHandover: SettingSection<WrittenHandover> = SettingSection(
    WrittenHandover(),
    handoverTerms + [
      Setting("cookie", \.cookie, .section(cookie), "how the cookies are set")
    ])

  /// For a tenant: its back end asks, and sets what cookies it likes.
  static let tenantHandover: SettingSection<WrittenHandover> = SettingSection(WrittenHandover(), handoverTerms)

  private static let handoverTerms: [Setting<WrittenHandover>] = [
    Setting("format", \.format, .word, required: true, "what checks the credential"),
    Setting(
      "key", \.keyFile, .filePath, required: true,
      "the file with the key to mint with, mode 0600 or 0640; for one format alone, and in no folder of keys"),
    Setting(
      "lifeSeconds", \.lifeSeconds, .integer(HandoverTerms.lives, .seconds), required: true,
      "for how long it is good, from the verdict on"),
    Setting(
      "path", \.path, .anyText("a path that begins and ends with /", bytes: 1...HandoverTerms.longestPath),
      required: true,
      "what it opens: all that begins with this; letters, digits, dots, hyphens and underscores between slashes"),
    Setting(
      "keyID", \.keyID, .anyText("a key's id", bytes: 1...HandoverTerms.longestKeyID), without: "none",
      "what the verifier calls the key; required for cloudfront-cookie and cat, possible for jwt-hs256 and jwt-es256"
    ),
    Setting(
      "host", \.host, .anyText("the name of a host"), without: "none",
      "who serves the segments; required for cloudfront-cookie, and for nothing else"),
  ]

  private static let cookie: SettingSection<CookieSettings> = SettingSection(
    CookieSettings(),
    [
      Setting("secure", \.isSecure, .boolean, "whether browsers send them over TLS only; false is for tests"),
      Setting(
        "sameSite", \.sameSite, .word,
        "with which requests of other sites browsers send them; None is for players on pages of another site"),
      Setting(
        "domain", \.domain, .domain, without: "the host that answers",
        "the domain to whose hosts browsers send them"),
    ]
  ) { cookie, file throws(ConfigurationError) in
    guard cookie.sameSite != .none || cookie.isSecure else {
      throw file.error(\.isSecure, "browsers drop a cookie with SameSite=None that is not Secure; leave this out")
    }
  }

  /// An impossible hand-over is an error at the start, and so is a key with two purposes: a party that may check one could make
  /// the other.
  static func checkHandovers(
    of configuration: Configuration, _ file: SectionReading<Configuration>
  ) throws(ConfigurationError) {
    var formats: [ExactText: HandoverFormat] = [:]
    func check(_ settings: HandoverSettings, _ place: SectionReading<WrittenHandover>) throws(ConfigurationError) {
      guard configuration.replay.address != .none else {
        throw place.value.error(
          "\(Settings.file.key(\.replay.address)) enforces nothing (none:), and a token that can be used again is not exchanged; leave this out, or name a replay memory there"
        )
      }
      let format = settings.terms.format
      guard formats.updateValue(format, forKey: ExactText(settings.keyFile)) ?? format == format else {
        throw place.error(\.keyFile, "another format has this key; make one for each format")
      }
      guard configuration.viewerTag.map({ ExactText($0.key) }) != ExactText(settings.keyFile) else {
        throw place.error(
          \.keyFile,
          "\(Settings.file.key(\.viewerTag)).\(Settings.viewerTag.key(\.key)) is this key, too; make one for each")
      }
    }
    for (index, settings) in configuration.tenants.enumerated() {
      guard let handover = settings.handover else { continue }
      try check(
        handover, try file.inside(\.tenants, at: index, tenant).inside(\.handover, tenantHandover))
    }
    guard let auth = configuration.auth else { return }
    let place = try file.inside(\.auth, Self.auth)
    for (index, rule) in auth.routes.enumerated() {
      guard let handover = rule.handover else { continue }
      let here = try place.inside(\.routes, at: index, route).inside(\.handover, routeHandover)
      guard !auth.observe else {
        throw here.value.error(
          "\(Self.file.key(\.auth)).\(Self.auth.key(\.observe)) lets everything through, and nothing is handed over then; leave this out until it is false"
        )
      }
      try check(handover, here)
    }
  }
}

extension SettingValues<HandoverSettings> {
  /// Terms that their format takes.
  static func handover(_ section: SettingSection<WrittenHandover>) -> Self {
    SettingValues<WrittenHandover>.section(section).making { written, value throws(ConfigurationError) in
      let terms = try rethrow(written.terms()) { (error: HandoverError) in
        SectionReading(section: section, value: value).error(written.blamed(for: error), error.description)
      }
      return HandoverSettings(terms: terms, keyFile: written.keyFile, cookie: written.cookie)
    }
  }
}

extension SettingValues<String> {
  /// Text that is looked at together with others.
  fileprivate static func anyText(_ what: String, bytes: ClosedRange<Int>? = nil) -> Self {
    .text(what, bytes: bytes) { text throws(ConfigurationError) in text }
  }

  /// What a cookie's `Domain` may be.
  fileprivate static var domain: Self {
    .text("the name of a domain") { name throws(ConfigurationError) in
      guard HandoverTerms.isHost(name) else {
        throw ConfigurationError("not the name of a domain; write it without a dot before it, a port and *")
      }
      return name
    }
  }
}

/// A hand-over as the file says it.
struct WrittenHandover: Sendable, Hashable {
  var format = HandoverFormat.jwtHS256
  var keyFile = ""
  var lifeSeconds = 0
  var path = ""
  var keyID: String?
  var host: String?
  var cookie = CookieSettings()

  func terms() throws(HandoverError) -> HandoverTerms {
    try HandoverTerms(format: format, path: path, lifeSeconds: lifeSeconds, keyID: keyID, host: host)
  }

  /// The property that holds what is wrong.
  func blamed(for error: HandoverError) -> PartialKeyPath<Self> {
    switch error {
    case .path: \.path
    case .life: \.lifeSeconds
    case .keyID, .missing(.keyID, _), .needless(.keyID, _): \.keyID
    case .host, .missing(.host, _), .needless(.host, _): \.host
    case .key, .notEnforced, .clock, .fault: \.format
    }
  }
}
