public import MediaToken
internal import MediaTokenSystem

/// Mints credentials with which a CDN or proxy lets the segments of one playback through, by itself and without asking again.
///
/// A credential is worth as much as the token was, for a playback's length, so a ``/MediaToken/VerifiedToken`` that was used is the only way to
/// one. Immutable: any number of threads may mint at once.
public struct HandoverMinter: Sendable {
  /// The terms of its credentials.
  public let terms: HandoverTerms
  private let form: any HandoverForm

  /// A minter with a key.
  ///
  /// - Parameters:
  ///   - terms: the path that its credentials open, and their life.
  ///   - keyFile: a file of mode 0640 at most that only root and we may change. Its content depends on the format:
  ///     `jwt-es256` takes a P-256 key and `cloudfront-cookie` an RSA-2048 key, both as PEM in PKCS#8; `nginx-secure-link`
  ///     takes a line of 32 to 128 letters, digits, `_` and `-`; `akamai-edgeauth` a line of 32 to 128 hexadecimal digits,
  ///     all others of 64 to 128.
  /// - Throws: ``/MediaToken/Problem``: what is wrong with the key's file, or that OpenSSL fails.
  public init(_ terms: HandoverTerms, keyFile: String) throws(Problem) {
    self.terms = terms
    form = try makeHandoverForm(terms, SecretFile(keyFile))
  }

  /// A credential that lasts from this second on, for the life of the terms.
  ///
  /// - Parameters:
  ///   - token: the proof that this playback may start; it must be a first use, or its repetition.
  ///   - now: the instant of the verdict.
  /// - Throws: ``/MediaToken/Problem`` if no memory says that the token was not used before, for an instant before 1970, or if
  ///   OpenSSL fails.
  public func mint(for token: VerifiedToken, at now: UnixTime) throws(Problem) -> HandoverCredential {
    switch token.use {
    case .first, .retry: break
    case .notEnforced:
      throw Problem(
        "no replay memory says that the token was not used before, so nothing is handed over",
        cure: "verify it with one")
    }
    return try credential(at: now)
  }

  /// A credential that ended in 2001, so that no one can use it: as long as every other one until 2106, when a time needs
  /// more bytes than now in `cat` (decimal ones do in 2286). Making it also shows that the key can sign, before a token is
  /// used up.
  package func specimen() throws(Problem) -> HandoverCredential {
    // The least number of seconds that has as many digits as today's.
    try credential(from: 1_000_000_000, to: 1_000_000_000)
  }

  /// For ``mint(for:at:)``, and for tests of the formats.
  func credential(at now: Instant) throws(Problem) -> HandoverCredential {
    guard now.millisecondsSinceEpoch >= 0 else { throw Problem("the instant is before 1970") }
    // Rounded down: a credential never lasts longer than was said.
    let issued = now.millisecondsSinceEpoch / 1000
    return try credential(from: issued, to: issued + Int64(terms.lifeSeconds))
  }

  private func credential(from issued: Int64, to expires: Int64) throws(Problem) -> HandoverCredential {
    let span = HandoverSpan(issued: issued, expires: expires)
    let text = try Problem.ofOpenSSL(form.write(span))
    return HandoverCredential(
      text: text.credential, cookies: text.cookies, path: terms.path, lifeSeconds: terms.lifeSeconds)
  }
}

extension HandoverMinter: CustomStringConvertible, CustomReflectable {
  /// Names the format and the path; never the key.
  public var description: String { "a minter of \(terms.format.rawValue) for \(terms.path)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The seconds in which a credential is good, since 1970.
struct HandoverSpan {
  let issued: Int64
  let expires: Int64
}

protocol HandoverForm: Sendable {
  func write(_ span: HandoverSpan) throws(Fault) -> (credential: String, cookies: [HandoverCredential.Cookie])
}
