internal import CLibCrypto

/// Owner of a memory BIO, into which OpenSSL writes text. It overwrites the text when it moves it and when the BIO is freed.
@safe package struct MemoryBIO: ~Copyable {
  // SAFETY: made in init, freed in deinit; a callee writes to it and keeps no reference.
  /// For OpenSSL's functions.
  package let bio: OpaquePointer

  package init() throws(Fault) {
    guard let bio = unsafe BIO_new(BIO_s_mem()) else { throw .outOfMemory }
    unsafe self.bio = bio
  }

  deinit { unsafe BIO_free(bio) }

  /// A copy.
  var text: String { unsafe span.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) } }

  /// Let nothing more be written while the span is used.
  package var span: Span<UInt8> {
    var start: UnsafeMutablePointer<CChar>?
    // SAFETY: the BIO owns the bytes, which stay where they are until something is written or it is freed.
    let count = unsafe mediatoken_bio_get_mem_data(bio, &start)
    return unsafe Span(UnsafeRawBufferPointer(start: start, count: max(0, count)), of: self)
  }
}
