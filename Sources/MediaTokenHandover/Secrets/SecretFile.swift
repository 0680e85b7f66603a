package import MediaToken
internal import MediaTokenSystem

/// A file with one secret of ours: its mode may be 0640 at most, and only root and we may change it. The bytes that were read are
/// overwritten when the secret is made of them.
package struct SecretFile: Sendable {
  private let path: String

  package init(_ path: String) { self.path = path }

  /// `make` must keep no copy of the bytes, and no part of them.
  func secret<Secret>(_ make: ([UInt8]) throws(Problem) -> Secret) throws(Problem) -> Secret {
    var text = try TrustedFile.secret(path)
    defer { text.overwrite() }
    return try make(text)
  }

  /// The key of an HMAC: one line of hexadecimal digits, 128 at most and `least` at least.
  ///
  /// 32 bytes are what SHA-256 gives (RFC 2104, section 3); more than its block of 64 would be hashed first, and add
  /// nothing.
  package func keyedHash(least: Int = 64) throws(Problem) -> KeyedHash {
    try secret { text throws(Problem) in
      var key = try bytes(ofDigits: text, least: least)
      defer { key.overwrite() }
      return try Problem.ofOpenSSL(KeyedHash(key: key.span))
    }
  }

  // A separate function: while a slice is alive, `overwrite` would change a copy.
  private func bytes(ofDigits text: [UInt8], least: Int) throws(Problem) -> [UInt8] {
    guard var line = text.onlyLine else { throw notDigits(least: least) }
    // Windows ends a line so: it is no digit.
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    guard line.allSatisfy({ Hexadecimal.value(ofDigit: $0) != nil }) else {
      throw notDigits(least: least)
    }
    guard (least...128).contains(line.count), line.count.isMultiple(of: 2) else {
      throw problem(
        "expected one line of \(least) to 128 hexadecimal digits, two for each byte, found \(line.count) digits",
        cure:
          "make one with: openssl rand -hex 32, and give it to all that check or make the same codes, such as the CDN"
      )
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(line.count / 2)
    var high: UInt8?
    for digit in line {
      guard let value = Hexadecimal.value(ofDigit: digit) else {
        throw notDigits(least: least)
      }
      if let half = high.take() { bytes.append(half << 4 | value) } else { high = value }
    }
    return bytes
  }

  private func notDigits(least: Int) -> Problem {
    problem(
      "not one line of \(least) to 128 hexadecimal digits, two for each byte: there is something else in it, or more than one line",
      cure: "make one with: openssl rand -hex 32")
  }

  private func problem(_ fact: String, cure: String) -> Problem {
    Problem(DisplayText.escaped(path), fact, cure: cure)
  }
}

extension SecretFile {
  /// The secret that is a line of nginx's own configuration, so without quotes, variables and spaces.
  func nginxSecret() throws(Problem) -> [UInt8] {
    try secret { text throws(Problem) in try nginxSecret(in: text) }
  }

  /// PEM in PKCS#8.
  func signingKey(_ kind: SigningKey.Algorithm) throws(Problem) -> SigningKey {
    try secret { text throws(Problem) in
      guard Self.isOnePKCS8(text) else { throw SigningKey.notPKCS8(path) }
      return try SigningKey(pem: text.span, kind, of: path)
    }
  }

  // A separate function: while a slice is alive, the overwriting would change a copy.
  private func nginxSecret(in text: [UInt8]) throws(Problem) -> [UInt8] {
    guard let line = text.onlyLine, (32...128).contains(line.count),
      line.allSatisfy({ $0.isNameByte && $0 != UInt8(ascii: ".") })
    else {
      throw text.contains(UInt8(ascii: "\r"))
        ? problem(
          "the line ends with CR LF, as Windows writes it, and nginx would take the CR for a part of the secret",
          cure: "run on this file and on nginx's own: sed -i 's/\\r//g' FILE")
        : problem(
          "not one line of 32 to 128 letters, digits, _ and -", cure: "make one with: openssl rand -hex 32")
    }
    return Array(line)
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

extension [UInt8] {
  /// The line, if there is just one; the line feed at its end may be missing.
  var onlyLine: ArraySlice<UInt8>? {
    let line = last == UInt8(ascii: "\n") ? dropLast() : self[...]
    return line.contains(UInt8(ascii: "\n")) ? nil : line
  }
}
