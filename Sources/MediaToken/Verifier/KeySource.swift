/// The place of the public keys whose signatures count: PEM, DER, certificates or JKS keystores.
///
/// A literal is the path of a file or of a folder, whose files `*.pem`, `*.der`, `*.crt`, `*.cer` and `*.jks` are read,
/// but not `*.private.pem`. Files and the folders on the way to them belong to root or to the process's user, and
/// others may not write them.
public struct KeySource: Sendable {
  private let place: Place

  private enum Place: Sendable {
    case files([String])
    case memory(KeyFile)
    case gathered(KeyCollection)
  }

  /// Files and folders.
  public static func files(_ paths: String...) -> KeySource { files(paths) }

  package static func files(_ paths: [String]) -> KeySource { KeySource(place: .files(paths)) }

  /// A text in PEM, as a secrets store hands it over.
  public static func pem(_ text: String) -> KeySource {
    KeySource(place: .memory(KeyFile(name: "keys in memory", bytes: Array(text.utf8))))
  }

  package static func gathered(_ keys: KeyCollection) -> KeySource { KeySource(place: .gathered(keys)) }

  /// The files whose change is a reason to read again.
  package var paths: [String] {
    if case .files(let paths) = place { paths } else { [] }
  }

  /// `consent` is to keys of less than ``Limits/ordinaryModulusBits`` bits. `takesDevelopmentKey` admits the development
  /// key, whose private half is public.
  ///
  /// - Throws: ``Problem``, which names the file and the cure.
  package func read(consent: WeakKeyConsent, takesDevelopmentKey: Bool = false) throws(Problem) -> TrustedKeys {
    let keys: TrustedKeys
    switch place {
    case .files(let paths): keys = try TrustedKeys(readingFiles: paths, consent: consent)
    case .memory(let file): keys = try TrustedKeys(parsing: [file], consent: consent)
    case .gathered(let gathered): keys = try TrustedKeys(gathered, consent: consent)
    }
    if !takesDevelopmentKey, let key = keys.developmentKey {
      throw Problem(
        "\(key.origin)", "this is the development key, with which anyone can sign", code: Problem.developmentKey)
    }
    return keys
  }
}

extension KeySource: ExpressibleByStringLiteral {
  public init(stringLiteral path: String) { self = .files(path) }
}
