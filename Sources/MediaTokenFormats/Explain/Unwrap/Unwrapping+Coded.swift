internal import MediaToken
internal import MediaTokenSystem

/// How a token's text is written: codes, escapes and characters that no one sees.
extension Unwrapping {
  static func coded(_ text: [UInt8]) -> (Wrapper, [UInt8]?)? {
    if let plain = utf16(text) { return (.utf16, plain) }
    if text.span.beginsWithByteOrderMark { return (.byteOrderMark, Array(text.dropFirst(3))) }
    return withoutInvisible(text)
  }

  /// Codes of the whole text, tried after what is around it: a parameter's value may be encoded by itself.
  static func codedAgain(_ text: [UInt8]) -> (Wrapper, [UInt8]?)? {
    if text.span.begins(with: "&"), let plain = withoutHTML(text) { return (.htmlEscapes, plain) }
    if let plain = withoutJSONEscapes(text) { return (.jsonEscapes, plain) }
    if let plain = quotedPrintable(text) { return (.quotedPrintable, plain) }
    if let plain = withoutFolding(text) { return (.base64Lines, plain) }
    if let plain = TextBytes.percentDecoded(text) { return (.percentEncoding, plain) }
    if let plain = decodedBase64(text) { return (.base64, plain) }
    return nil
  }

  // MARK: characters

