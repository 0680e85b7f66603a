internal import CLibCrypto
internal import MediaToken
internal import MediaTokenSystem

/// Owner of a private key that signs with SHA-256. Immutable, so any number of threads may sign, each in a context of its own.
@safe final class SigningKey: Sendable {
  // SAFETY: owned by this object and freed with it (OpenSSL overwrites the numbers); nothing changes the key after init, and
  // OpenSSL permits concurrent reads of an EVP_PKEY.
  nonisolated(unsafe) private let key: OpaquePointer
  private let kind: Algorithm

  enum Algorithm: Sendable {
    /// RSASSA-PKCS1-v1_5.
    case rsa2048
    /// ECDSA on P-256; a signature is the two numbers of 32 bytes each (RFC 7518, section 3.4).
    case p256
  }

  /// The path is for errors.
  init(pem: Span<UInt8>, _ kind: Algorithm, of path: String) throws(Problem) {
    let library = try Problem.ofOpenSSL(CryptoLibrary.load())
    unsafe self.key = try unsafe keepingErrorQueue { (errors) throws(Problem) -> OpaquePointer in
      let read = unsafe Self.read(pem, library)
      guard let key = unsafe read else {
        throw errors.cause() == .outOfMemory ? Problem(.outOfMemory) : Self.notPKCS8(path)
      }
      guard unsafe Self.isKey(key, kind) else {
        unsafe EVP_PKEY_free(key)
        throw Self.notOfThe(kind, path)
      }
      guard unsafe Self.isWhole(key, library) else {
        unsafe EVP_PKEY_free(key)
        throw Problem(
          DisplayText.escaped(path), "the numbers of the key do not match each other; the file is damaged")
      }
      return unsafe key
    }
    self.kind = kind
  }

  deinit { unsafe EVP_PKEY_free(key) }

  /// - Parameter path: the file's.
  static func notPKCS8(_ path: String) -> Problem {
    Problem(
      DisplayText.escaped(path), "not one private key as PEM, BEGIN PRIVATE KEY, without a pass phrase",
      cure: "convert another form with: openssl pkcs8 -topk8 -nocrypt -in KEY -out KEY.pem")
  }

  private static func notOfThe(_ kind: Algorithm, _ path: String) -> Problem {
    let (fact, options) =
      switch kind {
      case .rsa2048: ("not an RSA key of 2048 bits", "RSA -pkeyopt rsa_keygen_bits:2048")
      case .p256: ("not an elliptic curve's key on P-256", "EC -pkeyopt ec_paramgen_curve:P-256")
      }
    return Problem(
      DisplayText.escaped(path), fact, cure: "make one with: openssl genpkey -algorithm \(options) -out KEY.pem")
  }

  private static func read(_ pem: Span<UInt8>, _ library: CryptoLibrary) -> OpaquePointer? {
    // SAFETY: the BIO only reads the span and is freed before the span ends. The callback asks for no password: without it
    // OpenSSL would prompt on the terminal.
    unsafe pem.withUnsafeBufferPointer { pem -> OpaquePointer? in
      guard let bio = unsafe BIO_new_mem_buf(pem.baseAddress, Int32(clamping: pem.count)) else { return nil }
      defer { unsafe BIO_free(bio) }
      return unsafe PEM_read_bio_PrivateKey_ex(bio, nil, { _, _, _, _ in -1 }, nil, library.context, nil)
    }
  }

  private static func isKey(_ key: OpaquePointer, _ kind: Algorithm) -> Bool {
    switch kind {
    case .rsa2048: return unsafe EVP_PKEY_is_a(key, "RSA") == 1 && EVP_PKEY_get_bits(key) == 2048
    case .p256:
      var name = [CChar](repeating: 0, count: 64)
      var length = 0
      guard unsafe EVP_PKEY_is_a(key, "EC") == 1,
        unsafe EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1
      else { return false }
      // OpenSSL's name of P-256.
      return name.prefix(length).map { UInt8(bitPattern: $0) }.elementsEqual("prime256v1".utf8)
    }
  }

  /// True if its numbers match each other: OpenSSL loads a damaged key too, and what that signs may give the key away.
  private static func isWhole(_ key: OpaquePointer, _ library: CryptoLibrary) -> Bool {
    guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(library.context, key, nil) else { return false }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    return unsafe EVP_PKEY_check(context) == 1
  }

  func signature(of message: [UInt8]) throws(Fault) -> [UInt8] {
    let library = try CryptoLibrary.load()
    return try keepingErrorQueue { _ throws(Fault) in
      guard let context = unsafe EVP_MD_CTX_new() else { throw .outOfMemory }
      // SAFETY: the context is ours and freed here; `signature` is as long as OpenSSL asked for, and it is told so.
      defer { unsafe EVP_MD_CTX_free(context) }
      var length = 0
      guard unsafe EVP_DigestSignInit_ex(context, nil, "SHA256", library.context, nil, key, nil) == 1,
        unsafe EVP_DigestSign(context, nil, &length, message, message.count) == 1
      else { throw .internalFault }
      var signature = [UInt8](repeating: 0, count: length)
      guard unsafe EVP_DigestSign(context, &signature, &length, message, message.count) == 1,
        length <= signature.count
      else { throw .internalFault }
      signature.removeLast(signature.count - length)
      return kind == .p256 ? try Self.twoNumbers(of: signature) : signature
    }
  }

  /// The numbers r and s of an ECDSA signature in DER, each in 32 bytes.
  private static func twoNumbers(of signature: [UInt8]) throws(Fault) -> [UInt8] {
    var numbers = [UInt8](repeating: 0, count: 64)
    // SAFETY: OpenSSL reads as many bytes as the array has, and writes 32 to each half.
    let done = unsafe numbers.withUnsafeMutableBufferPointer { output in
      unsafe mediatoken_ecdsa_numbers(signature, signature.count, output.baseAddress, 32) == 1
    }
    guard done else { throw .internalFault }
    return numbers
  }
}
