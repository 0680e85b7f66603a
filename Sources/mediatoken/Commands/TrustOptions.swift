internal import CommandLineOptions
internal import MediaToken

/// The options that say whom to trust.
enum TrustOptions {
  static let keys = Option.value(
    "keys", "PATH", repeatable: true,
    "trusted public keys: a PEM or DER file, a certificate, a JKS keystore, or a folder of them")
  static let allowWeak = Option.value(
    "allow-rsa-1024", "FINGERPRINT|any", repeatable: true,
    "consent to a key of less than 2048 bits, such as Adobe's")
  static let development = Option.flag(
    "dev", "do not warn if the repository's development key is trusted")

  static let all = [keys, allowWeak, development]

  /// The consent that was given.
  ///
  /// - Throws: a usage error for what is no fingerprint.
  static func consent(_ arguments: Arguments) throws(ToolError) -> WeakKeyConsent {
    var fingerprints: Set<Fingerprint> = []
    var isAny = false
    for text in arguments.texts(allowWeak) {
      if text == "any" {
        isAny = true
      } else if let fingerprint = Fingerprint(hexadecimal: text) {
        fingerprints.insert(fingerprint)
      } else {
        throw arguments.usage(
          "expected 64 hexadecimal digits or any in \(allowWeak.usage); "
            + "mediatoken keys list --keys PATH prints them"
        )
      }
    }
    return isAny ? .any : .fingerprints(fingerprints)
  }

  /// The paths of `--keys`; at least one.
  static func paths(_ arguments: Arguments) throws(ToolError) -> [String] {
    let paths = arguments.texts(keys)
    guard !paths.isEmpty else {
      throw arguments.usage("expected \(keys.usage), the keys that may vouch for tokens")
    }
    return paths
  }

  /// The trusted keys, with a warning on standard error if everybody can sign with one.
  ///
  /// - Throws: what is wrong with a key, which is no verdict on a token.
  static func load(
    _ paths: [String], _ consent: WeakKeyConsent, _ arguments: Arguments
  ) throws(ToolError) -> TrustedKeys {
    let trusted: TrustedKeys
    do throws(KeyError) {
      trusted = try TrustedKeys(readingFiles: paths, consent: consent)
    } catch {
      throw .unable("no usable keys: \(error.description)")
    }
    if !arguments.has(development),
      let key = trusted.keys.first(where: { $0.fingerprint == DevelopmentKey.fingerprint })
    {
      StandardError.say("warning: \(key.origin): \(KeyWarning.developmentKey)")
    }
    return trusted
  }
}
