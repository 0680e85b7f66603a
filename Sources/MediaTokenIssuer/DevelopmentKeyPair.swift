package import MediaToken
internal import MediaTokenSystem

/// An RSA key pair that signs tokens for development, tests and load.
///
/// - Warning: Adobe alone issues real tokens. A verifier that serves viewers must not trust a key made here.
package struct DevelopmentKeyPair: Sendable {
  let privateKey: RSAPrivateKey

  /// What a verifier calls this key.
  package let fingerprint: Fingerprint

  /// The modulus' length in bits.
  package var modulusBits: Int { privateKey.modulusBits }

  /// The key pair in a PEM text: PKCS#8 or PKCS#1, not encrypted, 1024 to 4096 bits.
  ///
  /// - Throws: ``IssuerError``.
  package init(privateKeyPEM pem: Span<UInt8>) throws(IssuerError) {
    let key = try RSAPrivateKey(pem: pem)
    let sizes = Limits.consentedModulusBits...Limits.largestModulusBits
    guard sizes.contains(key.modulusBits) else { throw .modulusBits(found: key.modulusBits, allowed: sizes) }
    try self.init(key)
  }

  /// A new key pair of a size that verifiers trust without further consent.
  ///
  /// - Parameter modulusBits: 2048 to 4096, a multiple of 8.
  /// - Throws: ``IssuerError/modulusBits(found:allowed:)`` for another size, or `.fault`.
  package static func generate(modulusBits: Int = 2048) throws(IssuerError) -> DevelopmentKeyPair {
    try generate(modulusBits, of: Limits.ordinaryModulusBits...Limits.largestModulusBits)
  }

  /// A new key pair of 1024 bits, the size of Adobe's production key, for tests of the consent to weak keys.
  ///
  /// - Warning: RSA-1024 is within reach of a well-funded attacker.
  package static func generateWeak1024BitsForTests() throws(IssuerError) -> DevelopmentKeyPair {
    try generate(1024, of: 1024...1024)
  }

  /// The public key as SubjectPublicKeyInfo in PEM: what a verifier is given.
  package func publicKeyPEM() throws(IssuerError) -> String {
    try rethrow(privateKey.publicPEM(), as: IssuerError.fault)
  }

  /// Lends the private key as unencrypted PKCS#8 in PEM to `body`; the text is overwritten afterwards.
  ///
  /// - Throws: ``IssuerError/fault(_:)``; what `body` throws is in the result.
  package func withPrivateKeyPEM<Value, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Value
  ) throws(IssuerError) -> Result<Value, Failure> {
    try rethrow(privateKey.withPrivatePEM(body), as: IssuerError.fault)
  }

  private init(_ key: RSAPrivateKey) throws(IssuerError) {
    privateKey = key
    fingerprint = try rethrow(key.fingerprint(), as: IssuerError.fault)
  }

  private static func generate(
    _ bits: Int, of sizes: ClosedRange<Int>
  ) throws(IssuerError) -> DevelopmentKeyPair {
    guard sizes.contains(bits), bits.isMultiple(of: 8) else {
      throw .modulusBits(found: bits, allowed: sizes)
    }
    return try DevelopmentKeyPair(RSAPrivateKey(generatingBits: bits))
  }
}
