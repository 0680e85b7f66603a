internal import MediaTokenSystem

/// Consent to RSA keys of 1024 to 2047 bits, given to each key by its fingerprint.
///
/// Adobe's production key has 1024 bits. Larger keys need no consent, smaller ones get none.
package struct WeakKeyConsent: Sendable, Hashable {
  private let choice: Choice

  private enum Choice: Sendable, Hashable {
    case given(Set<GivenFingerprint>)
    case any
  }

  private init(_ choice: Choice) { self.choice = choice }

  package static let none = WeakKeyConsent(.given([]))

  package static func fingerprints(_ fingerprints: Set<Fingerprint>) -> WeakKeyConsent {
    given(Set(fingerprints.map(GivenFingerprint.sha256)))
  }

  /// The fingerprints are as an operator gave them; a SHA-1 among them is refused with the key's fingerprint.
  package static func given(_ fingerprints: Set<GivenFingerprint>) -> WeakKeyConsent {
    WeakKeyConsent(.given(fingerprints))
  }

  /// Every weak key is trusted.
  ///
  /// - Warning: For the command line only, where a person looks at the answer.
  package static let any = WeakKeyConsent(.any)

  /// Nil if the key is trusted.
  package func objection(to key: KeyCandidate) -> KeyError? {
    guard key.needsConsent, case .given(let given) = choice, !given.contains(.sha256(key.fingerprint)) else {
      return nil
    }
    let certificates = [key.certificate].compactMap(\.self) + key.otherCertificates
    let isCertificates = certificates.contains {
      given.contains(.sha256($0.sha256)) || given.contains(.sha1($0.sha1))
    }
    return KeyError(
      origin: key.origin,
      reason: isCertificates
        ? .consentToCertificate(key.fingerprint) : .consentMissing(key.fingerprint, modulusBits: key.modulusBits))
  }

  /// The fault of the consent whatever the keys are.
  package var objection: KeyError? {
    guard case .given(let given) = choice, given.contains(where: \.isSHA1) else { return nil }
    return KeyError(origin: KeyOrigin(name: []), reason: .consentToSHA1)
  }

  /// The option to paste after a command: consent to this key.
  package static func option(_ fingerprint: Fingerprint) -> String { "--allow-rsa-1024 \(fingerprint)" }
}

/// A fingerprint as an operator gives it: a key's, or by mistake a certificate's.
package enum GivenFingerprint: Sendable, Hashable {
  case sha256(SHA256Digest)
  /// 40 digits in lower case. No key has such a fingerprint.
  case sha1(String)

  /// 64 or 40 hexadecimal digits in any case, with or without colons; nil for anything else.
  package init?(hexadecimal text: String) {
    if let digest = SHA256Digest(hexadecimal: text) {
      self = .sha256(digest)
      return
    }
    let digits = text.utf8.filter { $0 != UInt8(ascii: ":") }
    guard digits.count == 40, digits.allSatisfy({ Hexadecimal.value(ofDigit: $0) != nil }) else { return nil }
    self = .sha1(String(decoding: digits, as: UTF8.self).lowercased())
  }

  fileprivate var isSHA1: Bool { if case .sha1 = self { true } else { false } }
}
