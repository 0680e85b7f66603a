internal import CLibCrypto

/// Owner of an RSA public key, or of a key pair, which has the public key in it. Immutable, so any number of threads may use it at once.
@safe package final class RSAPublicKey: Sendable {
  // SAFETY: owned by this object and freed with it; nothing changes the key after init, and OpenSSL permits
  // concurrent reads of an EVP_PKEY (each thread has its own EVP_PKEY_CTX).
  /// The EVP_PKEY, for as long as this object lives.
  nonisolated(unsafe) package let key: OpaquePointer

  package let modulusBits: Int

  /// Also the length of a signature.
  package var modulusBytes: Int { (modulusBits + 7) / 8 }

  /// Nil if the exponent is longer than 64 bits.
  package let exponent: UInt64?

  /// The SHA-256 of the re-encoded SubjectPublicKeyInfo.
  package let fingerprint: Fingerprint

  /// The key must be an RSA key; it is freed with this object, also if init throws.
  package init(takingOwnershipOf key: OpaquePointer) throws(Fault) {
    unsafe self.key = key
    modulusBits = Int(unsafe EVP_PKEY_get_bits(key))
    // Until everything is known, init owns the key.
    do throws(Fault) {
      exponent = try unsafe Self.exponent(of: key)
      fingerprint = try unsafe Self.fingerprint(of: key)
    } catch {
      unsafe EVP_PKEY_free(key)
      throw error
    }
  }

  deinit { unsafe EVP_PKEY_free(key) }

  /// True if the modulus is odd, has no small factor and is not prime (EVP_PKEY_public_check(3)): some milliseconds of
  /// work, for keys that are read once.
  func hasSoundModulus() throws(Fault) -> Bool {
    let library = try CryptoLibrary.load()
    return try keepingErrorQueue { (errors) throws(Fault) in
      // SAFETY: the context is freed here; it holds its own reference to the key.
      guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(library.context, key, nil) else { throw .outOfMemory }
      defer { unsafe EVP_PKEY_CTX_free(context) }
      if unsafe EVP_PKEY_public_check(context) == 1 { return true }
      if errors.cause() == .outOfMemory { throw .outOfMemory }
      return false
    }
  }

  /// A PEM block `PUBLIC KEY`, with a final newline.
  package func pem() throws(Fault) -> String {
    let library = try CryptoLibrary.load()
    return try keepingErrorQueue { _ throws(Fault) in
      let output = try MemoryBIO()
      // SAFETY: the call writes to the BIO and keeps nothing.
      guard unsafe PEM_write_bio_PUBKEY_ex(output.bio, key, library.context, nil) == 1 else { throw .internalFault }
      return output.text
    }
  }

  private static func exponent(of key: OpaquePointer) throws(Fault) -> UInt64? {
    var exponent: OpaquePointer?
    // SAFETY: OpenSSL allocates the number; it is freed here, after it was read.
    guard unsafe EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_E, &exponent) == 1,
      let exponent = unsafe exponent
    else { throw .internalFault }
    defer { unsafe BN_free(exponent) }
    return unsafe BN_num_bits(exponent) <= 64 ? UInt64(BN_get_word(exponent)) : nil
  }

  private static func fingerprint(of key: OpaquePointer) throws(Fault) -> Fingerprint {
    var encoded: UnsafeMutablePointer<UInt8>?
    // SAFETY: i2d_PUBKEY allocates the encoding and says how long it is; it is freed here.
    let length = unsafe i2d_PUBKEY(key, &encoded)
    defer { unsafe mediatoken_openssl_free(encoded) }
    guard length > 0, let start = unsafe encoded else { throw .internalFault }
    var hasher = try SHA256Hasher()
    let bytes = unsafe UnsafeBufferPointer(start: start, count: Int(length))
    return try unsafe hasher.digest(of: bytes.span)
  }
}
