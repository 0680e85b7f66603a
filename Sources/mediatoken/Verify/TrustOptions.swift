internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenSystem

enum TrustOptions {
  static let keys = Option("keys", each: .text(.path), Setting.keys)
  static let allowWeak = Option(
    "allow-rsa-1024", each: consent, "consent to a key of less than 2048 bits, such as Adobe's")
  private static let development = Flag("dev", "do not warn if the repository's development key is trusted")

  static let all: [any CommandOption] = [keys, allowWeak, development]

  enum Consent {
    case any
    case key(GivenFingerprint)
  }

  private static let consent = Form<Consent>.text(
    .fingerprintOrAny, isNot: "64 hexadecimal digits or any", cure: "mediatoken keys list --keys PATH prints them"
  ) { text in text == "any" ? .any : GivenFingerprint(hexadecimal: text).map { .key($0) } }

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
    let paths = try arguments[keys]
    guard !paths.isEmpty else {
      throw arguments.usage("\(keys.usage) is missing: the keys that may vouch for tokens")
    }
    return paths
  }

  /// Warns on standard error if a key is the repository's, with which anyone can sign.
  static func load(_ arguments: Arguments) throws(Problem) -> TrustedKeys {
    let (consent, source) = (try consent(arguments), KeySource.files(try paths(arguments)))
    let trusted = try Problem.about("no usable keys", source.read(consent: consent, takesDevelopmentKey: true))
    if !arguments.has(development), let key = trusted.developmentKey {
      StandardError.say("warning: \(key.origin): \(KeyWarning.developmentKey)")
    }
    return trusted
  }
}
