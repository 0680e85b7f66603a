internal import CLibCrypto

/// Owner of an EVP_MD_CTX that hashes one message after another.
@safe package struct SHA256Hasher: ~Copyable {
  // SAFETY: made in init, freed in deinit, used only through this value.
  private let context: OpaquePointer
  private let library: CryptoLibrary

  /// - Throws: ``Fault/outOfMemory``, or what ``CryptoLibrary/load()`` throws.
  package init() throws(Fault) {
    let library = try CryptoLibrary.load()
    guard let context = unsafe EVP_MD_CTX_new() else { throw .outOfMemory }
    unsafe self.context = context
    self.library = library
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  /// The SHA-256 of `message`.
  package mutating func digest(of message: Span<UInt8>) throws(Fault) -> SHA256Digest {
    var bytes = InlineArray<32, UInt8>(repeating: 0)
    var output = bytes.mutableSpan
    // SAFETY: both spans outlive the calls; SHA-256 writes 32 bytes, which is what the array holds.
    let done = unsafe message.withUnsafeBufferPointer { message in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe EVP_DigestInit_ex2(context, library.sha256, nil) == 1
          && EVP_DigestUpdate(context, message.baseAddress, message.count) == 1
          && EVP_DigestFinal_ex(context, output.baseAddress, nil) == 1
      }
    }
    guard done, let digest = SHA256Digest(bytes: bytes.span) else {
      ERR_clear_error()
      throw .internalFault
    }
    return digest
  }
}
