internal import CLibCrypto

enum PEMDecoder {
  /// A block is one BEGIN line, base64, and the END line of the same label.
  static func der(ofBlock block: Span<UInt8>) throws(Problem) -> [UInt8] {
    try keepingErrorQueue { (errors) throws(Problem) in
      var name: UnsafeMutablePointer<CChar>?
      var header: UnsafeMutablePointer<CChar>?
      var data: UnsafeMutablePointer<UInt8>?
      var count = 0
      // SAFETY: the BIO reads the block, which outlives it. OpenSSL allocates the three results; they are freed
      // here, and nil if it fails.
      let done = unsafe block.withUnsafeBufferPointer { block in
        guard let bio = unsafe BIO_new_mem_buf(block.baseAddress, Int32(block.count)) else { return false }
        defer { unsafe BIO_free(bio) }
        return unsafe PEM_read_bio(bio, &name, &header, &data, &count) == 1
      }
      defer {
        unsafe mediatoken_openssl_free(name)
        unsafe mediatoken_openssl_free(header)
        unsafe mediatoken_openssl_free(data)
      }
      guard done, count > 0, let start = unsafe data else {
        throw errors.cause() == .outOfMemory ? .unread(.outOfMemory) : .brokenPEM
      }
      return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }
  }
}
