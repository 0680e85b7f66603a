internal import CLibCrypto
package import MediaToken

/// HMAC-SHA256 with one key (RFC 2104).
///
/// Owner of an EVP_MAC_CTX that is keyed once and never changed: each code is made by a copy of it (EVP_MAC_CTX_dup(3)), which saves
/// hashing the key again. Copying reads it only, so any number of threads may.
@safe package final class KeyedHash: Sendable {
  // SAFETY: made in init, freed in deinit, not changed between.
  nonisolated(unsafe) private let keyed: OpaquePointer

  init(key: Span<UInt8>) throws(Fault) {
    let library = try CryptoLibrary.load()
    // SAFETY: the span outlives the call, and OpenSSL copies the key.
    let keyed = unsafe key.withUnsafeBufferPointer { key in
      unsafe keepingErrorQueue { _ in
        unsafe mediatoken_hmac_sha256_new(library.context, key.baseAddress, key.count)
      }
    }
    guard let keyed = unsafe keyed else { throw .internalFault }
    unsafe self.keyed = keyed
  }

  deinit { unsafe EVP_MAC_CTX_free(keyed) }

  /// 32 bytes.
  package func code(of message: [UInt8]) throws(Fault) -> [UInt8] {
    guard let context = unsafe EVP_MAC_CTX_dup(keyed) else { throw .outOfMemory }
    // SAFETY: the copy is ours and freed here; `code` has the 32 bytes that OpenSSL is told of.
    defer { unsafe EVP_MAC_CTX_free(context) }
    var code = [UInt8](repeating: 0, count: 32)
    var length = 0
    guard unsafe EVP_MAC_update(context, message, message.count) == 1,
      unsafe EVP_MAC_final(context, &code, &length, code.count) == 1, length == code.count
    else {
      ERR_clear_error()
      throw .internalFault
    }
    return code
  }
}
