/// Well-formed UTF-8, one character at a time.
enum UTF8Scalar {
  /// How many bytes the character at `offset` has, or nil if the bytes there are not well-formed UTF-8: overlong,
  /// a surrogate, beyond U+10FFFF or cut off (The Unicode Standard, table 3-7).
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
