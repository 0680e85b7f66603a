internal import MediaToken
internal import MediaTokenSystem

extension [UInt8] {
  /// Two lower-case hexadecimal digits for each byte.
  var hexadecimal: String {
    String(decoding: flatMap { [Hexadecimal.digit($0 >> 4), Hexadecimal.digit($0 & 15)] }, as: UTF8.self)
  }

  /// base64url without padding (RFC 4648, section 5; RFC 7515, section 2).
  var base64URL: String { base64(UInt8(ascii: "-"), UInt8(ascii: "_"), padding: nil) }

  /// Base64 as CloudFront has it: `+`, `=` and `/` of the standard alphabet are `-`, `_` and `~`.
  var base64OfCloudFront: String {
    base64(UInt8(ascii: "-"), UInt8(ascii: "~"), padding: UInt8(ascii: "_"))
  }

  /// - Parameters: what is written for `+` and `/`, and for `=`.
  private func base64(_ plus: UInt8, _ slash: UInt8, padding: UInt8?) -> String {
    var text: [UInt8] = []
    text.appendBase64(of: span)
    let symbols = text.compactMap { symbol -> UInt8? in
      switch symbol {
      case UInt8(ascii: "+"): plus
      case UInt8(ascii: "/"): slash
      case UInt8(ascii: "="): padding
      default: symbol
      }
    }
    return String(decoding: symbols, as: UTF8.self)
  }
}
