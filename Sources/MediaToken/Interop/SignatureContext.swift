internal import CLibCrypto

/// Owner of an EVP_PKEY_CTX that verifies RSASSA-PKCS1-v1_5 signatures over SHA-256 digests with one key.
///
/// Set up once and reused: `EVP_PKEY_verify` may be called any number of times on one context
/// (EVP_PKEY_verify(3)). One thread at a time.
@safe package struct SignatureContext: ~Copyable {
  // SAFETY: made in init, freed in deinit, used only through this value. OpenSSL holds its own reference to the key.
  private let context: OpaquePointer

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

  /// True if `signature` is this key's over `digest`; a fault if OpenSSL could not tell.
  ///
  /// OpenSSL promises its result alone: 1 for a signature that fits, 0 for one that does not, a negative number where it
  /// could not tell (EVP_PKEY_verify(3)). One thing breaks that promise in every version: 0 is also the result where memory
  /// ran out. So 0 is believed if the errors name no want of memory, and are those that a forgery leaves in the versions
  /// that are tested. Other versions queue others, and nothing can be queued without memory: then 0 is believed if OpenSSL,
  /// asked next, takes a genuine signature for genuine, and gives 0 once more for this one.
  package func verifies(_ signature: Span<UInt8>, of digest: SHA256Digest) throws(Fault) -> Bool {
    switch try answer(to: signature, of: digest) {
    case .genuine: return true
    case .forged: return false
    case .doubtful:
      guard try KnownAnswer.isTaken() else { throw .internalFault }
      return try answer(to: signature, of: digest) == .genuine
    }
  }

  /// The answer of one call of EVP_PKEY_verify.
  enum Answer {
    case genuine, forged
    /// 0, and no error from which it follows that it is a forgery.
    case doubtful
  }

  /// Asks once; ``verifies(_:of:)`` settles what is doubtful.
  func answer(to signature: Span<UInt8>, of digest: SHA256Digest) throws(Fault) -> Answer {
    let digest = digest.bytes
    let errors = QueuedErrors()
    // SAFETY: both spans outlive the call, which only reads them.
    let result = unsafe signature.withUnsafeBufferPointer { signature in
      unsafe digest.span.withUnsafeBufferPointer { digest in
        unsafe EVP_PKEY_verify(context, signature.baseAddress, signature.count, digest.baseAddress, digest.count)
      }
    }
    if result == 1 {
      errors.drop()
      return .genuine
    }
    let cause = errors.cause()
    errors.takeBack()
    if cause == .outOfMemory { throw .outOfMemory }
    guard result == 0 else { throw .internalFault }
    return cause == .forgery ? .forged : .doubtful
  }
}
