internal import CLibCrypto

/// Owner of an RSA public key. Immutable, so any number of threads may verify with it at once.
@safe package final class RSAPublicKey: Sendable {
  // SAFETY: owned by this object and freed with it; nobody changes the key after init, and OpenSSL permits
  // concurrent reads of an EVP_PKEY (each thread has its own EVP_PKEY_CTX).
  nonisolated(unsafe) let key: OpaquePointer

  /// The modulus' length in bits.
  package let modulusBits: Int

  /// The modulus' length in bytes, which is also the length of a signature.
  package var modulusBytes: Int { (modulusBits + 7) / 8 }

  /// The SHA-256 of the re-encoded SubjectPublicKeyInfo.
  package let fingerprint: Fingerprint

  /// Takes over `key`, which must be an RSA key; it is freed with this object, also if init throws.
  ///
  /// - Throws: ``Fault/internalFault`` if OpenSSL can't encode the key.
  init(takingOwnershipOf key: OpaquePointer) throws(Fault) {
    unsafe self.key = key
    modulusBits = Int(unsafe EVP_PKEY_get_bits(key))
    // Until the fingerprint is known, init owns the key.
    do throws(Fault) {
      fingerprint = try unsafe Self.fingerprint(of: key)
    } catch {
      unsafe EVP_PKEY_free(key)
      throw error
    }
  }

  deinit { unsafe EVP_PKEY_free(key) }

  private static func fingerprint(of key: OpaquePointer) throws(Fault) -> Fingerprint {
    var encoded: UnsafeMutablePointer<UInt8>?
    // SAFETY: i2d_PUBKEY allocates the encoding and says how long it is; it is freed here.
    let length = unsafe i2d_PUBKEY(key, &encoded)
    defer { unsafe mediatoken_openssl_free(encoded) }
    guard length > 0, let start = unsafe encoded else { throw .internalFault }
    var hasher = try SHA256Hasher()
    return try unsafe hasher.digest(of: Span(_unsafeElements: UnsafeBufferPointer(start: start, count: Int(length))))
  }
}
