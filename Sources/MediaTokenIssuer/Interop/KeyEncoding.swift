internal import CLibCrypto
internal import MediaToken
internal import MediaTokenSystem

extension RSAPrivateKey {
  /// The SHA-256 of the public half's SubjectPublicKeyInfo: the name that a verifier has for this key.
  func fingerprint() throws(Fault) -> Fingerprint { try unsafe RSAPublicKey.fingerprint(of: key) }

  /// The public half as SubjectPublicKeyInfo in PEM.
  func publicPEM() throws(Fault) -> String {
    let text = try unsafe PEMText(writing: { bio in unsafe PEM_write_bio_PUBKEY(bio, self.key) == 1 })
    return unsafe String(copying: UTF8Span(unchecked: text.span))
  }

  /// The private key as unencrypted PKCS#8 in PEM, for as long as `body` runs; overwritten afterwards.
  func withPrivatePEM<Value, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Value
  ) throws(Fault) -> Result<Value, Failure> {
    let text = try unsafe PEMText(writing: { bio in
      unsafe PEM_write_bio_PKCS8PrivateKey(bio, self.key, nil, nil, 0, nil, nil) == 1
    })
    return Result { () throws(Failure) in try body(text.span) }
  }
}

/// Owner of a memory BIO that holds a PEM text. OpenSSL overwrites its buffer when it grows and when it is freed.
@safe private struct PEMText: ~Copyable {
  // SAFETY: made in init, freed in deinit, used only through this value.
  private let bio: OpaquePointer

  init(writing write: (OpaquePointer) -> Bool) throws(Fault) {
    guard let bio = unsafe BIO_new(BIO_s_mem()) else { throw .outOfMemory }
    guard unsafe write(bio) else {
      unsafe BIO_free(bio)
      ERR_clear_error()
      throw .internalFault
    }
    unsafe self.bio = bio
  }

  deinit { unsafe BIO_free(bio) }

  var span: Span<UInt8> {
    var start: UnsafeMutableRawPointer?
    // SAFETY: BIO_CTRL_INFO is what BIO_get_mem_data expands to; the bytes stay in place while the BIO is not
    // written to, which nothing does after init.
    let length = unsafe BIO_ctrl(bio, BIO_CTRL_INFO, 0, &start)
    return unsafe Span(UnsafeRawBufferPointer(start: start, count: Int(length)), of: self)
  }
}
