internal import MediaToken
internal import MediaTokenSystem

/// A key's file and what may be in it.
struct HandoverKeyFile {
  private let path: String

  init(_ path: String) { self.path = path }

  /// The key of an HMAC: one line of hexadecimal digits.
  ///
  /// - Parameter least: how many digits there must be.
  func keyedHash(least: Int = 64) throws(HandoverError) -> KeyedHash {
    try rethrow(SecretFile(path).keyedHash(least: least)) { (error: SecretFileError) -> HandoverError in
      switch error {
      case .file(let error): .key(path, .file(error.description))
      case .notHexadecimal(let path, let least, let found): .key(path, .notHexadecimal(least: least, found: found))
      case .fault(let fault): .fault(fault)
      }
    }
  }

  /// The secret that is a line of nginx's own configuration, so without quotes, variables and spaces.
  func secret() throws(HandoverError) -> [UInt8] {
    try made { text throws(HandoverError) in try secret(in: text) }
  }

  /// A private key as PEM in PKCS#8.
  func signingKey(_ kind: SigningKey.Kind) throws(HandoverError) -> SigningKey {
    try made { text throws(HandoverError) in
      guard Self.isOnePKCS8(text) else { throw .key(path, .notPKCS8) }
      do throws(SigningKey.Problem) {
        return try SigningKey(pem: text.span, kind)
      } catch {
        switch error {
        case .unreadable: throw .key(path, .notPKCS8)
        case .otherKind: throw .key(path, kind == .rsa2048 ? .notRSA2048 : .notP256)
        case .damaged: throw .key(path, .damaged)
        case .fault(let fault): throw .fault(fault)
        }
      }
    }
  }

  private func made<Secret>(_ make: ([UInt8]) throws(HandoverError) -> Secret) throws(HandoverError) -> Secret {
    try SecretFile(path).secret(unreadable: { HandoverError.key(path, .file($0.description)) }, make)
  }

  // A separate function: while a slice is alive, the overwriting would change a copy.
  private func secret(in text: [UInt8]) throws(HandoverError) -> [UInt8] {
    guard let line = text.onlyLine, (32...128).contains(line.count), line.allSatisfy(Self.isOfSecret) else {
      throw .key(path, text.contains(UInt8(ascii: "\r")) ? .carriageReturn : .notSecret)
    }
    return Array(line)
  }

  private static func isOfSecret(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "-")
  }

  /// RFC 5958's label, RFC 7468 section 10, from the first byte to the last but line ends. OpenSSL alone would take other labels
  /// too, skip text before it and leave a second key unread.
  private static func isOnePKCS8(_ text: [UInt8]) -> Bool {
    let lines = text.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    let dashed = lines.filter { $0.first == UInt8(ascii: "-") }
    return dashed.count == 2 && lines.first?.elementsEqual("-----BEGIN PRIVATE KEY-----".utf8) == true
      && lines.last?.elementsEqual("-----END PRIVATE KEY-----".utf8) == true
  }
}
