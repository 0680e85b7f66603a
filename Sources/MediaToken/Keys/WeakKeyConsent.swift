/// Consent to RSA keys of 1024 to 2047 bits, given to each key by its fingerprint.
///
/// Adobe's production key has 1024 bits. Larger keys need no consent, smaller ones get none.
package struct WeakKeyConsent: Sendable, Hashable {
  private let choice: Choice

  private enum Choice: Sendable, Hashable {
    case fingerprints(Set<Fingerprint>)
    case any
  }

  private init(_ choice: Choice) { self.choice = choice }

  /// No weak key is trusted.
  package static let none = WeakKeyConsent(.fingerprints([]))

  /// The weak keys with these fingerprints are trusted, if they are found.
  package static func fingerprints(_ fingerprints: Set<Fingerprint>) -> WeakKeyConsent {
    WeakKeyConsent(.fingerprints(fingerprints))
  }

  /// Every weak key is trusted.
  ///
  /// - Warning: For the command line only, where a person looks at the answer.
  package static let any = WeakKeyConsent(.any)

  package func admits(_ fingerprint: Fingerprint) -> Bool {
    switch choice {
    case .any: true
    case .fingerprints(let fingerprints): fingerprints.contains(fingerprint)
    }
  }

  /// The option to paste after a command: consent to this key.
  package static func option(_ fingerprint: Fingerprint) -> String { "--allow-rsa-1024 \(fingerprint)" }
}
