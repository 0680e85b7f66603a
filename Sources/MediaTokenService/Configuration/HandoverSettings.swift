internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenHandover
internal import MediaTokenSystem

/// What a used token is exchanged for, and how a viewer's browser is to keep it.
struct HandoverSettings: SettingSection {
  var format = HandoverFormat.jwtHS256
  /// The file with the key.
  var keyFile = ""
  var lifeSeconds = 0
  var path = ""
  var keyID: String?
  var host: String?
  /// For a route, whose answer to a proxy sets cookies; nil for a tenant, whose back end sets what cookies it likes.
  var cookie: CookieSettings?

  /// What the credential opens.
  func terms() throws(Problem) -> HandoverTerms {
    try HandoverTerms(format: format, path: path, lifeSeconds: lifeSeconds, keyID: keyID, host: host)
  }

  var rows: [SettingRow<Self>] {
    required("format", \.format, .words(), "what checks the credential")
    required(
      "key", \.keyFile, .path,
      "the file with the key to mint with, mode 0600 or 0640; for one format alone, and in no folder of keys")
    required(
      "lifeSeconds", \.lifeSeconds, .number(HandoverTerms.lives, .seconds),
      "for how long it is good, from the verdict on")
    required(
      "path", \.path, .text(TextKind("a path that begins and ends with /", bytes: 1...HandoverTerms.longestPath)),
      "the path that it opens, with all below it; letters, digits, dots, hyphens and underscores between slashes")
    optional(
      "keyID", \.keyID, .text(TextKind("a key's id", bytes: 1...HandoverTerms.longestKeyID)),
      "the verifier's name of the key; required for cloudfront-cookie and cat, possible for jwt-hs256 and jwt-es256"
    )
    optional(
      "host", \.host, .text(.host), "who serves the segments; required for cloudfront-cookie, and for nothing else")
    if cookie != nil {
      optional("cookie", \.cookie, Form.section(CookieSettings()).optional, "how the cookies are set")
    }
  }

  mutating func check(_ section: Given) throws(Problem) {
    // The parameters are called as the settings are.
    _ = try rethrow(terms()) { (problem: Problem) in
      section.error(at: problem.subject, problem.fact, cure: problem.cure)
    }
  }
}

/// How the cookies are set. Without any of this they go to the host that answered alone, over TLS, and with no request that
/// another site makes.
package struct CookieSettings: SettingSection {
  var isSecure = true
  var sameSite = SameSite.lax
  var domain: String?
  /// Whether browsers keep them apart for each site that embeds the player's page (CHIPS, draft-ietf-httpbis-rfc6265bis).
  var isPartitioned = false

  /// With which requests of other sites they are sent (draft-ietf-httpbis-rfc6265bis, section 5.6.7).
  package enum SameSite: String, Sendable, Hashable, CaseIterable {
    /// With no request of another site.
    case strict = "Strict"
    /// With requests that lead the viewer here.
    case lax = "Lax"
    /// With all requests: for players on pages of another site.
    case none = "None"
  }

  var rows: [SettingRow<Self>] {
    optional("secure", \.isSecure, .boolean, "whether browsers send them over TLS only; false is for tests")
    optional(
      "sameSite", \.sameSite, .words(),
      "with which requests of other sites browsers send them; None is for players on pages of another site")
    optional(
      "domain", \.domain,
      .text(
        TextKind("the name of a domain"), cure: "write it without a dot before it, a port and *"
      ) { HandoverTerms.isHost($0) ? $0 : nil },
      without: "the host that answers", "the domain to whose hosts browsers send them")
    optional(
      "partitioned", \.isPartitioned, .boolean,
      "whether browsers keep them apart for each site that embeds the player; only with sameSite None")
  }

  mutating func check(_ section: Given) throws(Problem) {
    guard sameSite != .none || isSecure else {
      throw section.error(
        at: "secure", "browsers drop a cookie with SameSite=None that is not Secure", cure: "leave this out")
    }
    guard !isPartitioned || sameSite == .none else {
      throw section.error(
        at: "partitioned", "a partitioned cookie is for pages of other sites", cure: "set sameSite to None with it")
    }
  }
}
