internal import MediaToken
internal import MediaTokenSystem

/// A key's file and what may be in it. The bytes that were read are overwritten when the key is made of them.
struct HandoverKeyFile {
  private let path: String

  init(_ path: String) { self.path = path }

  /// The key of an HMAC: one line of hexadecimal digits.
  ///
  /// 32 bytes are what SHA-256 gives (RFC 2104, section 3); more than its block of 64 would be hashed first, and add nothing.
  func keyedHash() throws(HandoverError) -> KeyedHash {
    var text = try contents()
    defer { text.overwrite() }
    var key = try bytes(ofDigits: text)
    defer { key.overwrite() }
    return try rethrow(KeyedHash(key: key.span), as: HandoverError.fault)
  }

  /// The secret that is a line of nginx's own configuration, so without quotes, variables and spaces.
  func secret() throws(HandoverError) -> [UInt8] {
    var text = try contents()
    defer { text.overwrite() }
    return try secret(in: text)
  }

  /// A private key as PEM in PKCS#8.
  func signingKey(_ kind: SigningKey.Kind) throws(HandoverError) -> SigningKey {
    var text = try contents()
    defer { text.overwrite() }
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

  private func contents() throws(HandoverError) -> [UInt8] {
    try rethrow(TrustedFile.secret(path)) { (error: KeyError) in HandoverError.key(path, .file(error)) }
  }

  // What reads a part of a text is a function of its own: a slice that still lives would make `overwrite` change a copy.

  private func bytes(ofDigits text: [UInt8]) throws(HandoverError) -> [UInt8] {
    guard let line = Self.line(text), (64...128).contains(line.count), line.count.isMultiple(of: 2) else {
      throw .key(path, .notHexadecimal)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(line.count / 2)
    var high: UInt8?
    for digit in line {
      guard let value = Hexadecimal.value(ofDigit: digit) else { throw .key(path, .notHexadecimal) }
      if let half = high.take() { bytes.append(half << 4 | value) } else { high = value }
    }
    return bytes
  }

  private func secret(in text: [UInt8]) throws(HandoverError) -> [UInt8] {
    guard let line = Self.line(text), (32...128).contains(line.count), line.allSatisfy(Self.isOfSecret) else {
      throw .key(path, .notSecret)
    }
    return Array(line)
  }

  /// The only line; the line feed at its end may be missing.
  private static func line(_ text: [UInt8]) -> ArraySlice<UInt8>? {
    let line = text.last == UInt8(ascii: "\n") ? text.dropLast() : text[...]
    return line.contains(UInt8(ascii: "\n")) ? nil : line
  }

  private static func isOfSecret(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "-")
  }

  /// RFC 5958's label, RFC 7468 section 10, from the first byte to the last but line feeds. OpenSSL alone would take other labels
  /// too, skip text before it and leave a second key unread.
  private static func isOnePKCS8(_ text: [UInt8]) -> Bool {
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
    let dashed = lines.filter { $0.first == UInt8(ascii: "-") }
    return dashed.count == 2 && lines.first?.elementsEqual("-----BEGIN PRIVATE KEY-----".utf8) == true
      && lines.last?.elementsEqual("-----END PRIVATE KEY-----".utf8) == true
  }
}
