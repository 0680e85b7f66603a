internal import MediaTokenSystem

/// A sound RSA public key that was found where trusted keys are read; it may lack consent.
///
/// For `keys list`, which shows a weak key so that an operator can consent to it. It vouches for nothing.
package struct KeyCandidate: Sendable {
  /// Where it was found; of several places the first.
  package let origin: KeyOrigin
  /// What the certificate around it says, if it came in one.
  package let certificate: CertificateFacts?
  let publicKey: RSAPublicKey
  /// What other certificates around the same key say.
  private(set) var otherCertificates: [CertificateFacts] = []

  /// What the key is called: the SHA-256 of its re-encoded SubjectPublicKeyInfo.
  package var fingerprint: Fingerprint { publicKey.fingerprint }

  /// The modulus' length in bits.
  package var modulusBits: Int { publicKey.modulusBits }

  /// Whether the key is trusted only by consent.
  package var needsConsent: Bool { modulusBits < Limits.ordinaryModulusBits }

  /// Checks that the key is sound (<doc:TokenFormat>, "Signature").
  ///
  /// - Throws: ``KeyError/Reason/modulusBits(_:)``, ``KeyError/Reason/exponent``, ``KeyError/Reason/modulus`` or
  ///   ``KeyError/Reason/fault(_:)``.
  init(checking found: FoundKey) throws(KeyError.Reason) {
    let key = found.key
    let bits = Limits.consentedModulusBits...Limits.largestModulusBits
    guard bits.contains(key.modulusBits) else { throw .modulusBits(key.modulusBits) }
    guard let exponent = key.exponent, exponent >= 65_537, !exponent.isMultiple(of: 2) else { throw .exponent }
    let isSound = try rethrow(key.hasSoundModulus(), as: KeyError.Reason.fault)
    guard isSound else { throw .modulus }
    publicKey = key
    origin = found.origin
    certificate = found.certificate
  }

  /// Notes that the same key was found once more.
  mutating func add(_ found: FoundKey) {
    if let certificate = found.certificate { otherCertificates.append(certificate) }
  }

  /// What an operator should know about the key at this instant. It decides nothing.
  ///
  /// - Parameter isAllowed: whether the key has consent, should it need that.
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

  /// The key as a PEM block `PUBLIC KEY`, with a final newline.
  ///
  /// - Throws: ``Refusal/Fault/outOfMemory`` or ``Refusal/Fault/internalFault`` if OpenSSL can't encode it.
  package func pem() throws(Fault) -> String { try publicKey.pem() }
}

/// A public key as it was found, before any check of its numbers.
struct FoundKey {
  let key: RSAPublicKey
  let certificate: CertificateFacts?
  let origin: KeyOrigin
}
