/// Step 2: a token's bytes cut into its signature and the bytes that were signed.
///
/// `<signatureInfo>` S M B, where the second marker M really is another opening tag (or, rarely, a closing one): the
/// whole is not XML and never meets an XML parser. Nothing is searched for: S ends at the first `<`, and everything
/// behind M is signed (<doc:TokenFormat>, "Envelope").
package struct Envelope: ~Escapable {
  /// The bytes that the signature is over. Not verified: only step 3 may read them.
  package let signedBytes: Span<UInt8>

  /// How many bytes the signature has.
  package let signatureBytes: Int

  /// The signature, if it is short enough for any trusted key.
  private var storage = InlineArray<512, UInt8>(repeating: 0)  // Limits.signatureBytes

  /// Cuts the token.
  ///
  /// - Throws: `INVALID_TOKEN_FORMAT` if a marker, the signature or the signed bytes are not as they must be.
  @_lifetime(copy token)
  package init(cutting token: Span<UInt8>) throws(Refusal) {
    let opening: StaticString = "<signatureInfo>"
    guard token.has(opening, at: 0) else { throw .because(.decodedUnknownForm) }
    let start = opening.utf8CodeUnitCount
    let end = Self.offset(of: UInt8(ascii: "<"), in: token, from: start)
    guard end > start else { throw .because(.signatureMissing) }
    guard let marker = Self.markerLength(in: token, at: end) else { throw .because(.secondMarker, .offset(end)) }

    signatureBytes = try Self.decodeSignature(token.extracting(start..<end), into: &storage)
    signedBytes = token.extracting(droppingFirst: end + marker)
    guard !signedBytes.isEmpty else { throw .because(.signedBytesMissing) }
  }

  /// The signature, or nil if it is longer than any trusted key's.
  package var signature: Span<UInt8>? {
    @_lifetime(borrow self)
    get {
      signatureBytes <= storage.count ? storage.span.extracting(first: signatureBytes) : nil
    }
  }

  /// Where `byte` comes first at or after `start`; the end if it does not.
  private static func offset(of byte: UInt8, in token: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index &+ 8 <= token.count {
      let marks = Word.marks(of: byte, in: token.word(at: index))
      if marks != 0 { return index + Word.distance(to: marks) }
      index &+= 8
    }
    while index < token.count, token[index] != byte { index &+= 1 }
    return index
  }

  private static func markerLength(in token: Span<UInt8>, at offset: Int) -> Int? {
    let (opening, closing): (StaticString, StaticString) = ("<signatureInfo>", "</signatureInfo>")
    if token.has(opening, at: offset) { return opening.utf8CodeUnitCount }
    if token.has(closing, at: offset) { return closing.utf8CodeUnitCount }
    return nil
  }

  private static func decodeSignature(
    _ text: Span<UInt8>, into signature: inout InlineArray<512, UInt8>
  ) throws(Refusal) -> Int {
    var output = signature.mutableSpan
    do throws(Base64.Failure) {
      return try Base64.decode(text, as: .signature, into: &output)
    } catch {
      throw .because(.signatureNotBase64)
    }
  }
}
