/// An RSA public key that may vouch for tokens. Only ``TrustedKeys`` makes one.
package struct TrustedKey: Sendable {
  private let candidate: KeyCandidate

  /// What the key is called: the SHA-256 of its re-encoded SubjectPublicKeyInfo.
  package var fingerprint: Fingerprint { candidate.fingerprint }

  /// The modulus' length in bits.
  package var modulusBits: Int { candidate.modulusBits }

  /// Where it was found; of several places the first.
  package var origin: KeyOrigin { candidate.origin }

  /// What the certificate around it says, if it came in one.
  package var certificate: CertificateFacts? { candidate.certificate }

  var publicKey: RSAPublicKey { candidate.publicKey }

  /// Trusts the candidate.
  ///
  /// - Throws: ``KeyError`` with ``WeakKeyConsent/objection(to:)``.
  init(_ candidate: KeyCandidate, consent: WeakKeyConsent) throws(KeyError) {
    if let error = consent.objection(to: candidate) { throw error }
    self.candidate = candidate
  }

  /// What an operator should know about the key at this instant. It decides nothing.
  package func warnings(at instant: Instant) -> [KeyWarning] {
    candidate.warnings(at: instant, isAllowed: true)
  }

  /// The key as a PEM block `PUBLIC KEY`, with a final newline.
  ///
  /// - Throws: ``Refusal/Fault/outOfMemory`` or ``Refusal/Fault/internalFault`` if OpenSSL can't encode it.
  package func pem() throws(Fault) -> String { try candidate.pem() }
}
