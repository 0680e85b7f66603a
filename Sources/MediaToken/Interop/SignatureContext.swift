internal import CLibCrypto

/// Owner of an EVP_PKEY_CTX that verifies RSASSA-PKCS1-v1_5 signatures over SHA-256 digests with one key.
///
/// Set up once and reused: `EVP_PKEY_verify` may be called any number of times on one context
/// (EVP_PKEY_verify(3)). One thread at a time.
@safe package struct SignatureContext: ~Copyable {
  // SAFETY: made in init, freed in deinit, used only through this value. OpenSSL holds its own reference to the key.
  private let context: OpaquePointer

  /// - Throws: ``Fault/outOfMemory`` or ``Fault/internalFault`` if OpenSSL can't set the context up.
  package init(_ key: RSAPublicKey) throws(Fault) {
    let library = try CryptoLibrary.load()
    guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(library.context, key.key, nil) else {
      throw .outOfMemory
    }
    guard unsafe EVP_PKEY_verify_init(context) == 1,
      unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1,
      unsafe EVP_PKEY_CTX_set_signature_md(context, library.sha256) == 1
    else {
      unsafe EVP_PKEY_CTX_free(context)
      throw .internalFault
    }
    unsafe self.context = context
  }

  deinit { unsafe EVP_PKEY_CTX_free(context) }

  /// Whether `signature` is this key's over `digest`.
  ///
  /// - Throws: ``Fault/outOfMemory`` or ``Fault/internalFault`` if OpenSSL could not tell. A failed allocation is
  ///   not a forged signature, although OpenSSL returns 0 for both, and has an error of its provider on top for both.
  package func verifies(_ signature: Span<UInt8>, of digest: SHA256Digest) throws(Fault) -> Bool {
    let digest = digest.bytes
    let mark = ErrorQueueMark()
    // SAFETY: both spans outlive the call, which only reads them.
    let result = unsafe signature.withUnsafeBufferPointer { signature in
      unsafe digest.span.withUnsafeBufferPointer { digest in
        unsafe EVP_PKEY_verify(context, signature.baseAddress, signature.count, digest.baseAddress, digest.count)
      }
    }
    if result == 1 {
      mark.drop()
      return true
    }
    // OpenSSL says about a forgery that RSA refused it, and of nothing else. Where even the queue has no memory it is silent.
    var (isOutOfMemory, isSilent, isOfRSA) = (false, true, true)
    mark.restoreQueue { error in
      isOutOfMemory = isOutOfMemory || error.isOutOfMemory
      isSilent = false
      isOfRSA = isOfRSA && error.isOfRSA
    }
    if isOutOfMemory { throw .outOfMemory }
    guard result == 0, !isSilent, isOfRSA else { throw .internalFault }
    return false
  }
}
