internal import CLibCrypto
internal import MediaTokenSystem

extension RSAPublicKey {
  /// The key in a SubjectPublicKeyInfo that fills `der`.
  static func decoding(publicKey der: Span<UInt8>) throws(Problem) -> RSAPublicKey {
    try withCryptoLibrary { (library, errors) throws(Problem) in
      // SAFETY: a new key is made, which `taking` frees.
      let (key, left) = unsafe decode(der) { unsafe d2i_PUBKEY_ex(nil, $0, $1, library.context, nil) }
      let taken = try unsafe taking(key, left, errors, orElse: .brokenPublicKey)
      // A key that is decoded into one of our own context uses that context.
      var received = unsafe X509_PUBKEY_new_ex(library.context, nil)
      guard unsafe received != nil else { throw .unread(.outOfMemory) }
      // SAFETY: if d2i_X509_PUBKEY fails, it frees the object and makes the variable nil (d2i_X509(3)).
      defer { unsafe X509_PUBKEY_free(received) }
      let (decoded, _) = unsafe decode(der) { unsafe d2i_X509_PUBKEY(&received, $0, $1) }
      guard unsafe decoded != nil else { throw unsafe failure(nil, 0, errors, orElse: .brokenPublicKey) }
      try unsafe taken.isAll(of: received, orElse: .brokenPublicKey)
      return taken
    }
  }

  /// The key in an X.509 certificate that fills `der`, and the certificate's facts.
  static func decoding(
    certificate der: Span<UInt8>
  ) throws(Problem) -> (RSAPublicKey, CertificateFacts) {
    try withCryptoLibrary { (library, errors) throws(Problem) in
      // An empty certificate of our own context: a key that is decoded into it uses that context too.
      var certificate = unsafe X509_new_ex(library.context, nil)
      guard unsafe certificate != nil else { throw .unread(.outOfMemory) }
      // SAFETY: if d2i_X509 fails, it frees the certificate and makes the variable nil (d2i_X509(3)).
      defer { unsafe X509_free(certificate) }
      let (decoded, left) = unsafe decode(der) { unsafe d2i_X509(&certificate, $0, $1) }
      guard let decoded = unsafe decoded, left == 0 else {
        throw unsafe failure(decoded, left, errors, orElse: .brokenCertificate)
      }
      // SAFETY: X509_get_pubkey gives a reference of its own, which `taking` frees.
      let key = try unsafe taking(X509_get_pubkey(decoded), 0, errors, orElse: .brokenCertificate)
      try unsafe key.isAll(of: X509_get_X509_PUBKEY(decoded), orElse: .brokenCertificate)
      let facts = try Problem.ofReading(unsafe CertificateFacts(reading: decoded, der))
      return (key, facts)
    }
  }

  /// `received` is a SubjectPublicKeyInfo from which this key was read (X509_PUBKEY). An error if the key is not all that
  /// its BIT STRING holds: OpenSSL takes no notice of what follows there.
  private func isAll(of received: OpaquePointer?, orElse problem: Problem) throws(Problem) {
    var bytes: UnsafePointer<UInt8>?
    var count: Int32 = 0
    guard unsafe X509_PUBKEY_get0_param(nil, &bytes, &count, nil, received) == 1 else { throw problem }
    var own: UnsafeMutablePointer<UInt8>?
    // SAFETY: i2d_PublicKey allocates the encoding and says how long it is; it is freed here. The other bytes belong to
    // the SubjectPublicKeyInfo.
    let length = unsafe i2d_PublicKey(key, &own)
    defer { unsafe mediatoken_openssl_free(own) }
    guard length > 0 else { throw .unread(.outOfMemory) }
    let found = unsafe UnsafeBufferPointer(start: bytes, count: Int(count))
    guard unsafe found.starts(with: UnsafeBufferPointer(start: own, count: Int(length))) else { throw problem }
    guard count == length else { throw .trailingBytes(Int(count - length)) }
  }

  /// Nothing may be left over, and the key must be RSA.
  private static func taking(
    _ key: OpaquePointer?, _ left: Int, _ errors: QueuedErrors, orElse problem: Problem
  ) throws(Problem) -> RSAPublicKey {
    guard let key = unsafe key, left == 0 else {
      let failure = unsafe failure(key, left, errors, orElse: problem)
      unsafe EVP_PKEY_free(key)
      throw failure
    }
    // A key that no provider of our context holds would be used outside of it. RSA-PSS is a different type from RSA.
    guard unsafe EVP_PKEY_get0_provider(key) != nil, unsafe EVP_PKEY_is_a(key, "RSA") == 1 else {
      // SAFETY: the name is static text of the key's type.
      let name = unsafe EVP_PKEY_get0_type_name(key).map { unsafe String(cString: $0) }
      unsafe EVP_PKEY_free(key)
      throw Problem("expected an RSA key (rsaEncryption), found \(name ?? "an unknown algorithm")")
    }
    return try Problem.ofReading(unsafe RSAPublicKey(takingOwnershipOf: key))
  }

