/// The statements of the certificate around a key. They decide nothing: trust is the pinned key.
package struct CertificateFacts: Sendable, Hashable {
  /// The name of its owner (RFC 4514), escaped for display.
  package let subject: String
  /// The name of its issuer (RFC 4514), escaped for display. This is not checked.
  package let issuer: String
  /// The beginning of its validity; nil if that is not a date.
  package let notBefore: Instant?
  /// The end of its validity; nil if that is not a date.
  package let notAfter: Instant?
  /// True if its key may sign data: it has no key usage extension, or one with `digitalSignature`.
  package let allowsSignatures: Bool
  package let isAuthority: Bool
  /// The SHA-256 of the certificate itself, which `keytool` and `openssl x509` print. It is no key's ``Fingerprint``.
  package let sha256: SHA256Digest
  /// Its SHA-1, which they print too: 40 lower-case hexadecimal digits.
  package let sha1: String
}
