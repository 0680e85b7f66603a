internal import MediaToken

/// What a `mediatoken_keys` is: keys that are gathered, and consent to some of them.
final class KeySet {
  private var collection = KeyCollection(keystorePassword: nil)
  private var consent: Set<Fingerprint> = []
  private var allowsDevelopmentKey = false
  /// The sentence of the first failure. A set is read whole or not at all.
  private var failure: String?
  private var shelf = TextShelf()

  func add(readingFile path: [UInt8]) throws(Failure) {
    try add { () throws(KeyError) in try collection.add(readingFile: path) }
  }

  func add(parsing file: KeyFile) throws(Failure) {
    try add { () throws(KeyError) in try collection.add(parsing: file) }
  }

  private func add(_ body: () throws(KeyError) -> Void) throws(Failure) {
    shelf.clear()
    if let failure { throw .keys(failure) }
    do throws(KeyError) {
      try body()
    } catch {
      failure = error.description
      throw .keys(error.description)
    }
  }

  func allow(_ fingerprint: Fingerprint) { consent.insert(fingerprint) }

  func allowDevelopmentKey() { allowsDevelopmentKey = true }

  /// The keys, if the set is sound and everything that needs consent has it.
  func trusted() throws(Failure) -> TrustedKeys {
    if let failure { throw .keys(failure) }
    let trusted: TrustedKeys
    do throws(KeyError) {
      trusted = try TrustedKeys(collection, consent: .fingerprints(consent))
    } catch {
      throw .keys(error.description)
    }
    guard allowsDevelopmentKey || !trusted.keys.contains(where: { $0.fingerprint == DevelopmentKey.fingerprint })
    else {
      throw .keys(
        "expected keys that nobody else has, found the development key, with which anybody can sign; remove it, or "
          + "consent with mediatoken_keys_allow_development_key")
    }
    return trusted
  }

  // MARK: looking at it

  /// The keys so far; none of an unusable set.
  var candidates: [KeyCandidate] { failure == nil ? collection.candidates : [] }

  /// One of them.
  func candidate(_ index: Int) -> KeyCandidate? {
    let candidates = candidates
    return candidates.indices.contains(index) ? candidates[index] : nil
  }

  /// Which text of a key.
  enum Text: Int {
    case fingerprint
    case warnings
  }

  /// A text of a key for C, made by `make`.
  func give(
    _ text: Text, of index: Int, _ length: UnsafeMutablePointer<Int>?, _ make: (KeyCandidate) -> String
  ) -> UnsafePointer<CChar>? {
    let place = candidate(index) == nil ? -1 : index * 2 + text.rawValue
    return unsafe shelf.text(place, length) { candidate(index).map(make) }
  }

  /// Warnings change with the clock: they are made anew each time.
  func forgetTexts() { shelf.clear() }
}
