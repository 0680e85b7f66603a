internal import CLibCrypto

extension [UInt8] {
  /// Overwrites a secret before its memory is given back.
  package mutating func overwrite() {
    // SAFETY: the closure's bytes are the array's own.
    unsafe withUnsafeMutableBytes { bytes in unsafe OPENSSL_cleanse(bytes.baseAddress, bytes.count) }
  }
}
