/// The presumed content of a DER file, by the tags of its first elements (X.690, section 8.1).
///
/// It only chooses which decoder is asked, or what an error says: nothing is accepted because of it.
enum DERShape {
  /// `SubjectPublicKeyInfo` (RFC 5280, section 4.1).
  case publicKey
  /// `Certificate` (RFC 5280, section 4.1).
  case certificate
  case other(OtherKeyForm)
  case unknown

  /// The tag of a SEQUENCE, with which every one of these forms begins.
  static let sequenceTag: UInt8 = 0x30

  private static let integerTag: UInt8 = 0x02
  private static let bitStringTag: UInt8 = 0x03
  private static let octetStringTag: UInt8 = 0x04
  private static let objectIdentifierTag: UInt8 = 0x06
  private static let contextTag0: UInt8 = 0xA0

  init(_ bytes: Span<UInt8>) {
    guard let outer = Element(bytes, at: 0), let first = Element(bytes, at: outer.content) else {
      self = .unknown
      return
    }
    let secondTag = first.next.flatMap { Element(bytes, at: $0) }?.tag
    switch first.tag {
    case Self.integerTag: self = Self.beginningWithInteger(bytes, first, secondTag)
    case Self.sequenceTag: self = Self.beginningWithSequence(bytes, first, secondTag)
    // ContentInfo (RFC 5652, section 3): an object identifier, then [0].
    case Self.objectIdentifierTag where secondTag == Self.contextTag0: self = .other(.pkcs7DER)
    default: self = .unknown
    }
  }

  private static func beginningWithInteger(
    _ bytes: Span<UInt8>, _ integer: Element, _ secondTag: UInt8?
  ) -> DERShape {
    // Versions are one byte; the modulus of a PKCS#1 public key is longer.
    let isVersion = integer.next == integer.content + 1
    switch (isVersion, secondTag) {
    // PFX (RFC 7292, section 4) has version 3, PrivateKeyInfo (RFC 5958, section 2) 0 or 1.
    case (true, sequenceTag): return .other(bytes[integer.content] == 3 ? .pkcs12 : .privateKeyDER)
    // RSAPrivateKey (RFC 8017, appendix A.1.2) and ECPrivateKey (RFC 5915, section 3).
    case (true, integerTag), (true, octetStringTag): return .other(.privateKeyDER)
    // RSAPublicKey (RFC 8017, appendix A.1.1).
    case (false, integerTag): return .other(.pkcs1DER)
    default: return .unknown
    }
  }

  private static func beginningWithSequence(
    _ bytes: Span<UInt8>, _ first: Element, _ secondTag: UInt8?
  ) -> DERShape {
    guard let inner = Element(bytes, at: first.content) else { return .unknown }
    switch (inner.tag, secondTag) {
    case (objectIdentifierTag, bitStringTag): return .publicKey
    // EncryptedPrivateKeyInfo (RFC 5958, section 3).
    case (objectIdentifierTag, octetStringTag): return .other(.privateKeyDER)
    case (contextTag0, _): return .certificate
    case (integerTag, _):
      // CertificationRequestInfo (RFC 2986, section 4.1) has two SEQUENCEs after its version, a certificate of
      // version 1 at least four after its serial number.
      var tags: [UInt8] = []
      var element: Element? = inner
      while tags.count < 4, let next = element?.next, next < first.next ?? 0, let found = Element(bytes, at: next) {
        tags.append(found.tag)
        element = found
      }
      return tags.allSatisfy { $0 == sequenceTag } && tags.count == 4 ? .certificate : .other(.requestDER)
    default: return .unknown
    }
  }

  /// The beginning of an element's content, and the place after it.
  private struct Element {
    let tag: UInt8
    let content: Int
    /// Nil if the element's length is indefinite.
    let next: Int?

    init?(_ bytes: Span<UInt8>, at offset: Int) {
      guard offset >= 0, offset < bytes.count - 1 else { return nil }
      tag = bytes[offset]
      let length = Int(bytes[offset + 1])
      if length <= 0x80 {
        content = offset + 2
        next = length < 0x80 ? content + length : nil
        return
      }
      // No file that is read needs more than four bytes for a length.
      let digits = length & 0x7F
      guard digits <= 4, offset + 2 + digits <= bytes.count else { return nil }
      content = offset + 2 + digits
      next = content + (offset + 2..<content).reduce(0) { $0 << 8 | Int(bytes[$1]) }
    }
  }
}
