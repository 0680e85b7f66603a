internal import MediaToken
internal import MediaTokenHandover
internal import MediaTokenSystem

/// The exchange of a route or a tenant for used tokens: a minter with its key, and the attributes of the cookies.
final class Handover: Sendable {
  let settings: HandoverSettings
  /// The bytes of a credential in an answer's head: as a header's value, and as cookies.
  let headBytes: Int
  let minter: HandoverMinter
  /// The text after each cookie's value.
  private let attributes: String

  /// Reads the key, and tries it, so that an error comes before a token is used up.
  init(_ settings: HandoverSettings) throws(Problem) {
    self.settings = settings
    minter = try HandoverMinter(settings.terms(), keyFile: settings.keyFile)
    attributes = settings.cookieAttributes
    let specimen = HandedOver(try minter.specimen(), attributes: attributes)
    headBytes = specimen.cookies.reduce(specimen.text.utf8.count) {
      $0 + "Set-Cookie: \r\n".utf8.count + $1.utf8.count
    }
  }

  /// If it throws, the token stays used up; its caller may ask again in the retry window.
  func exchange(_ token: VerifiedToken, at now: Instant) throws(Refusal) -> HandedOver {
    let credential = try rethrow(minter.mint(for: token, at: now)) { (problem: Problem) in
      Refusal.undecided(problem.fault ?? .internalFault)
    }
    return HandedOver(credential, attributes: attributes)
  }
}

/// A credential, and the attributes of its cookies. An object, so that an answer without one pays next to nothing.
final class HandedOver: Sendable {
  private let credential: HandoverCredential
  private let attributes: String

  init(_ credential: HandoverCredential, attributes: String) {
    (self.credential, self.attributes) = (credential, attributes)
  }

  var text: String { credential.text }

  /// The values of `Set-Cookie` (RFC 6265, section 4.1).
  var cookies: [String] { credential.cookies.map { "\($0.name)=\($0.value)\(attributes)" } }
}

extension HandoverSettings? {
  /// `key`: the setting's place in the configuration, whose file is nil if it has none. The error names the setting and
  /// the key's file.
  func opened(_ key: String, of file: String?) throws(Problem) -> Handover? {
    guard let settings = self else { return nil }
    return try rethrow(Handover(settings)) { (problem: Problem) in
      problem.of(setting: "\(key).key", in: file)
    }
  }
}

extension HandoverSettings {
  /// `; Path=/live/; Max-Age=3600; HttpOnly; Secure; SameSite=Lax`. `HttpOnly`: a script on the page can't read it.
  fileprivate var cookieAttributes: String {
    let cookie = cookie ?? CookieSettings()
    return "; Path=\(path); Max-Age=\(lifeSeconds); HttpOnly" + (cookie.isSecure ? "; Secure" : "")
      + "; SameSite=\(cookie.sameSite.rawValue)" + (cookie.domain.map { "; Domain=\($0)" } ?? "")
      + (cookie.isPartitioned ? "; Partitioned" : "")
  }
}
