internal import MediaTokenSystem

/// The entries of a JKS keystore (OpenJDK, `sun.security.provider.JavaKeyStore`).
///
/// The format: magic, version and count (four bytes each), the entries, and a SHA-1 digest of it all. All numbers
/// have their highest byte first. Nothing is copied but names, and nothing is allocated by a count or a length
/// from the file, so memory is linear in the file's size.
struct JavaKeystore {
  /// In the file's order.
  private(set) var certificates: [TrustedCertificate] = []
  /// Private keys that were passed over, with their chains.
  private(set) var privateKeys = 0

  struct TrustedCertificate {
    /// Escaped for display.
    let alias: String
    /// The place of its DER in the file.
    let range: Range<Int>
  }

  static let magic: UInt32 = 0xFEED_FEED

  private static let digestBytes = 20

  /// The digest is checked if there is a password.
  init(parsing file: Span<UInt8>, password: String?) throws(Problem) {
    guard file.count > Self.digestBytes else { throw .keystoreTruncated(0) }
    let body = file.extracting(0..<file.count - Self.digestBytes)
    var cursor = Cursor(offset: 4)
    let version = try cursor.number(in: body)
    guard version == 1 || version == 2 else {
      throw Problem("expected a JKS keystore of version 1 or 2, found version \(version)")
    }
    for _ in 0..<(try cursor.number(in: body)) {
      try readEntry(body, &cursor, isTyped: version == 2)
    }
    guard cursor.offset == body.count else { throw .trailingBytes(body.count - cursor.offset) }
    if let password { try Self.checkDigest(file, body, password) }
  }

  private mutating func readEntry(
    _ body: Span<UInt8>, _ cursor: inout Cursor, isTyped: Bool
  ) throws(Problem) {
    let kind = try cursor.number(in: body)
    let alias = try cursor.text(in: body)
    // The entry's date, which is not used.
    _ = try cursor.take(8, in: body)
    switch kind {
    case 1:
      _ = try cursor.block(in: body)
      for _ in 0..<(try cursor.number(in: body)) { _ = try Self.certificate(body, &cursor, isTyped: isTyped) }
      privateKeys += 1
    case 2:
      let range = try Self.certificate(body, &cursor, isTyped: isTyped)
      let name = DisplayText.escaped(alias, limit: DisplayText.nameCharacters)
      certificates.append(TrustedCertificate(alias: name, range: range))
    default: throw .keystoreEntryKind(kind)
    }
  }

  /// Version 1 has X.509 certificates only and does not name their type.
  private static func certificate(
    _ body: Span<UInt8>, _ cursor: inout Cursor, isTyped: Bool
  ) throws(Problem) -> Range<Int> {
    if isTyped, try !cursor.text(in: body).hasSameBytes(as: "X.509") {
      throw Problem("a certificate is not of type X.509")
    }
    return try cursor.block(in: body)
  }

  /// The digest is over the password in UTF-16, a phrase of the format's authors, and the body.
  private static func checkDigest(
    _ file: Span<UInt8>, _ body: Span<UInt8>, _ password: String
  ) throws(Problem) {
    let key = password.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } + Array("Mighty Aphrodite".utf8)
    let digest = try Problem.ofReading(SHA1Hasher.digest(of: key.span, body))
    guard digest.span.hasSameBytes(as: file.extracting(body.count..<file.count)) else { throw .keystoreDigest }
  }

  /// A place in the keystore's body, which only moves forward and never past the end.
  private struct Cursor {
    var offset: Int

    mutating func take(_ count: Int, in body: Span<UInt8>) throws(Problem) -> Range<Int> {
      guard count <= body.count - offset else { throw .keystoreTruncated(offset) }
      defer { offset += count }
      return offset..<offset + count
    }

    mutating func number(in body: Span<UInt8>) throws(Problem) -> UInt32 {
      guard let number = body.bigEndianWord(at: offset) else { throw .keystoreTruncated(offset) }
      offset += 4
      return number
    }

    /// The length in four bytes comes first.
    mutating func block(in body: Span<UInt8>) throws(Problem) -> Range<Int> {
      let start = offset
      let length = Int(try number(in: body))
      guard length <= body.count - offset else { throw .keystoreTruncated(start) }
      return try take(length, in: body)
    }

    /// The length in two bytes comes first.
    mutating func text(in body: Span<UInt8>) throws(Problem) -> String {
      let start = offset
      let head = try take(2, in: body)
      let length = Int(body[head.lowerBound]) << 8 | Int(body[head.lowerBound + 1])
      guard length <= body.count - offset else { throw .keystoreTruncated(start) }
      let range = try take(length, in: body)
      guard let text = ModifiedUTF8.text(body.extracting(range)) else {
        throw Problem("a name is not in Java's UTF-8", cure: "is the keystore damaged?")
      }
      return text
    }
  }
}

extension Problem {
  /// A length or count points past the end; `offset` is that of the field.
  static func keystoreTruncated(_ offset: Int) -> Problem {
    Problem("the JKS keystore is cut off: byte \(offset) announces more than follows")
  }
  static func keystoreEntryKind(_ kind: UInt32) -> Problem {
    Problem("expected a JKS entry of kind 1 or 2, found kind \(kind)", cure: "is the keystore damaged?")
  }
  static var keystoreDigest: Problem {
    Problem(
      "the keystore's digest does not match the given password",
      cure: "the password is wrong or the file is damaged")
  }
}
