extension [UInt8] {
  /// The standard base64, with padding (RFC 4648, section 4).
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
}
