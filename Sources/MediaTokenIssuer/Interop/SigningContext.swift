internal import CLibCrypto
internal import MediaToken

/// Owner of an EVP_PKEY_CTX that makes RSASSA-PKCS1-v1_5 signatures over SHA-256 digests with one key.
///
/// Set up once and reused (EVP_PKEY_sign(3)). One thread at a time.
@safe struct SigningContext: ~Copyable {
  // SAFETY: made in init, freed in deinit, used only through this value. OpenSSL has its own reference to the key.
  private let context: OpaquePointer
  private let library: CryptoLibrary
  /// The length of every signature in bytes.
  let signatureBytes: Int

  /// The key owns the private half, too.
  init(_ key: RSAPublicKey) throws(Fault) {
    let library = try CryptoLibrary.load()
    guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(library.context, key.key, nil) else {
      throw .outOfMemory
    }
    guard unsafe EVP_PKEY_sign_init(context) == 1,
      unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1,
      unsafe EVP_PKEY_CTX_set_signature_md(context, library.sha256) == 1
    else {
      unsafe EVP_PKEY_CTX_free(context)
      ERR_clear_error()
      throw .internalFault
    }
    unsafe self.context = context
    self.library = library
    signatureBytes = key.modulusBytes
  }

  deinit { unsafe EVP_PKEY_CTX_free(context) }

  /// Puts the signature over `digest` into the first ``signatureBytes`` of `signature`.
  mutating func sign(_ digest: SHA256Digest, into signature: inout [UInt8]) throws(Fault) {
    precondition(signature.count == signatureBytes, "the signature needs room for one modulus")
    let digest = digest.bytes
    var output = signature.mutableSpan
    // SAFETY: both spans outlive the call; `length` tells OpenSSL how much room there is.
    let done = unsafe digest.span.withUnsafeBufferPointer { digest in
      unsafe output.withUnsafeMutableBufferPointer { output in
        var length = output.count
        let result = unsafe EVP_PKEY_sign(context, output.baseAddress, &length, digest.baseAddress, digest.count)
        return result == 1 && length == output.count
      }
    }
    guard done else {
      ERR_clear_error()
      throw .internalFault
    }
  }

  /// True if the public half verifies what the private half signs: OpenSSL loads a damaged key file too.
  mutating func halvesAgree(of key: RSAPublicKey) throws(Fault) -> Bool {
    var signature = [UInt8](repeating: 0, count: signatureBytes)
    try sign(key.fingerprint, into: &signature)
    return try SignatureContext(key).verifies(signature.span, of: key.fingerprint)
  }
}
