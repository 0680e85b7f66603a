internal import CLibCrypto

/// Owner of a memory BIO, into which OpenSSL writes text.
@safe struct MemoryBIO: ~Copyable {
  // SAFETY: made in init, freed in deinit; a callee writes to it and keeps no reference.
  let bio: OpaquePointer

  /// - Throws: ``Refusal/Fault/outOfMemory``.
  init() throws(Fault) {
    guard let bio = unsafe BIO_new(BIO_s_mem()) else { throw .outOfMemory }
    unsafe self.bio = bio
  }

  deinit { unsafe BIO_free(bio) }

  /// What was written.
  var text: String {
    var start: UnsafeMutablePointer<CChar>?
    // SAFETY: the BIO owns the bytes; they are copied before anything else is written.
    let count = unsafe mediatoken_bio_get_mem_data(bio, &start)
    guard count > 0, let start = unsafe start else { return "" }
    return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
  }
}
