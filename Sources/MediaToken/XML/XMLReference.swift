internal import MediaTokenSystem

/// A reference in XML that needs no DTD to be understood: one of the five named escapes, or the number of a character.
enum XMLReference {
  /// The reason why a text that begins with `&` is not such a reference.
  enum Flaw: Error {
    /// It has another name, or no end.
    case unknown
    /// It is to a character that XML 1.0 does not allow.
    case forbidden
  }

  /// The end of the reference whose `&` is at `start`.
  static func end(in bytes: Span<UInt8>, from start: Int) throws(Flaw) -> Int {
    guard start + 1 < bytes.count else { throw .unknown }
    // A resource may be full of them, so that not every name is compared with every one.
    switch bytes[start + 1] {
    case UInt8(ascii: "#"): return try endOfNumber(in: bytes, from: start)
    case UInt8(ascii: "l") where bytes.has("&lt;", at: start): return start + 4
    case UInt8(ascii: "g") where bytes.has("&gt;", at: start): return start + 4
    case UInt8(ascii: "a") where bytes.has("&amp;", at: start): return start + 5
    case UInt8(ascii: "a") where bytes.has("&apos;", at: start): return start + 6
    case UInt8(ascii: "q") where bytes.has("&quot;", at: start): return start + 6
    default: throw .unknown
    }
  }

  /// `&#…;` or `&#x…;`, with any number of leading zeros.
  private static func endOfNumber(in bytes: Span<UInt8>, from start: Int) throws(Flaw) -> Int {
    let isHexadecimal = start + 2 < bytes.count && bytes[start + 2] == UInt8(ascii: "x")
    let digits = start + (isHexadecimal ? 3 : 2)
    var index = digits
    var scalar: UInt32 = 0
    while index < bytes.count, let digit = Hexadecimal.value(ofDigit: bytes[index]), isHexadecimal || digit < 10 {
      // A number past the last character is too large, and stays so.
      if scalar <= 0x10FFFF { scalar = scalar * (isHexadecimal ? 16 : 10) + UInt32(digit) }
      index += 1
    }
    guard index > digits, index < bytes.count, bytes[index] == UInt8(ascii: ";") else { throw .unknown }
    guard isAllowed(scalar) else { throw .forbidden }
    return index + 1
  }

  /// The production `Char` of XML 1.0, section 2.2.
  private static func isAllowed(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }
}
