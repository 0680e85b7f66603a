/// The public keys whose signatures count: 1 to ``Limits/trustedKeys``, each once.
///
/// A set is read whole or not at all: one fault in one file, and there is no set (<doc:TokenFormat>, "Signature"). Nor is
/// there one if libcrypto gives a wrong answer to a signature whose answer is known.
package struct TrustedKeys: Sendable {
  /// In the order in which they were found, each once.
  package let keys: [TrustedKey]

  /// The development key, if it is among them: anyone can sign with it.
  package var developmentKey: TrustedKey? { keys.first { $0.fingerprint == DevelopmentKey.fingerprint } }

  /// Reads keys from files and folders: PEM and DER public keys and certificates, and the trusted certificates of
  /// JKS keystores, told apart by their content.
  ///
  /// In a folder, those files directly in it are read whose names end in `.pem`, `.der`, `.crt`, `.cer` or `.jks`
  /// and do not begin with a dot, in the order of the names' bytes. Links are followed. What is opened must be
  /// regular and at most ``Limits/keyFileBytes`` long. It, and every folder and link on the way, belong to root or to
  /// the effective user, and others may not write them; a sticky folder whose key files are read is mounted read-only.
  ///
  /// Keys of less than ``Limits/ordinaryModulusBits`` bits need consent. The password guards nothing but a checksum of JKS
  /// keystores, which is checked if this is given. An error names the file and the cure.
  package init(
    readingFiles paths: [String], consent: WeakKeyConsent, keystorePassword: String? = nil
  ) throws(Problem) {
    try self.init(Self.candidates(readingFiles: paths, keystorePassword: keystorePassword), consent: consent)
  }

  /// By the same rules as from files.
  package init(
    parsing files: [KeyFile], consent: WeakKeyConsent, keystorePassword: String? = nil
  ) throws(Problem) {
    try self.init(Self.candidates(parsing: files, keystorePassword: keystorePassword), consent: consent)
  }

  /// An error if the set is empty, or if a key lacks consent.
  package init(_ collection: KeyCollection, consent: WeakKeyConsent) throws(Problem) {
    try self.init(collection.complete(), consent: consent)
  }

  private init(_ candidates: [KeyCandidate], consent: WeakKeyConsent) throws(Problem) {
    try KnownAnswer.check()
    var keys: [TrustedKey] = []
    for candidate in candidates { keys.append(try TrustedKey(candidate, consent: consent)) }
    if let error = consent.objection { throw error }
    self.keys = keys
  }
}

extension TrustedKeys {
  /// The sound keys in these files, also those that lack consent.
  package static func candidates(
    readingFiles paths: [String], keystorePassword: String? = nil
  ) throws(Problem) -> [KeyCandidate] {
    var found = KeyCollection(keystorePassword: keystorePassword)
    for path in paths { try found.add(readingFile: Array(path.utf8)) }
    return try found.complete()
  }

  /// The sound keys in these bytes, also those that lack consent.
  package static func candidates(
    parsing files: [KeyFile], keystorePassword: String? = nil
  ) throws(Problem) -> [KeyCandidate] {
    var found = KeyCollection(keystorePassword: keystorePassword)
    for file in files { try found.add(parsing: file) }
    return try found.complete()
  }
}
