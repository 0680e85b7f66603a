internal import CLibCrypto

/// Owner of two EVP_MD_CTX that hash one message after another: one is set up and stays so, the other one begins each
/// message as its copy. To set one up again takes longer, because OpenSSL 3.0 asks for an engine each time.
@safe package struct SHA256Hasher: ~Copyable {
  // SAFETY: made in init, freed in deinit, used only through this value.
  private let beginning: OpaquePointer
  private let context: OpaquePointer

  package init() throws(Fault) {
    let library = try CryptoLibrary.load()
    let (beginning, context) = unsafe (EVP_MD_CTX_new(), EVP_MD_CTX_new())
    guard let beginning = unsafe beginning, let context = unsafe context,
      unsafe EVP_DigestInit_ex2(beginning, library.sha256, nil) == 1
    else {
      let isOutOfMemory = unsafe beginning == nil || context == nil
      unsafe EVP_MD_CTX_free(beginning)
      unsafe EVP_MD_CTX_free(context)
      throw isOutOfMemory ? .outOfMemory : .internalFault
    }
    unsafe self.beginning = beginning
    unsafe self.context = context
  }

  deinit {
    unsafe EVP_MD_CTX_free(context)
    unsafe EVP_MD_CTX_free(beginning)
  }

  package mutating func digest(of message: Span<UInt8>) throws(Fault) -> SHA256Digest {
    var bytes = InlineArray<32, UInt8>(repeating: 0)
    var output = bytes.mutableSpan
    let errors = QueuedErrors()
    // SAFETY: both spans outlive the calls; SHA-256 writes 32 bytes, which is what the array holds.
    let done = unsafe message.withUnsafeBufferPointer { message in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe EVP_MD_CTX_copy_ex(context, beginning) == 1
          && EVP_DigestUpdate(context, message.baseAddress, message.count) == 1
          && EVP_DigestFinal_ex(context, output.baseAddress, nil) == 1
      }
    }
    guard done, let digest = SHA256Digest(bytes: bytes.span) else {
      let isOutOfMemory = errors.cause() == .outOfMemory
      errors.takeBack()
      throw isOutOfMemory ? .outOfMemory : .internalFault
    }
    errors.drop()
    return digest
  }
}

/// SHA-1, for the checksum of JKS keystores and to show it of certificates: nothing is trusted by it, for it is broken.
enum SHA1Hasher {
  /// 20 bytes, over the first bytes and then the second.
  static func digest(of first: Span<UInt8>, _ second: Span<UInt8>) throws(Fault) -> [UInt8] {
    let library = try CryptoLibrary.load()
    return try keepingErrorQueue { _ throws(Fault) in
      guard let context = unsafe EVP_MD_CTX_new() else { throw .outOfMemory }
      // SAFETY: the context is ours and freed here; the spans outlive the calls; SHA-1 writes 20 bytes.
      defer { unsafe EVP_MD_CTX_free(context) }
      var digest = [UInt8](repeating: 0, count: 20)
      let done = unsafe first.withUnsafeBufferPointer { first in
        unsafe second.withUnsafeBufferPointer { second in
          unsafe EVP_DigestInit_ex2(context, library.sha1, nil) == 1
            && EVP_DigestUpdate(context, first.baseAddress, first.count) == 1
            && EVP_DigestUpdate(context, second.baseAddress, second.count) == 1
            && EVP_DigestFinal_ex(context, &digest, nil) == 1
        }
      }
      guard done else { throw .internalFault }
      return digest
    }
  }
}
