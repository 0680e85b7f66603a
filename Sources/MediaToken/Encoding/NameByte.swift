extension UInt8 {
  /// Whether an element name may begin with this byte: an ASCII letter or `_`.
  var isNameStart: Bool {
    (self | 0x20) &- UInt8(ascii: "a") < 26 || self == UInt8(ascii: "_")
  }

  /// Whether an element name may go on with this byte: a letter, a digit, `_`, `.` or `-`.
  var isNameByte: Bool {
    isNameStart || self &- UInt8(ascii: "0") < 10 || self == UInt8(ascii: ".") || self == UInt8(ascii: "-")
  }

  /// Whether the byte may stand between elements: space, tab or line feed, but no carriage return, which XML rewrites.
  var isFieldWhiteSpace: Bool {
    self == UInt8(ascii: " ") || self == UInt8(ascii: "\n") || self == UInt8(ascii: "\t")
  }
}
