internal import MediaToken
internal import MediaTokenSystem

/// Looking at text byte by byte, where it may be anything that someone sent.
enum TextBytes {
  static func trimmed(_ text: Span<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(copying: text.extracting(Armor.trimmedRange(of: text)))
    return bytes
  }

  /// The beginnings of a token, in each of its forms, and as HTML and JSON write it.
  private static let markers = [
    "<signatureInfo>", "PHNpZ25hdHVyZUluZm8", "%3CsignatureInfo", "%3csignatureInfo", "&lt;signatureInfo",
    "\\u003csignatureInfo",
  ].map { Array($0.utf8) }

  /// The beginning of a token, at or after `start`.
  static func firstMarker(in text: [UInt8], from start: Int) -> Int? {
    markers.compactMap { first($0, in: text, from: start) }.min()
  }

  /// True if a token begins the text and another one follows. A token has its first marker twice, and in base64 the second
  /// one may show; then it is inside of base64, and not after a separator or padding.
  static func hasSeveralTokens(_ text: [UInt8]) -> Bool {
    guard firstMarker(in: text, from: 0) == 0 else { return false }
    if !text.span.begins(with: "PHNpZ25hdHVyZUluZm8") {
      guard let second = firstMarker(in: text, from: 1) else { return false }
      return firstMarker(in: text, from: second + 1) != nil
    }
    var place = 0
    while let next = first(markers[1], in: text, from: place + 1) {
      if text[next - 1] == UInt8(ascii: "=") || !isBase64(text[next - 1]) { return true }
      place = next
    }
    return false
  }

  /// Nil also for an empty word.
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

  /// True if all of the text is as a pattern in lower or upper case: `*` is any bytes, `~` a name or several with spaces,
  /// `^` six or more hexadecimal digits, `|` some asterisks.
  static func isLike(_ pattern: String, _ text: [UInt8]) -> Bool {
    func folded(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }
    let pattern = Array(pattern.utf8)
    var (index, place, star) = (0, 0, (index: 0, place: -1))
    while index < text.count {
      let (rest, kind) = (text[index...], place < pattern.count ? pattern[place] : 0)
      var length = 0
      switch kind {
      case UInt8(ascii: "*"): star = (index, place + 1)
      case UInt8(ascii: "~"): length = rest.prefix { $0.isNameByte || $0 == UInt8(ascii: " ") }.count
      case UInt8(ascii: "^"):
        length = rest.prefix { Hexadecimal.value(ofDigit: $0) != nil }.count
        if length < 6 { length = 0 }
      case UInt8(ascii: "|"): length = rest.prefix { $0 == UInt8(ascii: "*") }.count
      default: length = folded(text[index]) == folded(kind) ? 1 : 0
      }
      if length > 0 || kind == UInt8(ascii: "*") {
        (index, place) = (index + length, place + 1)
      } else if star.place >= 0 {
        star.index += 1
        (index, place) = star
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  /// A name that may be shown: letters, digits, `_`, `-` and `.`, at most 40, and not part of a token.
  static func name(_ bytes: ArraySlice<UInt8>) -> String? {
    guard (1...40).contains(bytes.count), bytes.allSatisfy(\.isNameByte), let first = bytes.first, !isDigit(first)
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `U+00A0`, for example.
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

  static func isBase64(_ byte: UInt8) -> Bool {
    isDigit(byte) || isLetter(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
      || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "=")
  }
}
