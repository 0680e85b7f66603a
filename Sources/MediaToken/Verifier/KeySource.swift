/// Where a verifier finds the public keys whose signatures count: PEM, DER, certificates or JKS keystores.
///
/// A literal is the path of a file or of a folder, whose files `*.pem`, `*.der`, `*.crt`, `*.cer` and `*.jks` are read,
/// but not `*.private.pem`. Files and the folders on the way to them belong to root or to the process's user, and others may not write them.
public struct KeySource: Sendable {
  private let place: Place

  private enum Place: Sendable {
    case files([String])
    case memory([KeyFile])
  }

  /// Files and folders.
  public static func files(_ paths: String...) -> KeySource { KeySource(place: .files(paths)) }

  /// A text in PEM, as a secrets store hands it over.
  public static func pem(_ text: String) -> KeySource {
    KeySource(place: .memory([KeyFile(name: "keys in memory", bytes: Array(text.utf8))]))
  }

  /// The files whose change is a reason to read again.
  var paths: [String] {
    if case .files(let paths) = place { paths } else { [] }
  }

  /// - Throws: ``KeyError``; also for the development key, whose private half is public.
  func read(consent: [Fingerprint]) throws(SetupError) -> TrustedKeys {
    let keys: TrustedKeys
    do throws(KeyError) {
      let consent = WeakKeyConsent.fingerprints(Set(consent))
      switch place {
      case .files(let paths): keys = try TrustedKeys(readingFiles: paths, consent: consent)
      case .memory(let files): keys = try TrustedKeys(parsing: files, consent: consent)
      }
    } catch {
      throw SetupError([.init("keys", Self.inWordsOfTheLibrary(error))])
    }
    if let key = keys.keys.first(where: { $0.fingerprint == DevelopmentKey.fingerprint }) {
      throw SetupError([
        .init(
          "keys",
          "\(key.origin): this is the development key, with which anyone can sign; in tests take the keys of MediaTokenTesting"
        )
      ])
    }
    return keys
  }

  /// Consent is given to the command line by an option, and here by a parameter.
  private static func inWordsOfTheLibrary(_ error: KeyError) -> String {
    guard case .consentMissing(let fingerprint, let bits) = error.reason else { return error.description }
    return
      "\(error.origin): the key has only \(bits) bits; if it is the right one, consent to it by its fingerprint: "
      + "consent: [\"\(fingerprint)\"]"
  }
}

extension KeySource: ExpressibleByStringLiteral {
  public init(stringLiteral path: String) { self = .files(path) }
}
