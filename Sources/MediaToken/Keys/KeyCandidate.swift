internal import MediaTokenSystem

/// A sound RSA public key that was found where trusted keys are read; it may lack consent.
///
/// For `keys list`, which shows a weak key so that an operator can consent to it. It vouches for nothing.
package struct KeyCandidate: Sendable {
  /// The first of several places.
  package let origin: KeyOrigin
  /// The facts of the certificate that the key came in.
  package let certificate: CertificateFacts?
  let publicKey: RSAPublicKey
  /// The facts of other certificates around the same key.
  private(set) var otherCertificates: [CertificateFacts] = []

  /// The SHA-256 of its re-encoded SubjectPublicKeyInfo.
  package var fingerprint: Fingerprint { publicKey.fingerprint }

  package var modulusBits: Int { publicKey.modulusBits }

  /// True if the key is trusted only by consent.
  package var needsConsent: Bool { modulusBits < Limits.ordinaryModulusBits }

  /// Checks that the key is sound (<doc:TokenFormat>, "Signature").
  init(checking found: FoundKey) throws(Problem) {
    let key = found.key
    let bits = Limits.consentedModulusBits...Limits.largestModulusBits
    guard bits.contains(key.modulusBits) else { throw .modulusBits(key.modulusBits) }
    guard let exponent = key.exponent, exponent >= 65_537, !exponent.isMultiple(of: 2) else {
      throw Problem("the public exponent is not an odd number from 65537 to 64 bits")
    }
    let isSound = try Problem.ofReading(key.hasSoundModulus())
    guard isSound else { throw Problem("the modulus is even, prime or has a small factor") }
    publicKey = key
    origin = found.origin
    certificate = found.certificate
  }

  /// The same key was found once more.
  mutating func add(_ found: FoundKey) {
    if let certificate = found.certificate { otherCertificates.append(certificate) }
  }

  /// The warnings decide nothing. `isAllowed`: the key has consent, should it need that.
  package func warnings(at instant: Instant, isAllowed: Bool) -> [KeyWarning] {
    var warnings: [KeyWarning] = []
    if fingerprint == DevelopmentKey.fingerprint { warnings.append(.developmentKey) }
    if needsConsent {
      warnings.append(isAllowed ? .weakModulus(bits: modulusBits) : .weakModulusNotAllowed(bits: modulusBits))
    }
    guard let certificate else { return warnings }
    if certificate.notBefore == nil || certificate.notAfter == nil { warnings.append(.certificateDatesUnreadable) }
    if let end = certificate.notAfter, end < instant { warnings.append(.certificateExpired(end)) }
    if let start = certificate.notBefore, instant < start { warnings.append(.certificateNotYetValid(start)) }
    if !certificate.allowsSignatures { warnings.append(.certificateForbidsSignatures) }
    if certificate.isAuthority { warnings.append(.certificateOfAuthority) }
    return warnings
  }

  /// A PEM block `PUBLIC KEY`, with a final newline.
  package func pem() throws(Fault) -> String { try publicKey.pem() }
}

extension Problem {
  /// A size that no consent admits, or none did.
  static func modulusBits(_ bits: Int) -> Problem {
    Problem(
      "expected an RSA key of \(Limits.ordinaryModulusBits) to \(Limits.largestModulusBits) bits, found \(bits)")
  }
}

/// A public key as it was found, before any check of its numbers.
struct FoundKey {
  let key: RSAPublicKey
  let certificate: CertificateFacts?
  let origin: KeyOrigin
}
