public import MediaToken

/// An RSA key pair that signs tokens for development, tests and load.
///
/// - Warning: Adobe alone issues real tokens. A verifier that serves viewers must not trust a key made here.
public struct DevelopmentKeyPair: Sendable {
  let privateKey: RSAPrivateKey

  /// What a verifier calls this key.
  public let fingerprint: Fingerprint

  /// The modulus' length in bits.
  public var modulusBits: Int { privateKey.modulusBits }

  /// The key pair in a PEM text: PKCS#8 or PKCS#1, not encrypted, 1024 to 4096 bits.
  ///
  /// - Throws: ``DevelopmentKeyError``.
  public init(privateKeyPEM pem: Span<UInt8>) throws(DevelopmentKeyError) {
    let key = try RSAPrivateKey(pem: pem)
    let sizes = Limits.consentedModulusBits...Limits.largestModulusBits
    guard sizes.contains(key.modulusBits) else { throw .modulusBits(found: key.modulusBits, allowed: sizes) }
    try self.init(key)
  }

  /// A new key pair of a size that verifiers trust without further consent.
  ///
  /// - Parameter modulusBits: 2048 to 4096, a multiple of 8.
  /// - Throws: ``DevelopmentKeyError/modulusBits(found:allowed:)`` for another size, or `.fault`.
  public static func generate(modulusBits: Int = 2048) throws(DevelopmentKeyError) -> DevelopmentKeyPair {
    try generate(modulusBits, of: Limits.ordinaryModulusBits...Limits.largestModulusBits)
  }

  /// A new key pair of 1024 bits, the size of Adobe's production key, for tests of the consent to weak keys.
  ///
  /// - Warning: RSA-1024 is within reach of a well-funded attacker.
  public static func generateWeak1024BitsForTests() throws(DevelopmentKeyError) -> DevelopmentKeyPair {
    try generate(1024, of: 1024...1024)
  }

  /// The public key as SubjectPublicKeyInfo in PEM: what a verifier is given.
  public func publicKeyPEM() throws(DevelopmentKeyError) -> String {
    try onFault { () throws(Fault) in try privateKey.publicPEM() }
  }

  /// Lends the private key as unencrypted PKCS#8 in PEM to `body`; the text is overwritten afterwards.
  ///
  /// - Throws: ``DevelopmentKeyError/fault(_:)``; what `body` throws is in the result.
  public func withPrivateKeyPEM<Value, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Value
  ) throws(DevelopmentKeyError) -> Result<Value, Failure> {
    try onFault { () throws(Fault) in try privateKey.withPrivatePEM(body) }
  }

  private init(_ key: RSAPrivateKey) throws(DevelopmentKeyError) {
    privateKey = key
    fingerprint = try onFault { () throws(Fault) in try key.fingerprint() }
  }

  private static func generate(
    _ bits: Int, of sizes: ClosedRange<Int>
  ) throws(DevelopmentKeyError) -> DevelopmentKeyPair {
    guard sizes.contains(bits), bits.isMultiple(of: 8) else {
      throw .modulusBits(found: bits, allowed: sizes)
    }
    return try DevelopmentKeyPair(RSAPrivateKey(generatingBits: bits))
  }
}

/// Why there is no ``DevelopmentKeyPair``.
public enum DevelopmentKeyError: Error, Sendable, Hashable, CustomStringConvertible {
  /// No private key in PEM.
  case notAPrivateKey
  /// A private key that needs a pass phrase.
  case encrypted
  /// A private key of another algorithm.
  case notRSA
  /// A size that is not accepted.
  case modulusBits(found: Int, allowed: ClosedRange<Int>)
  /// The two halves do not belong together: the file is damaged.
  case halvesDisagree
  /// Something on our side failed.
  case fault(Fault)

  public var description: String {
    switch self {
    case .notAPrivateKey:
      "expected an RSA private key in PEM (BEGIN PRIVATE KEY or BEGIN RSA PRIVATE KEY); "
        + "convert DER with: openssl pkey -inform DER -in KEY.der -out KEY.pem"
    case .encrypted:
      "expected a private key without a pass phrase; make a copy with: openssl pkey -in KEY.pem -out PLAIN.pem"
    case .notRSA: "expected an RSA key, found another algorithm; make one with: mediatoken keys generate"
    case .modulusBits(let found, let allowed):
      "expected an RSA key of \(allowed.lowerBound) to \(allowed.upperBound) bits in whole bytes, found \(found)"
    case .halvesDisagree: "expected the two halves of one key, found a private key that its public half denies"
    case .fault(let fault): "OpenSSL could not do its part (\(fault.answer.wireName))"
    }
  }
}

/// What `body` returns; a fault that it throws becomes ``DevelopmentKeyError/fault(_:)``.
func onFault<Value: ~Copyable>(_ body: () throws(Fault) -> Value) throws(DevelopmentKeyError) -> Value {
  do throws(Fault) { return try body() } catch { throw .fault(error) }
}
