internal import MediaTokenSystem

/// Step 1: from the received text to the token's bytes.
///
/// A token arrives raw, percent-encoded or base64. Its first bytes say which, once: nothing is tried until it works,
/// so one text has one meaning (<doc:TokenFormat>, "Forms accepted").
package enum Armor {
  package enum Form: String, Sendable {
    case raw
    case percent
    case base64
  }

  package struct Token: ~Escapable {
    package let form: Form
    /// Begins with the first marker.
    package let bytes: Span<UInt8>

    @_lifetime(copy bytes)
    fileprivate init(_ form: Form, _ bytes: Span<UInt8>) {
      self.form = form
      self.bytes = bytes
    }
  }

  /// Room for one token after another: for the text as it was received, and for its decoded bytes.
  package struct Buffers: ~Copyable {
    fileprivate var received = [UInt8](repeating: 0, count: Limits.receivedBytes)
    fileprivate var decoded = [UInt8](repeating: 0, count: Limits.receivedBytes)

    package init() {}
  }

  /// The token's bytes are part of `buffers` and not of the caller's memory: whatever that becomes during the verification,
  /// all later steps see the same bytes. The compiler holds this function to that: its result may depend on nothing but
  /// `buffers`. `INVALID_TOKEN_FORMAT` for any other form.
  @_lifetime(&buffers)
  package static func decode(
    _ received: Span<UInt8>, into buffers: inout Buffers
  ) throws(Refusal) -> Token {
    guard received.count <= Limits.receivedBytes else { throw .because(.tooLong) }
    copy(received, into: &buffers.received)
    let whole = buffers.received.span.extracting(first: received.count)
    let text = trimmedRange(of: whole)
    guard !text.isEmpty else { throw .because(.empty) }
    switch form(of: whole.extracting(text)) {
    case .raw:
      return Token(.raw, whole.extracting(text))
    case .percent:
      let count = try decodePercent(whole.extracting(text), into: &buffers.decoded)
      return Token(.percent, try token(in: buffers.decoded.span.extracting(first: count)))
    case .base64:
      let count = try decodeBase64(whole, text, into: &buffers.decoded)
      return Token(.base64, try token(in: buffers.decoded.span.extracting(first: count)))
    case nil:
      throw .because(.unknownForm, whole.extracting(text).beginsWithByteOrderMark ? .byteOrderMark : .nothing)
    }
  }

  /// The only read of the caller's memory. Never inlined: an optimizer that sees both sides of a copy may look at the
  /// original a second time.
  @inline(never)
  private static func copy(_ received: Span<UInt8>, into buffer: inout [UInt8]) {
    var output = buffer.mutableSpan
    output.copy(received, to: 0)
  }

  /// Nil if a trimmed text has none of the three forms.
  package static func form(of text: Span<UInt8>) -> Form? {
    if text.begins(with: "<signatureInfo>") { return .raw }
    if text.begins(with: "%3C") || text.begins(with: "%3c") { return .percent }
    if text.begins(with: "PHNpZ25hdHVyZUluZm8") { return .base64 }
    return nil
  }

  /// ASCII space, tab, CR and LF are left out at both ends.
  package static func trimmedRange(of text: Span<UInt8>) -> Range<Int> {
    var (start, end) = (0, text.count)
    while start < end, isOuterWhiteSpace(text[start]) { start += 1 }
    while start < end, isOuterWhiteSpace(text[end - 1]) { end -= 1 }
    return start..<end
  }

  private static func isOuterWhiteSpace(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
    default: false
    }
  }

  /// The decoded bytes must be a raw token; they are not trimmed again.
  @_lifetime(copy decoded)
  private static func token(in decoded: Span<UInt8>) throws(Refusal) -> Span<UInt8> {
    guard decoded.begins(with: "<signatureInfo>") else { throw .because(.decodedUnknownForm) }
    return decoded
  }

  /// Percent-decodes once, as forms do: `+` is a space.
  private static func decodePercent(_ text: Span<UInt8>, into buffer: inout [UInt8]) throws(Refusal) -> Int {
    var output = buffer.mutableSpan
    var (index, count) = (0, 0)
    while index < text.count {
      // Bytes without an escape seldom come singly, so eight are taken at once.
      if text[index] != UInt8(ascii: "%"), index &+ 8 <= text.count, count &+ 8 <= output.count {
        let word = text.word(at: index)
        let escapes = Word.marks(of: UInt8(ascii: "%"), in: word)
        let plain = escapes == 0 ? 8 : Word.distance(to: escapes)
        // All eight, but the next bytes are written over what comes after the plain ones.
        output.store(withSpacesForPluses(word), at: count)
        index &+= plain
        count &+= plain
        if plain == 8 { continue }
      }
      guard let (byte, length) = PercentCoding.byte(of: text, at: index) else {
        throw .because(.brokenPercentEscape, .offset(index))
      }
      output[count] = byte == UInt8(ascii: "+") && length == 1 ? UInt8(ascii: " ") : byte
      index += length
      count += 1
    }
    return count
  }

  /// Eight bytes, with a space for each `+`.
  private static func withSpacesForPluses(_ word: UInt64) -> UInt64 {
    let difference = word ^ Word.ones &* UInt64(UInt8(ascii: "+"))
    // No carry leaves a byte: the high bit is set in just those bytes that differ.
    let differs = ((difference & ~Word.highBits) &+ ~Word.highBits) | difference
    return word ^ (~differs & Word.highBits) >> 7 &* UInt64(UInt8(ascii: "+") ^ UInt8(ascii: " "))
  }

  /// Decodes base64. Every third token ends in `+`, which a form turns into a space, which is then trimmed: where
  /// that must have happened the space is taken back.
  private static func decodeBase64(
    _ received: Span<UInt8>, _ text: Range<Int>, into buffer: inout [UInt8]
  ) throws(Refusal) -> Int {
    var range = text
    if text.count & 3 == 3, text.upperBound < received.count, received[text.upperBound] == UInt8(ascii: " "),
      received.extracting(text).firstIndex(of: UInt8(ascii: "%"), from: 0) == nil
    {
      range = text.lowerBound..<text.upperBound + 1
    }
    var output = buffer.mutableSpan
    do throws(Base64.Failure) {
      return try Base64.decode(received.extracting(range), as: .token, into: &output)
    } catch {
      throw refusal(for: error)
    }
  }

  private static func refusal(for failure: Base64.Failure) -> Refusal {
    switch failure {
    case .character(let offset): .because(.base64Character, .offset(offset))
    case .percentEscape(let offset): .because(.brokenPercentEscape, .offset(offset))
    case .mixedAlphabets(let offset): .because(.base64Alphabets, .offset(offset))
    case .padding(let offset): .because(.base64Padding, .offset(offset))
    case .trailingBits(let offset): .because(.base64TrailingBits, .offset(offset))
    }
  }
}
