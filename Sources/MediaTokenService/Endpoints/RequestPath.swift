internal import MediaToken

/// The path of a URI, decoded once, or nothing where two readers could understand two things.
enum RequestPath {
  /// The decoded bytes of a path without its query.
  ///
  /// - Returns: nil for a path that does not begin with `/` or holds a broken escape, a control character, a backslash,
  ///   an encoded slash, `//`, or a segment `.` or `..`, each written in any way. Proxies rewrite such paths before they
  ///   route; whatever they make of it, nothing is let in by it here.
  static func decode(_ path: Span<UInt8>) -> [UInt8]? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(path.count)
    var index = 0
    while index < path.count {
      guard let (byte, length) = PercentCoding.byte(of: path, at: index) else { return nil }
      index += length
      switch byte {
      case 0..<0x20, 0x7F, UInt8(ascii: "\\"), UInt8(ascii: "#"): return nil
      case UInt8(ascii: "/") where length > 1: return nil
      default: decoded.append(byte)
      }
    }
    guard decoded.first == UInt8(ascii: "/"), hasPlainSegments(decoded.span) else { return nil }
    return decoded
  }

  /// Whether no segment but the last is empty and none is a dot segment, with or without parameters behind a `;`.
  private static func hasPlainSegments(_ path: Span<UInt8>) -> Bool {
    var start = 1
    for index in 1...path.count {
      guard index == path.count || path[index] == UInt8(ascii: "/") else { continue }
      if index == start, index < path.count { return false }
      if isDots(path.extracting(start..<index)) { return false }
      start = index + 1
    }
    return true
  }

  private static func isDots(_ segment: Span<UInt8>) -> Bool {
    var dots = 0
    while dots < segment.count, segment[dots] == UInt8(ascii: ".") { dots += 1 }
    guard dots == 1 || dots == 2 else { return false }
    return dots == segment.count || segment[dots] == UInt8(ascii: ";")
  }
}

/// Percent-encoding (RFC 3986, section 2.1), once and strictly.
enum PercentCoding {
  /// The byte that is written at `index`, and in how many bytes; nil for a `%` without two hexadecimal digits.
  @inline(__always)
  static func byte(of text: Span<UInt8>, at index: Int) -> (byte: UInt8, length: Int)? {
    let byte = text[index]
    guard byte == UInt8(ascii: "%") else { return (byte, 1) }
    guard index + 2 < text.count, let high = Hexadecimal.value(ofDigit: text[index + 1]),
      let low = Hexadecimal.value(ofDigit: text[index + 2])
    else { return nil }
    return (high << 4 | low, 3)
  }

  /// Appends the text with every byte encoded that is no letter, digit, `-`, `.`, `_` or `~`.
  static func encode(_ text: Span<UInt8>, into output: inout [UInt8]) {
    for index in text.indices {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        output.append(byte)
      default:
        output.append(UInt8(ascii: "%"))
        output.append(digit(byte >> 4))
        output.append(digit(byte & 15))
      }
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
