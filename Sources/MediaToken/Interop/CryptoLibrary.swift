internal import CLibCrypto

/// Our own OpenSSL library context with the default provider, and the algorithms fetched from it once.
///
/// Being private it ignores whatever `OPENSSL_CONF` and the host program configure for OpenSSL's default context, and no
/// algorithm is looked up by name on the hot path (OSSL_LIB_CTX(3), crypto(7) "ALGORITHM FETCHING").
@safe package final class CryptoLibrary: Sendable {
  // SAFETY: the three live as long as the program, because the only instance is a static; OpenSSL permits any
  // number of threads to use a library context and fetched algorithms.
  nonisolated(unsafe) package let context: OpaquePointer
  nonisolated(unsafe) package let sha256: OpaquePointer
  nonisolated(unsafe) let sha1: OpaquePointer

  private static let loaded: Result<CryptoLibrary, Fault> = Result { () throws(Fault) in try CryptoLibrary() }

  /// Loaded at the first call. A fault if OpenSSL's default provider or an algorithm of it is missing.
  package static func load() throws(Fault) -> CryptoLibrary {
    try loaded.get()
  }

  /// Keeps OpenSSL from ever reading a configuration file in this process, engines and modules included.
  ///
  /// For this project's own programs, before anything else. The library does not do it by itself: the host program may rely
  /// on its configuration. Without this call OpenSSL 3.0 reads the file `OPENSSL_CONF` into its default context as soon as
  /// a digest is asked for.
  package static func ignoreConfigurationFiles() throws(Fault) {
    guard OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil) == 1 else { throw .internalFault }
  }

  /// `OpenSSL 3.0.17 1 Jul 2025`, for example.
  static var version: String {
    // SAFETY: static text of libcrypto's (OpenSSL_version(3)).
    unsafe OpenSSL_version(OPENSSL_VERSION).map { unsafe String(cString: $0) } ?? "of an unknown version"
  }

  /// The file that verifies signatures: libcrypto's, unless another library is loaded before it.
  static var file: String {
    // SAFETY: text of the loader's, which stays as long as the file is loaded (dladdr(3)).
    unsafe mediatoken_file_of_verify().map { unsafe String(cString: $0) } ?? "an unknown file"
  }

  private init() throws(Fault) {
    guard let context = unsafe OSSL_LIB_CTX_new() else { throw .outOfMemory }
    // Never unloaded: at no moment is a program known to be done with it.
    guard unsafe OSSL_PROVIDER_load(context, "default") != nil,
      let sha256 = unsafe EVP_MD_fetch(context, "SHA256", nil),
      let sha1 = unsafe EVP_MD_fetch(context, "SHA1", nil)
    else {
      unsafe OSSL_LIB_CTX_free(context)
      throw .internalFault
    }
    unsafe self.context = context
    unsafe self.sha256 = sha256
    unsafe self.sha1 = sha1
  }
}
