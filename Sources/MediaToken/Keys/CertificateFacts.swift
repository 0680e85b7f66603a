/// What the certificate around a key says. It decides nothing: trust is the pinned key.
public struct CertificateFacts: Sendable, Hashable {
  /// Whom it names (RFC 4514), escaped for display.
  public let subject: String
  /// Who issued it (RFC 4514), escaped for display. This is not checked.
  public let issuer: String
  /// From when it is valid; nil if that is not a date.
  public let notBefore: Instant?
  /// The end of its validity; nil if that is not a date.
  public let notAfter: Instant?
  /// Whether its key may sign data: it has no key usage extension, or one with `digitalSignature`.
  public let allowsSignatures: Bool
  /// Whether it is the certificate of a certificate authority.
  public let isAuthority: Bool
}
