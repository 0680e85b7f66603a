internal import MediaTokenSystem

/// Consent to RSA keys of 1024 to 2047 bits, given to each key by its fingerprint.
///
/// Adobe's production key has 1024 bits. Larger keys need no consent, smaller ones get none.
package struct WeakKeyConsent: Sendable, Hashable {
  private let choice: Choice
  /// True if consent is given by a parameter of `TokenVerifier`, and not by an option.
  private let isParameter: Bool

  private enum Choice: Sendable, Hashable {
    case given(Set<GivenFingerprint>)
    case any
  }

  private init(_ choice: Choice, isParameter: Bool = false) {
    (self.choice, self.isParameter) = (choice, isParameter)
  }

  package static let none = WeakKeyConsent(.given([]))

  package static func fingerprints(_ fingerprints: Set<Fingerprint>) -> WeakKeyConsent {
    given(Set(fingerprints.map(GivenFingerprint.sha256)))
  }

  /// The same, where an application gives it.
  static func parameter(_ fingerprints: [Fingerprint]) -> WeakKeyConsent {
    WeakKeyConsent(.given(Set(fingerprints.map(GivenFingerprint.sha256))), isParameter: true)
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
  package func objection(to key: KeyCandidate) -> Problem? {
    guard key.needsConsent, case .given(let given) = choice, !given.contains(.sha256(key.fingerprint)) else {
      return nil
    }
    let certificates = [key.certificate].compactMap(\.self) + key.otherCertificates
    let isCertificates = certificates.contains {
      given.contains(.sha256($0.sha256)) || given.contains(.sha1($0.sha1))
    }
    let problem = isCertificates ? Problem.consentToCertificate(key.fingerprint) : consentMissing(key)
    return problem.about("\(key.origin)")
  }

  private func consentMissing(_ key: KeyCandidate) -> Problem {
    let consent = isParameter ? "consent: [\"\(key.fingerprint)\"]" : Self.option(key.fingerprint)
    return Problem(
      isParameter ? "the key has only \(key.modulusBits) bits" : Problem.modulusBits(key.modulusBits).fact,
      cure: "if it is the right one, consent to it by its fingerprint: \(consent)", code: Problem.consentMissing)
  }

  /// The fault of the consent whatever the keys are.
  package var objection: Problem? {
    guard case .given(let given) = choice, given.contains(where: \.isSHA1) else { return nil }
    return Problem(
      "a fingerprint of 40 digits was allowed, which is a SHA-1, as of a certificate",
      cure: "a key's has 64: mediatoken keys list --keys PATH shows both")
  }

  /// The option to paste after a command: consent to this key.
  package static func option(_ fingerprint: Fingerprint) -> String { "--allow-rsa-1024 \(fingerprint)" }
}

extension Problem {
  /// The code of a weak key without consent.
  package static let consentMissing = "consentMissing"
  /// The code of a weak key for whose certificate, and not for the key, there is consent.
  package static let consentToCertificate = "consentToCertificate"

  static func consentToCertificate(_ key: Fingerprint) -> Problem {
    Problem(
      "the fingerprint that was allowed is the certificate's",
      cure: "the key's is \(key): if it is the right one, consent to it: \(WeakKeyConsent.option(key))",
      code: Self.consentToCertificate)
  }
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
