internal import MediaToken
internal import MediaTokenSystem

extension Cause {
  /// The encodings of a whole text or of the token in it, in the order in which they are tried.
  static let codes = [
    Cause("is UTF-16 text, as PowerShell's > writes it", "write it as UTF-8 or ASCII", undone: utf16),
    Cause(
      "has the character {}, which is invisible or looks like a hyphen",
      "copy the token from plain text, or send it from the program that got it", name: firstOdd
    ) { text in
      text.allSatisfy { $0 < 0x80 }
        ? [] : [odd.reduce(text) { TextBytes.replacing($1.text, by: $1.plain, in: $0) }]
    },
    Cause(
      "has HTML escapes, such as &lt; for <", "decode the HTML or XML before you pass its text on", undone: html),
    Cause(
      "has escapes of JSON, such as \\u003c or \\/", "decode the JSON before you pass its value on", undone: json),
    Cause(
      "has escapes such as \\x3C, as a log of nginx has them", "send the token itself, and not its form in a log"
    ) { escaped(by: "\\x", $0) },
    Cause("is base64 with line breaks or spaces inside", "encode without line breaks, as base64 -w0 does") { text in
      let plain = text.filter { !TextBytes.isWhiteSpace($0) }
      return plain.allSatisfy { TextBytes.isBase64($0) || $0 == UInt8(ascii: "%") } ? [plain] : []
    },
    Cause("is quoted-printable, as mail has it", "decode the mail before you pass its text on") { text in
      let joined = ["=\r\n", "=\n"].reduce(text) { TextBytes.replacing($1, by: "", in: $0) }
      return escaped(by: "=", joined) + [joined]
    },
    Cause(
      "is percent-encoded once too often: twice, where once is right",
      "look for two programs on the way that both percent-encode it: once is enough"
    ) { percent($0).filter(isToken) },
    Cause(
      "is encoded twice: it is base64 of what was encoded already",
      "look for two programs on the way that both encode it: once is enough"
    ) { base64($0).filter(isToken) },
    Cause("is base64 or percent-encoded text of another kind", "decode it to see what was sent") {
      (percent($0) + base64($0)).filter { !isToken($0) }
    },
    Cause(
      "is hexadecimal, as NSData and database tools print bytes", "send the text that the bytes are",
      undone: hexadecimal),
  ]

  private static let isToken = { @Sendable (text: [UInt8]) in TextBytes.beginsWithMarker(text[...]) }

  /// For both orders of bytes.
  private static let utf16 = { @Sendable (text: [UInt8]) -> [[UInt8]] in
    guard text.prefix(16).contains(0) else { return [] }
    return [true, false].map { isBig in
      let units = stride(from: 0, to: text.count - 1, by: 2).map { index in
        UInt16(text[isBig ? index : index + 1]) << 8 | UInt16(text[isBig ? index + 1 : index])
      }
      return Array(String(decoding: units.first == 0xFEFF ? units.dropFirst() : units[...], as: UTF16.self).utf8)
    }
  }

  /// White space and format characters that are not ASCII, which are nothing in a token, and hyphens.
  private static let odd: [(text: String, scalar: UInt32, plain: String)] =
    ([UInt32]([
      0xA0, 0xAD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2028, 0x2029, 0x202F, 0x2060, 0x3000, 0xFEFF, 0x2212,
    ]) + (0x2010...0x2015)).compactMap { scalar in
      let isHyphen = (0x2010...0x2015).contains(scalar) || scalar == 0x2212
      return Unicode.Scalar(scalar).map { (String($0), scalar, isHyphen ? "-" : "") }
    }

  private static let firstOdd = { @Sendable (text: [UInt8]) -> String in
    let places = odd.compactMap { one in TextBytes.first(Array(one.text.utf8), in: text).map { ($0, one.scalar) } }
    return places.min { $0.0 < $1.0 }.map { "\(TextBytes.codePoint($1)) at byte \($0)" } ?? ""
  }

  /// Each of XML's five escapes, and each number of a character, is decoded: of one level, and not those that are a
  /// token's own.
  private static let html = { @Sendable (text: [UInt8]) -> [[UInt8]] in
    guard text.first == UInt8(ascii: "&") else { return [] }
    var plain: [UInt8] = []
    for part in text.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).dropFirst() {
      let end = part.prefix(12).firstIndex(of: UInt8(ascii: ";")) ?? part.startIndex
      let name = String(decoding: part[..<end], as: UTF8.self).lowercased()
      let digits = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
      let number = name.hasPrefix("#") ? digits.flatMap(Unicode.Scalar.init).map { String($0) } : nil
      if let character = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"][name] ?? number {
        plain += Array(character.utf8) + part[(end + 1)...]
      } else {
        plain += [UInt8(ascii: "&")] + part
      }
    }
    return [plain]
  }

  /// The text as a string of JSON, which jansson reads as the member of an object.
  private static let json = { @Sendable (text: [UInt8]) -> [[UInt8]] in
    let object = Array("{\"\":\"".utf8) + text + Array("\"}".utf8)
    guard text.contains(UInt8(ascii: "\\")),
      (try? JSONBounds(punctuation: 64, levels: 2).check(object.span)) != nil,
      case .string(let inside)? = (try? JSONTree(parsing: object.span))?[""]?.value
    else { return [] }
    return [Array(inside.utf8)]
  }

  /// Decodes two hexadecimal digits after each `mark`, as percent-encoding.
  private static func escaped(by mark: String, _ text: [UInt8]) -> [[UInt8]] {
    let masked = TextBytes.replacing("%", by: "%25", in: text)
    let coded = TextBytes.replacing(mark, by: "%", in: masked)
    return coded == masked ? [] : percent(coded)
  }

  private static let percent = { @Sendable (text: [UInt8]) in TextBytes.percentDecoded(text).map { [$0] } ?? [] }

  /// The decoded base64, if that is text.
  private static let base64 = { @Sendable (text: [UInt8]) -> [[UInt8]] in
    guard text.count >= 16, text.allSatisfy(TextBytes.isBase64) else { return [] }
    var decoded = [UInt8](repeating: 0, count: text.count)
    var output = decoded.mutableSpan
    guard let count = try? Base64.decode(text.span, as: .token, into: &output) else { return [] }
    let isText = decoded.prefix(min(count, 64)).allSatisfy {
      (0x20..<0x7F).contains($0) || TextBytes.isWhiteSpace($0)
    }
    return isText ? [Array(decoded.prefix(count))] : []
  }

  /// Pairs of hexadecimal digits, which may be in groups, have `0x` or `\x` before them, or `<` and `>` around them.
  private static let hexadecimal = { @Sendable (text: [UInt8]) -> [[UInt8]] in
    let digits = text.drop { $0 == UInt8(ascii: "<") }.filter {
      $0 != UInt8(ascii: ">") && !TextBytes.isWhiteSpace($0)
    }
    let pairs = ["0x", "\\x"].contains { digits.starts(with: $0.utf8) } ? digits.dropFirst(2) : digits[...]
    guard pairs.count >= 32, pairs.allSatisfy({ Hexadecimal.value(ofDigit: $0) != nil }) else { return [] }
    return percent(
      stride(from: pairs.startIndex, to: pairs.endIndex - 1, by: 2).flatMap {
        [UInt8(ascii: "%")] + pairs[$0...($0 + 1)]
      })
  }
}
