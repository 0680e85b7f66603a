/// An RSA public key that may vouch for tokens. Only ``TrustedKeys`` makes one.
package struct TrustedKey: Sendable {
  private let candidate: KeyCandidate

  /// The SHA-256 of its re-encoded SubjectPublicKeyInfo.
  package var fingerprint: Fingerprint { candidate.fingerprint }

  package var modulusBits: Int { candidate.modulusBits }

  /// The first of several places.
  package var origin: KeyOrigin { candidate.origin }

  /// The facts of the certificate that the key came in.
  package var certificate: CertificateFacts? { candidate.certificate }

  var publicKey: RSAPublicKey { candidate.publicKey }

  init(_ candidate: KeyCandidate, consent: WeakKeyConsent) throws(Problem) {
    if let error = consent.objection(to: candidate) { throw error }
    self.candidate = candidate
  }

  /// The warnings decide nothing.
  package func warnings(at instant: Instant) -> [KeyWarning] {
    candidate.warnings(at: instant, isAllowed: true)
  }

  /// A PEM block `PUBLIC KEY`, with a final newline.
  package func pem() throws(Fault) -> String { try candidate.pem() }
}
