internal import CLibCrypto
internal import MediaToken

/// MD5, for nginx's `secure_link` and for nothing else: it is broken as a cryptographic hash.
enum MD5Hasher {
  static func digest(of message: [UInt8]) throws(Fault) -> [UInt8] {
    let library = try CryptoLibrary.load()
    var digest = [UInt8](repeating: 0, count: 16)
    var length = 0
    // SAFETY: MD5 writes 16 bytes, which the array holds.
    let done = unsafe EVP_Q_digest(library.context, "MD5", nil, message, message.count, &digest, &length) == 1
    guard done, length == digest.count else {
      ERR_clear_error()
      throw .internalFault
    }
    return digest
  }
}
