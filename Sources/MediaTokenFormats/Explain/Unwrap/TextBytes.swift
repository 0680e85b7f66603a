internal import MediaToken
internal import MediaTokenSystem

/// Functions on text byte by byte, which may be anything.
enum TextBytes {
  static func trimmed(_ text: Span<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(copying: text.extracting(Armor.trimmedRange(of: text)))
    return bytes
  }

  /// The angle brackets of a token's tags, in each of its forms and in the escapes around them.
  private static let angles = [
    ("<", ">"), ("%3C", "%3E"), ("%3c", "%3e"), ("%253C", "%253E"), ("&lt;", "&gt;"), ("&amp;lt;", "&amp;gt;"),
    ("&#60;", "&#62;"), ("&#x3C;", "&#x3E;"), ("\\u003c", "\\u003e"), ("\\u003C", "\\u003E"),
    ("\\x3C", "\\x3E"),
  ]
  /// The beginnings of a token in base64, and of its base64 and percent forms in base64.
  private static let codes = ["PHNpZ25hdHVyZUluZm8", "UEhOcFoyNWhkSFZ5WlVs", "JTNDc2lnbmF0dXJlSW5mb"].map {
    Array($0.utf8)
  }
  private static let markers = angles.map { Array("\($0.0)signatureInfo".utf8) } + codes
  private static let tagEnds = angles.map { Array($0.1.utf8) }

  /// At or after `start`.
  static func firstMarker(in text: [UInt8], from start: Int) -> Int? {
    markers.compactMap { first($0, in: text, from: start) }.min()
  }

  static func beginsWithMarker(_ text: ArraySlice<UInt8>) -> Bool { markers.contains { text.starts(with: $0) } }

  /// The possible tokens that begin at `start`: all up to its root's end tag, or its base64, without and with some
  /// lines that follow.
  static func tokens(in text: [UInt8], from start: Int) -> [Range<Int>] {
    guard codes.contains(where: { text[start...].starts(with: $0) }) else {
      var (place, ends) = (start, [Int]())
      // Both names of the root end so, and no field's does.
      while ends.count < 2, let next = first(Array("oken".utf8), in: text, from: place) {
        place = next + 4
        if let end = tagEnds.first(where: { text[place...].starts(with: $0) }) { ends.append(place + end.count) }
      }
      return [start..<(ends.count == 2 ? ends[1] : text.count)]
    }
    let isPart = { (byte: UInt8) in isBase64(byte) || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") }
    var (end, width, ranges) = (start, Int.max, [Range<Int>]())
    while let line = text[end...].firstIndex(where: { !isWhiteSpace($0) }) {
      let part = text[line...].prefix(while: isPart)
      // All lines but the first and the last are of one length.
      guard !part.isEmpty, part.count <= width else { break }
      end = part.endIndex
      ranges.append(start..<(end - (part.last == UInt8(ascii: "\\") ? 1 : 0)))
      if part.count < width, ranges.count > 2 { break }
      if ranges.count > 1 { width = part.count }
      if end < text.count, !isWhiteSpace(text[end]) { break }
    }
    return Array(ranges.prefix(1) + ranges.dropFirst().suffix(3).reversed())
  }

  /// True if a token begins the text and another one follows. A token has its first marker twice, and in base64 the second one may
  /// show; then it is inside of base64, and not after a separator or padding.
  static func hasSeveralTokens(_ text: [UInt8]) -> Bool {
    guard firstMarker(in: text, from: 0) == 0 else { return false }
    guard text.starts(with: codes[0]) else {
      guard let second = firstMarker(in: text, from: 1) else { return false }
      return firstMarker(in: text, from: second + 1) != nil
    }
    var place = 0
    while let next = first(codes[0], in: text, from: place + 1) {
      if text[next - 1] == UInt8(ascii: "=") || !isBase64(text[next - 1]) { return true }
      place = next
    }
    return false
  }

  /// At or after `start`; nil also for an empty word.
  static func first(_ word: [UInt8], in text: [UInt8], from start: Int = 0) -> Int? {
    guard let initial = word.first else { return nil }
    let (span, word) = (text.span, word.span)
    var place = span.firstIndex(of: initial, from: start)
    while let index = place, index + word.count <= span.count {
      if span.extracting(index..<index + word.count).hasSameBytes(as: word) { return index }
      place = span.firstIndex(of: initial, from: index + 1)
    }
    return nil
  }

  static func has(_ word: String, in text: [UInt8]) -> Bool { first(Array(word.utf8), in: text) != nil }

  /// A name that may be shown: letters, digits, `_`, `-` and `.`, at most 31, which is shorter than a GUID, or 48 if they
  /// are words in small letters with `_` between them.
  static func name(_ bytes: ArraySlice<UInt8>) -> String? {
    let isWords =
      bytes.contains(UInt8(ascii: "_"))
      && bytes.allSatisfy { $0 == UInt8(ascii: "_") || $0 &- UInt8(ascii: "a") < 26 }
    guard (1...(isWords ? 48 : 31)).contains(bytes.count), bytes.allSatisfy(\.isNameByte),
      bytes.first.map(isDigit) == false
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A character by its number, as `U+00A0`.
  static func codePoint(_ scalar: UInt32) -> String {
    let digits = String(scalar, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

  static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
      || byte == UInt8(ascii: "\n")
  }

  /// True for both alphabets.
  static func isBase64(_ byte: UInt8) -> Bool {
    isDigit(byte) || isLetter(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
      || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "=")
  }
}
