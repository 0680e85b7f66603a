extension UInt8 {
  /// An ASCII letter or `_`.
  package var isNameStart: Bool {
    (self | 0x20) &- UInt8(ascii: "a") < 26 || self == UInt8(ascii: "_")
  }

  /// A letter, a digit, `_`, `.` or `-`: the bytes of element names after the first one. Other names are of the same bytes,
  /// such as those of files and hosts.
  @inline(__always)
  package var isNameByte: Bool {
    // One bit for each byte from 0 to 127.
    let low: UInt64 = 0x03FF_6000_0000_0000  // - . 0-9
    let high: UInt64 = 0x07FF_FFFE_87FF_FFFE  // A-Z _ a-z
    return self < 0x80 && (self < 0x40 ? low : high) >> UInt64(self & 0x3F) & 1 == 1
  }

  /// Space, tab or line feed, but no carriage return, which XML rewrites.
  var isFieldWhiteSpace: Bool {
    self == UInt8(ascii: " ") || self == UInt8(ascii: "\n") || self == UInt8(ascii: "\t")
  }

  /// XML 1.0, section 2.3, `S`.
  var isXMLWhiteSpace: Bool { isFieldWhiteSpace || self == UInt8(ascii: "\r") }
}

/// Well-formed UTF-8, one character at a time.
enum UTF8Scalar {
  /// The length of the character at `offset`, or nil if the bytes there are not well-formed UTF-8: overlong, a surrogate,
  /// beyond U+10FFFF or cut off (The Unicode Standard, table 3-7).
  static func length(in bytes: Span<UInt8>, at offset: Int) -> Int? {
    let first = bytes[offset]
    let (length, second): (Int, ClosedRange<UInt8>)
    switch first {
    case 0x00...0x7F: return 1
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return nil
    }
    guard length <= bytes.count - offset, second.contains(bytes[offset + 1]) else { return nil }
    for index in offset + 2..<offset + length where bytes[index] & 0xC0 != 0x80 { return nil }
    return length
  }
}
