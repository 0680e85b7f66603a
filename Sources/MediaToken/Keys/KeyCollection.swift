internal import MediaTokenSystem

/// Gathers the keys of one set, each once. One that is dropped on an error has read nothing.
package struct KeyCollection: Sendable, Redacted {
  private let keystorePassword: String?
  /// In the order in which they were found, with consent or without.
  package private(set) var candidates: [KeyCandidate] = []

  /// The password guards nothing but a checksum of JKS keystores.
  package init(keystorePassword: String?) {
    self.keystorePassword = keystorePassword
  }

  /// Adds the keys of a file, or of those files in a folder that are read.
  package mutating func add(readingFile path: [UInt8]) throws(KeyError) {
    try KeyFolder.read(path) { (name, bytes) throws(KeyError) in
      try add(bytes, origin: KeyOrigin(name: name))
    }
  }

  package mutating func add(parsing file: KeyFile) throws(KeyError) {
    let origin = KeyOrigin(name: Array(file.name.utf8))
    guard file.bytes.count <= Limits.keyFileBytes else {
      throw KeyError(origin: origin, reason: .tooLarge(bytes: file.bytes.count))
    }
    try add(file.bytes, origin: origin)
  }

  private mutating func add(_ file: [UInt8], origin: KeyOrigin) throws(KeyError) {
    try KeyContent.forEachKey(in: file, origin, keystorePassword: keystorePassword) { (key) throws(KeyError) in
      try add(key)
    }
  }

  /// In the order in which they were found. An error if no file was added; a file without a key is its own error.
  consuming func complete() throws(KeyError) -> [KeyCandidate] {
    guard !candidates.isEmpty else { throw KeyError(origin: KeyOrigin(name: []), reason: .nothingNamed) }
    return candidates
  }

  private mutating func add(_ found: FoundKey) throws(KeyError) {
    // A key that is there already costs no second check, so a file full of one key is cheap.
    if let index = candidates.firstIndex(where: { $0.fingerprint == found.key.fingerprint }) {
      candidates[index].add(found)
      return
    }
    let candidate = try found.origin.blamed { () throws(KeyError.Reason) in try KeyCandidate(checking: found) }
    guard candidates.count < Limits.trustedKeys else { throw KeyError(origin: found.origin, reason: .tooManyKeys) }
    candidates.append(candidate)
  }
}

extension KeyOrigin {
  /// An error of `body` becomes one that names this place.
  func blamed<Value: ~Copyable>(_ body: () throws(KeyError.Reason) -> Value) throws(KeyError) -> Value {
    try rethrow(body()) { (error: KeyError.Reason) in KeyError(origin: self, reason: error) }
  }
}

package struct KeyFile: Sendable {
  /// The name in messages.
  package let name: String
  package let bytes: [UInt8]

  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}
