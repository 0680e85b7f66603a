/// Gathers the keys of one set, each once. Whoever drops it on an error has read nothing.
struct KeyCollection {
  private let keystorePassword: String?
  private var candidates: [KeyCandidate] = []
  private var fingerprints: Set<Fingerprint> = []

  init(keystorePassword: String?) {
    self.keystorePassword = keystorePassword
  }

  /// Adds every key of one file.
  mutating func add(_ file: [UInt8], origin: KeyOrigin) throws(KeyError) {
    try KeyContent.forEachKey(in: file, origin, keystorePassword: keystorePassword) { (key) throws(KeyError) in
      try add(key)
    }
  }

  /// The keys in the order in which they were found.
  ///
  /// - Throws: ``KeyError/Reason/nothingNamed`` if no file was added; a file without a key is its own error.
  consuming func complete() throws(KeyError) -> [KeyCandidate] {
    guard !candidates.isEmpty else { throw KeyError(origin: KeyOrigin(name: []), reason: .nothingNamed) }
    return candidates
  }

  private mutating func add(_ found: FoundKey) throws(KeyError) {
    // A key that is there already costs no second check, so a file full of one key is cheap.
    guard !fingerprints.contains(found.key.fingerprint) else { return }
    let candidate = try found.origin.blamed { () throws(KeyError.Reason) in try KeyCandidate(checking: found) }
    guard candidates.count < Limits.trustedKeys else { throw KeyError(origin: found.origin, reason: .tooManyKeys) }
    fingerprints.insert(candidate.fingerprint)
    candidates.append(candidate)
  }
}

extension KeyOrigin {
  /// Runs `body`; what it throws becomes a ``KeyError`` that names this place.
  func blamed<Value: ~Copyable>(_ body: () throws(KeyError.Reason) -> Value) throws(KeyError) -> Value {
    do throws(KeyError.Reason) {
      return try body()
    } catch {
      throw KeyError(origin: self, reason: error)
    }
  }
}