  private static func failure(
    _ decoded: OpaquePointer?, _ left: Int, _ errors: QueuedErrors, orElse problem: Problem
  ) -> Problem {
    if unsafe decoded != nil, left > 0 { return .trailingBytes(left) }
    return errors.cause() == .outOfMemory ? .unread(.outOfMemory) : problem
  }

  /// Runs one of OpenSSL's `d2i` functions over `der`: its object, and the number of bytes that it left.
  private static func decode(
    _ der: Span<UInt8>, _ d2i: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?
  ) -> (OpaquePointer?, left: Int) {
    // SAFETY: the function reads at most `count` bytes and moves `next` past what it read.
    unsafe der.withUnsafeBufferPointer { der in
      let start = der.baseAddress
      var next = unsafe start
      let object = unsafe d2i(&next, der.count)
      guard let start = unsafe start, let next = unsafe next else { return unsafe (object, der.count) }
      return unsafe (object, der.count - (next - start))
    }
  }
}

extension Problem {
  static var brokenPublicKey: Problem {
    Problem("not a public key (SubjectPublicKeyInfo), but other or damaged DER")
  }
  static var brokenCertificate: Problem { Problem("not an X.509 certificate, but other or damaged DER") }

  /// `count` is how many bytes there are too many.
  static func trailingBytes(_ count: Int) -> Problem {
    Problem("\(count) bytes follow after the end of the data")
  }

  /// A fault of OpenSSL while a key is read is no file's.
  static func ofReading<Value: ~Copyable>(
    _ body: @autoclosure () throws(Fault) -> Value
  ) throws(Problem) -> Value { try rethrow(body(), as: unread) }

  static func unread(_ fault: Fault) -> Problem {
    let name = fault.answer.wireName
    return Problem(
      fault == .outOfMemory
        ? "memory ran out while it was read" : "cannot be read, because OpenSSL failed (\(name))", code: name)
  }
}

extension CertificateFacts {
  /// The certificate is all of `der`. No reference to it is kept.
  fileprivate init(reading certificate: OpaquePointer, _ der: Span<UInt8>) throws(Fault) {
    subject = try unsafe Self.text(of: X509_get_subject_name(certificate))
    issuer = try unsafe Self.text(of: X509_get_issuer_name(certificate))
    notBefore = try Self.instant { unsafe mediatoken_x509_not_before(certificate, &$0) }
    notAfter = try Self.instant { unsafe mediatoken_x509_not_after(certificate, &$0) }
    // All bits are set if there is no such extension, none if the extensions are damaged.
    allowsSignatures = unsafe X509_get_key_usage(certificate) & UInt32(X509v3_KU_DIGITAL_SIGNATURE) != 0
    // Answers other than 1 are guesses about certificates that do not say.
    isAuthority = unsafe X509_check_ca(certificate) == 1
    var hasher = try SHA256Hasher()
    sha256 = try hasher.digest(of: der)
    let digest = try SHA1Hasher.digest(of: der, Span())
    sha1 = String(
      decoding: digest.flatMap { [Hexadecimal.digit($0 >> 4), Hexadecimal.digit($0 & 15)] }, as: UTF8.self)
  }

  private static func text(of name: OpaquePointer?) throws(Fault) -> String {
    let output = try MemoryBIO()
    let flags = mediatoken_x509_name_flags()
    guard unsafe X509_NAME_print_ex(output.bio, name, 0, flags) >= 0 else { throw .internalFault }
    // UTF-8 so far, with RFC 4514's escapes; what is not visible is escaped here.
    return DisplayText.visible(output.text, limit: DisplayText.nameCharacters)
  }

  private static func instant(_ read: (inout Int64) -> Int32) throws(Fault) -> Instant? {
    var seconds: Int64 = 0
    return switch read(&seconds) {
    case 1: Instant(millisecondsSinceEpoch: seconds * 1000)
    case 0: nil
    default: throw .outOfMemory
    }
  }
}

/// Leaves the thread's OpenSSL error queue as it was.
private func withCryptoLibrary<Value>(
  _ body: (CryptoLibrary, QueuedErrors) throws(Problem) -> Value
) throws(Problem) -> Value {
  let library = try Problem.ofReading(CryptoLibrary.load())
  return try keepingErrorQueue { (errors) throws(Problem) in try body(library, errors) }
}
