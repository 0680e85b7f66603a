internal import CLibCrypto
package import MediaToken
internal import MediaTokenSystem

/// An RSA key pair that signs tokens for development, tests and load.
///
/// - Warning: Adobe alone issues real tokens. A verifier that serves viewers must not trust a key made here.
package struct DevelopmentKeyPair: Sendable {
  /// Owns both halves: an EVP_PKEY of a private key has the public one in it.
  let key: RSAPublicKey

  /// The verifier's name of this key.
  package var fingerprint: Fingerprint { key.fingerprint }

  package var modulusBits: Int { key.modulusBits }

  /// The key pair in a PEM text: PKCS#8 or PKCS#1, not encrypted, 1024 to 4096 bits.
  package init(privateKeyPEM pem: Span<UInt8>) throws(Problem) {
    key = try unsafe Self.owner { (library, errors) throws(Problem) in
      // SAFETY: the BIO only reads the span and is freed before the span ends. The callback asks for no
      // password: without it OpenSSL would prompt on the terminal.
      let key = unsafe pem.withUnsafeBufferPointer { pem -> OpaquePointer? in
        guard let bio = unsafe BIO_new_mem_buf(pem.baseAddress, Int32(clamping: pem.count)) else { return nil }
        defer { unsafe BIO_free(bio) }
        return unsafe PEM_read_bio_PrivateKey_ex(bio, nil, { _, _, _, _ in -1 }, nil, library.context, nil)
      }
      guard let key = unsafe key else {
        if errors.cause() == .outOfMemory { throw Problem(.outOfMemory) }
        let isEncrypted = pem.indices.contains { pem.extracting($0...).begins(with: "ENCRYPTED") }
        throw isEncrypted
          ? Problem(
            "the private key has a pass phrase",
            cure: "make a copy without one with: openssl pkey -in KEY.pem -out PLAIN.pem")
          : Problem(
            "not an RSA private key in PEM (BEGIN PRIVATE KEY or BEGIN RSA PRIVATE KEY)",
            cure: "convert DER with: openssl pkey -inform DER -in KEY.der -out KEY.pem")
      }
      guard unsafe EVP_PKEY_is_a(key, "RSA") == 1 else {
        unsafe EVP_PKEY_free(key)
        throw Problem(
          "expected an RSA key, found one of another algorithm", cure: "make one with: mediatoken keys generate")
      }
      return unsafe key
    }
    let sizes = Limits.consentedModulusBits...Limits.largestModulusBits
    guard sizes.contains(modulusBits) else { throw Self.size(modulusBits, sizes) }
  }

  private static func size(_ found: Int, _ allowed: ClosedRange<Int>) -> Problem {
    Problem(
      "expected an RSA key of \(allowed.lowerBound) to \(allowed.upperBound) bits in whole bytes, found \(found)")
  }

  /// A new key pair of a size that verifiers trust without further consent: 2048 to 4096, a multiple of 8.
  package static func generate(modulusBits: Int = 2048) throws(Problem) -> DevelopmentKeyPair {
    try DevelopmentKeyPair(bits: modulusBits, of: Limits.ordinaryModulusBits...Limits.largestModulusBits)
  }

  /// A new key pair of 1024 bits, the size of Adobe's production key, for tests of the consent to weak keys.
  ///
  /// - Warning: RSA-1024 is within reach of a well-funded attacker.
  package static func generateWeak1024BitsForTests() throws(Problem) -> DevelopmentKeyPair {
    try DevelopmentKeyPair(bits: 1024, of: 1024...1024)
  }

  /// A new key pair from the system's randomness, e = 65537.
  init(bits: Int, of sizes: ClosedRange<Int>) throws(Problem) {
    guard sizes.contains(bits), bits.isMultiple(of: 8) else { throw Self.size(bits, sizes) }
    key = try unsafe Self.owner { (library, _) throws(Problem) in
      guard let context = unsafe EVP_PKEY_CTX_new_from_name(library.context, "RSA", nil) else {
        throw Problem(.outOfMemory)
      }
      defer { unsafe EVP_PKEY_CTX_free(context) }
      var key: OpaquePointer?
      guard unsafe EVP_PKEY_keygen_init(context) == 1,
        unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits)) == 1,
        unsafe EVP_PKEY_generate(context, &key) == 1,
        let made = unsafe key
      else { throw Problem(.internalFault) }
      return unsafe made
    }
  }

  /// The owner of what `make` makes; the thread's OpenSSL error queue stays as it was.
  private static func owner(
    of make: (CryptoLibrary, QueuedErrors) throws(Problem) -> OpaquePointer
  ) throws(Problem) -> RSAPublicKey {
    let library = try Problem.ofOpenSSL(CryptoLibrary.load())
    return try keepingErrorQueue { (errors) throws(Problem) in
      let key = try unsafe make(library, errors)
      return try Problem.ofOpenSSL(unsafe RSAPublicKey(takingOwnershipOf: key))
    }
  }

  /// SubjectPublicKeyInfo in PEM: a verifier's form.
  package func publicKeyPEM() throws(Problem) -> String { try Problem.ofOpenSSL(key.pem()) }

  /// Lends the private key as unencrypted PKCS#8 in PEM to `body`; the text is overwritten afterwards. An error of `body`
  /// is in the result.
  package func withPrivateKeyPEM<Value, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Value
  ) throws(Problem) -> Result<Value, Failure> {
    let text = try Problem.ofOpenSSL(MemoryBIO())
    // SAFETY: the call writes to the BIO and keeps nothing.
    let isWritten = keepingErrorQueue { _ in
      unsafe PEM_write_bio_PKCS8PrivateKey(text.bio, key.key, nil, nil, 0, nil, nil) == 1
    }
    guard isWritten else { throw Problem(.internalFault) }
    return Result { () throws(Failure) in try body(text.span) }
  }
}
