/// An RSA public key that may vouch for tokens.
public struct TrustedKey: Sendable {
  /// What the key is called: the SHA-256 of its re-encoded SubjectPublicKeyInfo.
  public var fingerprint: Fingerprint { publicKey.fingerprint }

  /// The modulus' length in bits.
  public var modulusBits: Int { publicKey.modulusBits }

  let publicKey: RSAPublicKey
}
