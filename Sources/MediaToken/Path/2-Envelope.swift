internal import MediaTokenSystem

/// Step 2: a token's bytes cut into its signature and the bytes that were signed.
///
/// `<signatureInfo>` S M B, where the second marker M really is another opening tag (or, rarely, a closing one): the
/// whole is not XML and never meets an XML parser. Nothing is searched for: S ends at the first `<`, and everything
/// after M is signed (<doc:TokenFormat>, "Envelope").
package struct Envelope: ~Escapable {
  /// The bytes that the signature is over. Not verified: only step 3 may read them.
  package let signedBytes: Span<UInt8>

  package let signatureBytes: Int

  /// As much of the signature as the buffer holds.
  private let decodedSignature: Span<UInt8>

  /// The buffer is for the decoded signature; ``Limits/signatureBytes`` long, so that it holds any that a trusted key can
  /// have made. `INVALID_TOKEN_FORMAT` if a marker, the signature or the signed bytes are not as they must be.
  @_lifetime(copy token, &buffer)
  package init(cutting token: Span<UInt8>, signatureInto buffer: inout [UInt8]) throws(Refusal) {
    let opening: StaticString = "<signatureInfo>"
    guard token.begins(with: opening) else { throw .because(.decodedUnknownForm) }
    let start = opening.utf8CodeUnitCount
    let end = token.firstIndex(of: UInt8(ascii: "<"), from: start) ?? token.count
    guard end > start else { throw .because(.signatureMissing) }
    guard let marker = Self.markerLength(in: token, at: end) else { throw .because(.secondMarker, .offset(end)) }
    let length = try Self.decodeSignature(token.extracting(start..<end), into: &buffer)
    guard end + marker < token.count else { throw .because(.signedBytesMissing) }

    signatureBytes = length
    signedBytes = token.extracting(droppingFirst: end + marker)
    decodedSignature = buffer.span.extracting(first: min(length, buffer.count))
  }

  /// Nil if the signature is longer than any trusted key's.
  package var signature: Span<UInt8>? {
    @_lifetime(copy self)
    get { decodedSignature.count == signatureBytes ? decodedSignature : nil }
  }

  private static func markerLength(in token: Span<UInt8>, at offset: Int) -> Int? {
    let (opening, closing): (StaticString, StaticString) = ("<signatureInfo>", "</signatureInfo>")
    if token.has(opening, at: offset) { return opening.utf8CodeUnitCount }
    if token.has(closing, at: offset) { return closing.utf8CodeUnitCount }
    return nil
  }

  private static func decodeSignature(_ text: Span<UInt8>, into buffer: inout [UInt8]) throws(Refusal) -> Int {
    var output = buffer.mutableSpan
    do throws(Base64.Failure) {
      return try Base64.decode(text, as: .signature, into: &output)
    } catch {
      throw .because(.signatureNotBase64)
    }
  }
}
