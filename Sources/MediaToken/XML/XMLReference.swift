internal import MediaTokenSystem

/// A reference in XML that needs no DTD to be understood: one of the five named escapes, or the number of a character.
enum XMLReference {
  /// It is one, up to this index.
  case end(Int)
  /// It has another name, or no end.
  case unknown
  /// It is to a character that XML 1.0 does not allow.
  case forbidden

  /// The `&` is at `start`.
  init(in bytes: Span<UInt8>, from start: Int) {
    guard start + 1 < bytes.count else {
      self = .unknown
      return
    }
    // A resource may be full of them, so that not every name is compared with every one.
    switch bytes[start + 1] {
    case UInt8(ascii: "#"): self = Self.number(in: bytes, from: start)
    case UInt8(ascii: "l") where bytes.has("&lt;", at: start): self = .end(start + 4)
    case UInt8(ascii: "g") where bytes.has("&gt;", at: start): self = .end(start + 4)
    case UInt8(ascii: "a") where bytes.has("&amp;", at: start): self = .end(start + 5)
    case UInt8(ascii: "a") where bytes.has("&apos;", at: start): self = .end(start + 6)
    case UInt8(ascii: "q") where bytes.has("&quot;", at: start): self = .end(start + 6)
    default: self = .unknown
    }
  }

  /// `&#…;` or `&#x…;`, with any number of leading zeros.
  private static func number(in bytes: Span<UInt8>, from start: Int) -> XMLReference {
    let isHexadecimal = start + 2 < bytes.count && bytes[start + 2] == UInt8(ascii: "x")
    let digits = start + (isHexadecimal ? 3 : 2)
    var index = digits
    var scalar: UInt32 = 0
    while index < bytes.count, let digit = Hexadecimal.value(ofDigit: bytes[index]), isHexadecimal || digit < 10 {
      // A number past the last character is too large, and stays so.
      if scalar <= 0x10FFFF { scalar = scalar * (isHexadecimal ? 16 : 10) + UInt32(digit) }
      index += 1
    }
    guard index > digits, index < bytes.count, bytes[index] == UInt8(ascii: ";") else { return .unknown }
    return isAllowed(scalar) ? .end(index + 1) : .forbidden
  }

  /// The production `Char` of XML 1.0, section 2.2.
  private static func isAllowed(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }
}
