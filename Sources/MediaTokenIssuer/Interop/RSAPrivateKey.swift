internal import CLibCrypto
internal import MediaToken
internal import MediaTokenSystem

/// Owner of an RSA private key. Immutable, so any number of threads may sign with it, each in its own context.
@safe final class RSAPrivateKey: Sendable {
  // SAFETY: owned by this object and freed with it (OpenSSL overwrites the numbers); nothing changes the key after
  // init, and OpenSSL permits concurrent reads of an EVP_PKEY.
  nonisolated(unsafe) let key: OpaquePointer

  /// The modulus' length in bits.
  var modulusBits: Int { Int(unsafe EVP_PKEY_get_bits(key)) }

  /// Takes over `key`, which is freed with this object.
  init(takingOwnershipOf key: OpaquePointer) { unsafe self.key = key }

  deinit { unsafe EVP_PKEY_free(key) }

  /// The key in a PEM text: PKCS#8 or PKCS#1, not encrypted.
  ///
  /// - Throws: ``IssuerError`` `.notAPrivateKey`, `.encrypted`, `.notRSA` or `.fault`.
  convenience init(pem: Span<UInt8>) throws(IssuerError) {
    let context = try unsafe rethrow(CryptoLibrary.load(), as: IssuerError.fault).context
    let key = try unsafe keepingErrorQueue { (errors) throws(IssuerError) -> OpaquePointer in
      // SAFETY: the BIO only reads the span and is freed before the span ends. The callback asks for no
      // password: without it OpenSSL would prompt on the terminal.
      let key = unsafe pem.withUnsafeBufferPointer { pem -> OpaquePointer? in
        guard let bio = unsafe BIO_new_mem_buf(pem.baseAddress, Int32(clamping: pem.count)) else { return nil }
        defer { unsafe BIO_free(bio) }
        return unsafe PEM_read_bio_PrivateKey_ex(bio, nil, { _, _, _, _ in -1 }, nil, context, nil)
      }
      guard let key = unsafe key else {
        if errors.cause() == .outOfMemory { throw .fault(.outOfMemory) }
        throw pem.contains("ENCRYPTED") ? .encrypted : .notAPrivateKey
      }
      return unsafe key
    }
    guard unsafe EVP_PKEY_is_a(key, "RSA") == 1 else {
      unsafe EVP_PKEY_free(key)
      throw .notRSA
    }
    unsafe self.init(takingOwnershipOf: key)
  }

  /// A new key from the system's randomness, e = 65537.
  ///
  /// - Throws: ``IssuerError/fault(_:)`` if OpenSSL can't make one.
  convenience init(generatingBits bits: Int) throws(IssuerError) {
    let library = try rethrow(CryptoLibrary.load(), as: IssuerError.fault)
    let key = try unsafe keepingErrorQueue { _ throws(IssuerError) -> OpaquePointer in
      guard let context = unsafe EVP_PKEY_CTX_new_from_name(library.context, "RSA", nil) else {
        throw .fault(.outOfMemory)
      }
      defer { unsafe EVP_PKEY_CTX_free(context) }
      var key: OpaquePointer?
      guard unsafe EVP_PKEY_keygen_init(context) == 1,
        unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits)) == 1,
        unsafe EVP_PKEY_generate(context, &key) == 1,
        let made = unsafe key
      else { throw .fault(.internalFault) }
      return unsafe made
    }
    unsafe self.init(takingOwnershipOf: key)
  }
}

extension Span<UInt8> {
  /// Whether the text is somewhere in these bytes.
  fileprivate func contains(_ text: StaticString) -> Bool {
    let wanted = Array(text.description.utf8)
    guard wanted.count <= count else { return false }
    return (0...(count - wanted.count)).contains { start in
      wanted.indices.allSatisfy { self[start + $0] == wanted[$0] }
    }
  }
}
