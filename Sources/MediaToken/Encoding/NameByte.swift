extension UInt8 {
  /// Whether an element name may begin with this byte: an ASCII letter or `_`.
  @inline(__always)
  var isNameStart: Bool {
    (self | 0x20) &- UInt8(ascii: "a") < 26 || self == UInt8(ascii: "_")
  }

  /// Whether an element name may go on with this byte: a letter, a digit, `_`, `.` or `-`.
  @inline(__always)
  var isNameByte: Bool {
    // One bit for each byte from 0 to 127.
    let low: UInt64 = 0x03FF_6000_0000_0000  // - . 0-9
    let high: UInt64 = 0x07FF_FFFE_87FF_FFFE  // A-Z _ a-z
    return self < 0x80 && (self < 0x40 ? low : high) >> UInt64(self & 0x3F) & 1 == 1
  }

  /// Whether the byte may be between elements: space, tab or line feed, but no carriage return, which XML rewrites.
  @inline(__always)
  var isFieldWhiteSpace: Bool {
    self == UInt8(ascii: " ") || self == UInt8(ascii: "\n") || self == UInt8(ascii: "\t")
  }
}