  /// The text in UTF-8, if every second byte of its beginning is zero.
  private static func utf16(_ text: [UInt8]) -> [UInt8]? {
    let hasMark = text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF])
    let body = hasMark ? text.dropFirst(2) : text[...]
    guard body.count >= 8 else { return nil }
    let head = body.prefix(16)
    let (even, odd) = (
      head.indices.filter { ($0 - head.startIndex) % 2 == 0 },
      head.indices.filter { ($0 - head.startIndex) % 2 == 1 }
    )
    let isBig = even.allSatisfy { head[$0] == 0 }
    guard isBig || odd.allSatisfy({ head[$0] == 0 }) else { return nil }
    var units: [UInt16] = []
    for index in stride(from: body.startIndex, to: body.endIndex - 1, by: 2) {
      let (first, second) = (UInt16(body[index]), UInt16(body[index + 1]))
      units.append(isBig ? first << 8 | second : second << 8 | first)
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// White space and format characters that are not ASCII, in UTF-8.
  private static let invisible: [(bytes: [UInt8], scalar: UInt32)] = [
    0xA0, 0xAD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2028, 0x2029, 0x202F, 0x2060, 0x3000, 0xFEFF,
  ].map { scalar in (Unicode.Scalar(scalar).map { Array(String($0).utf8) } ?? [], scalar) }

  /// The text without such characters: at its ends, and also inside where all else is ASCII, as signed text may have them.
  private static func withoutInvisible(_ text: [UInt8]) -> (Wrapper, [UInt8]?)? {
    guard let start = text.firstIndex(where: { $0 >= 0x80 }) else { return nil }
    var plain = Array(text[..<start])
    plain.reserveCapacity(text.count)
    var (index, found) = (start, (Wrapper, [UInt8]?)?.none)
    while index < text.count {
      if text[index] >= 0x80, let one = invisible.first(where: { text[index...].starts(with: $0.bytes) }) {
        if found == nil { found = (.invisible(one.scalar, offset: index), nil) }
        index += one.bytes.count
      } else if text[index] >= 0x80 {
        return nil
      } else {
        plain.append(text[index])
        index += 1
      }
    }
    return found.map { ($0.0, plain) }
  }

  // MARK: escapes

  /// The text with each of XML's five escapes, and each number of a character, as what it stands for.
  private static func withoutHTML(_ text: [UInt8]) -> [UInt8]? {
    replacing(UInt8(ascii: "&"), in: text) { rest in
      guard let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")) else { return nil }
      let name = String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
      let length = end - rest.startIndex + 1
      switch name.lowercased() {
      case "lt": return ("<", length)
      case "gt": return (">", length)
      case "amp": return ("&", length)
      case "quot": return ("\"", length)
      case "apos": return ("'", length)
      case let number where number.hasPrefix("#x"):
        return scalar(number.dropFirst(2), radix: 16).map { ($0, length) }
      case let number where number.hasPrefix("#"): return scalar(number.dropFirst(), radix: 10).map { ($0, length) }
      default: return nil
      }
    }
  }

  private static func withoutJSONEscapes(_ text: [UInt8]) -> [UInt8]? {
    replacing(UInt8(ascii: "\\"), in: text) { rest in
      guard rest.count >= 2 else { return nil }
      switch rest[rest.startIndex + 1] {
      case UInt8(ascii: "/"): return ("/", 2)
      case UInt8(ascii: "\""): return ("\"", 2)
      case UInt8(ascii: "\\"): return ("\\", 2)
      case UInt8(ascii: "n"): return ("\n", 2)
      case UInt8(ascii: "r"): return ("\r", 2)
      case UInt8(ascii: "t"): return ("\t", 2)
      case UInt8(ascii: "u") where rest.count >= 6:
        return scalar(
          String(decoding: rest[(rest.startIndex + 2)..<(rest.startIndex + 6)], as: UTF8.self)[...], radix: 16
        ).map { ($0, 6) }
      default: return nil
      }
    }
  }

  /// Quoted-printable (RFC 2045, section 6.7), where it shows: an escape of `=` or `<`, or a soft line break.
  private static func quotedPrintable(_ text: [UInt8]) -> [UInt8]? {
    guard ["=3D", "=3C", "=\r\n", "=\n"].contains(where: { TextBytes.has($0, in: text) }) else { return nil }
    return replacing(UInt8(ascii: "="), in: text) { rest in
      if rest.starts(with: "=\r\n".utf8) { return ("", 3) }
      if rest.starts(with: "=\n".utf8) { return ("", 2) }
      guard rest.count >= 3 else { return nil }
      return scalar(
        String(decoding: rest[(rest.startIndex + 1)..<(rest.startIndex + 3)], as: UTF8.self)[...], radix: 16
      ).map { ($0, 3) }
    }
  }

  /// The text with what `decode` makes of each place where `mark` is; nil if it makes nothing of any.
  ///
  /// - Parameter decode: gets the text from a mark on, and returns what to put in its place, and of how many bytes.
  private static func replacing(
    _ mark: UInt8, in text: [UInt8], _ decode: (ArraySlice<UInt8>) -> (String, Int)?
  ) -> [UInt8]? {
    var (plain, index, isChanged) = ([UInt8](), 0, false)
    plain.reserveCapacity(text.count)
    while let next = text.span.firstIndex(of: mark, from: index) {
      plain += text[index..<next]
      if let (replacement, length) = decode(text[next...]) {
        plain += replacement.utf8
        index = next + length
        isChanged = true
      } else {
        plain.append(mark)
        index = next + 1
      }
    }
    plain += text[index...]
    return isChanged ? plain : nil
  }

  private static func scalar(_ digits: Substring, radix: Int) -> String? {
    UInt32(digits, radix: radix).flatMap(Unicode.Scalar.init).map { String($0) }
  }

  // MARK: percent-encoding and base64

  /// Base64 without the white space inside it.
  private static func withoutFolding(_ text: [UInt8]) -> [UInt8]? {
    guard text.contains(where: TextBytes.isWhiteSpace),
      text.allSatisfy({ TextBytes.isBase64($0) || TextBytes.isWhiteSpace($0) })
    else { return nil }
    return text.filter { !TextBytes.isWhiteSpace($0) }
  }

  /// What a base64 text stands for, if that is text.
  private static func decodedBase64(_ text: [UInt8]) -> [UInt8]? {
    guard text.count >= 16, text.allSatisfy(TextBytes.isBase64) else { return nil }
    var decoded = [UInt8](repeating: 0, count: text.count)
    var output = decoded.mutableSpan
    guard let count = try? Base64.decode(text.span, as: .token, into: &output) else { return nil }
    decoded.removeLast(decoded.count - count)
    return decoded.prefix(64).allSatisfy { (0x20..<0x7F).contains($0) || TextBytes.isWhiteSpace($0) }
      ? decoded : nil
  }
}
