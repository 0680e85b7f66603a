internal import MediaToken
internal import MediaTokenSystem

/// The object that C knows as `mediatoken_keys`: keys that are collected, and consent to some of them.
final class KeySet {
  private var collection = KeyCollection(keystorePassword: nil)
  private var consent: Set<Fingerprint> = []
  private var allowsDevelopmentKey = false
  /// The sentence of the first failure. A set is read whole or not at all.
  private var failure: String?
  private var shelf = TextShelf()

  func add(readingFile path: [UInt8]) throws(Failure) {
    try add { () throws(Problem) in try collection.add(readingFile: path) }
  }

  func add(parsing file: KeyFile) throws(Failure) {
    try add { () throws(Problem) in try collection.add(parsing: file) }
  }

  private func add(_ body: () throws(Problem) -> Void) throws(Failure) {
    shelf.clear()
    if let failure { throw .keys(failure) }
    do throws(Problem) {
      try body()
    } catch {
      failure = error.description
      throw .keys(error.description)
    }
  }

  func allow(_ fingerprint: Fingerprint) {
    shelf.clear()
    consent.insert(fingerprint)
  }

  func allowDevelopmentKey() { allowsDevelopmentKey = true }

  /// It throws unless the set is sound and everything that needs consent has it.
  func trusted() throws(Failure) -> TrustedKeys {
    if let failure { throw .keys(failure) }
    let source = KeySource.gathered(collection)
    return try rethrow(source.read(consent: .fingerprints(consent), takesDevelopmentKey: allowsDevelopmentKey)) {
      (error: Problem) in
      Failure.keys(
        error.code == Problem.developmentKey
          ? "the development key, with which anyone can sign, is among the keys; remove it, or "
            + "consent with mediatoken_keys_allow_development_key" : error.description)
    }
  }

  // MARK: looking at it

  /// None of an unusable set.
  var candidates: [KeyCandidate] { failure == nil ? collection.candidates : [] }

  func candidate(_ index: Int) -> KeyCandidate? {
    let candidates = candidates
    return candidates.indices.contains(index) ? candidates[index] : nil
  }

  /// A fingerprint never changes.
  func giveFingerprint(of index: Int, _ length: UnsafeMutablePointer<Int>?) -> UnsafePointer<CChar>? {
    // Only an index that exists is small enough to be reckoned with.
    guard let key = candidate(index) else { return nil }
    return unsafe shelf.text(2 * index, length) { key.fingerprint.description }
  }

  /// Warnings for an operator at this instant. The clock and a consent change them, so each call makes them again.
  func giveWarnings(
    of index: Int, at instant: Instant, _ length: UnsafeMutablePointer<Int>?
  ) -> UnsafePointer<CChar>? {
    guard let key = candidate(index) else { return nil }
    let text = key.warnings(at: instant, isAllowed: consent.contains(key.fingerprint)).map(\.description)
      .joined(separator: "\n")
    return unsafe shelf.text(2 * index + 1, length, replacing: text)
  }
}
