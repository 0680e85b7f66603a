internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenSystem

enum TrustOptions {
  static let allowWeak = Option(
    "allow-rsa-1024", each: consent, "consent to a key of less than 2048 bits, such as Adobe's")
  private static let development = Flag("dev", "do not warn if the repository's development key is trusted")

  static let all: [any CommandOption] = [SharedOptions.keys, allowWeak, development]

  enum Consent {
    case any
    case key(GivenFingerprint)
  }

  private static let consent = ValueForm<Consent>(.fingerprintOrAny) { (given) throws(Problem) in
    if given.text == "any" { return .any }
    guard let fingerprint = GivenFingerprint(hexadecimal: given.text) else {
      throw given.isNot(
        "64 hexadecimal digits or any", cure: "mediatoken keys list --keys PATH prints them")
    }
    return .key(fingerprint)
  }

  /// Texts that are not fingerprints are a usage error.
  static func consent(_ arguments: Arguments) throws(Problem) -> WeakKeyConsent {
    var fingerprints: Set<GivenFingerprint> = []
    for consent in try arguments[allowWeak] {
      guard case .key(let fingerprint) = consent else { return .any }
      fingerprints.insert(fingerprint)
    }
    return .given(fingerprints)
  }

  /// At least one.
  static func paths(_ arguments: Arguments) throws(Problem) -> [String] {
    let paths = try arguments[SharedOptions.keys]
    guard !paths.isEmpty else {
      throw arguments.usage("\(SharedOptions.keys.usage) is missing: the keys that may vouch for tokens")
    }
    return paths
  }

  /// Warns on standard error if a key is the repository's, with which anyone can sign.
  static func load(_ arguments: Arguments) throws(Problem) -> TrustedKeys {
    let (consent, source) = (try consent(arguments), KeySource.files(try paths(arguments)))
    let trusted = try rethrow(source.read(consent: consent, takesDevelopmentKey: true), as: unusable)
    if !arguments.has(development), let key = trusted.developmentKey {
      StandardError.say("warning: \(key.origin): \(KeyWarning.developmentKey)")
    }
    return trusted
  }

  static func unusable(_ error: Problem) -> Problem { error.about("no usable keys") }
}
