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
  package mutating func add(readingFile path: [UInt8]) throws(Problem) {
    try KeyFolder.read(path) { (name, bytes) throws(Problem) in
      try add(bytes, origin: KeyOrigin(name: name))
    }
  }

  package mutating func add(parsing file: KeyFile) throws(Problem) {
    let origin = KeyOrigin(name: Array(file.name.utf8))
    guard file.bytes.count <= Limits.keyFileBytes else {
      throw Problem.tooLarge(file.bytes.count).about("\(origin)")
    }
    try add(file.bytes, origin: origin)
  }

  private mutating func add(_ file: [UInt8], origin: KeyOrigin) throws(Problem) {
    try KeyContent.forEachKey(in: file, origin, keystorePassword: keystorePassword) { (key) throws(Problem) in
      try add(key)
    }
  }

  /// In the order in which they were found. An error if no file was added; a file without a key is its own error.
  consuming func complete() throws(Problem) -> [KeyCandidate] {
    guard !candidates.isEmpty else { throw .nothingNamed }
    return candidates
  }

  private mutating func add(_ found: FoundKey) throws(Problem) {
    // A key that is there already costs no second check, so a file full of one key is cheap.
    if let index = candidates.firstIndex(where: { $0.fingerprint == found.key.fingerprint }) {
      candidates[index].add(found)
      return
    }
    let candidate = try found.origin.blamed { () throws(Problem) in try KeyCandidate(checking: found) }
    guard candidates.count < Limits.trustedKeys else { throw .tooManyKeys }
    candidates.append(candidate)
  }
}

extension Problem {
  static var nothingNamed: Problem { Problem("no key file or folder is named") }
  static var tooManyKeys: Problem {
    Problem("there are more than \(Limits.trustedKeys) different keys", cure: "remove those that no longer sign")
  }
}

extension KeyOrigin {
  /// An error of `body` becomes one that names this place.
  func blamed<Value: ~Copyable>(_ body: () throws(Problem) -> Value) throws(Problem) -> Value {
    do throws(Problem) { return try body() } catch { throw error.about("\(self)") }
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
