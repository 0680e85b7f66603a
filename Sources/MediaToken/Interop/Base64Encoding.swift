internal import CLibCrypto

extension [UInt8] {
  /// Appends the standard base64 of `bytes`, with padding (RFC 4648, section 4).
  package mutating func appendBase64(of bytes: Span<UInt8>) {
    let start = count
    append(contentsOf: repeatElement(0, count: (bytes.count + 2) / 3 * 4 + 1))
    // SAFETY: of each three bytes that are begun EVP_EncodeBlock makes four, and writes a zero after them (EVP_EncodeInit(3)).
    unsafe withUnsafeMutableBufferPointer { output in
      let free = unsafe UnsafeMutableBufferPointer(rebasing: output[start...])
      unsafe bytes.withUnsafeBufferPointer { bytes in
        _ = unsafe EVP_EncodeBlock(free.baseAddress, bytes.baseAddress, Int32(bytes.count))
      }
    }
    removeLast()
  }
}
