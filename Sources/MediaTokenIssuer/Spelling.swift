extension [UInt8] {
  /// Appends the standard base64 of `bytes`, with padding (RFC 4648, section 4).
  mutating func appendBase64(of bytes: Span<UInt8>) {
    func digit(_ value: UInt32) -> UInt8 {
      switch UInt8(truncatingIfNeeded: value & 63) {
      case let value where value < 26: UInt8(ascii: "A") + value
      case let value where value < 52: UInt8(ascii: "a") + value - 26
      case let value where value < 62: UInt8(ascii: "0") + value - 52
      case 62: UInt8(ascii: "+")
      default: UInt8(ascii: "/")
      }
    }
    var index = 0
    while index < bytes.count {
      let present = Swift.min(3, bytes.count - index)
      var group: UInt32 = 0
      for offset in 0..<3 {
        group = group << 8 | (offset < present ? UInt32(bytes[index + offset]) : 0)
      }
      append(digit(group >> 18))
      append(digit(group >> 12))
      append(present > 1 ? digit(group >> 6) : UInt8(ascii: "="))
      append(present > 2 ? digit(group) : UInt8(ascii: "="))
      index += 3
    }
  }

  /// Appends the percent-encoding of `bytes`; only the unreserved characters of RFC 3986 stay as they are.
  mutating func appendPercentEncoding(of bytes: Span<UInt8>) {
    func digit(_ value: UInt8) -> UInt8 {
      value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        append(bytes[index])
      case let byte:
        append(UInt8(ascii: "%"))
        append(digit(byte >> 4))
        append(digit(byte & 15))
      }
    }
  }
}
