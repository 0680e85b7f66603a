internal import MediaTokenSystem

extension [UInt8] {
  /// In lower case.
  var hexadecimal: String {
    String(decoding: flatMap { [Hexadecimal.digit($0 >> 4), Hexadecimal.digit($0 & 15)] }, as: UTF8.self)
  }

  /// base64url without padding (RFC 4648, section 5; RFC 7515, section 2).
  var base64URL: String { base64(UInt8(ascii: "-"), UInt8(ascii: "_"), padding: nil) }

  /// Base64 as CloudFront has it: `+`, `=` and `/` of the standard alphabet are `-`, `_` and `~`.
  var base64OfCloudFront: String {
    base64(UInt8(ascii: "-"), UInt8(ascii: "~"), padding: UInt8(ascii: "_"))
  }

  /// The symbols are those of 62 and 63; `padding` fills up the last group.
  private func base64(_ symbol62: UInt8, _ symbol63: UInt8, padding: UInt8?) -> String {
    func symbol(_ value: UInt32) -> UInt8 {
      switch UInt8(truncatingIfNeeded: value & 63) {
      case let value where value < 26: UInt8(ascii: "A") + value
      case let value where value < 52: UInt8(ascii: "a") + value - 26
      case let value where value < 62: UInt8(ascii: "0") + value - 52
      case 62: symbol62
      default: symbol63
      }
    }
    var text: [UInt8] = []
    text.reserveCapacity((count + 2) / 3 * 4)
    for start in stride(from: 0, to: count, by: 3) {
      let present = Swift.min(3, count - start)
      var group: UInt32 = 0
      for offset in 0..<3 { group = group << 8 | (offset < present ? UInt32(self[start + offset]) : 0) }
      for place in 0...present { text.append(symbol(group >> UInt32(18 - 6 * place))) }
      if let padding { text.append(contentsOf: repeatElement(padding, count: 3 - present)) }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
