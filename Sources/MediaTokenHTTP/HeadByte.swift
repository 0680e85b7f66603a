internal import MediaTokenSystem

/// The bytes of a head, by the places where they may be.
extension UInt8 {
  /// Letters, digits and ``!#$%&'*+-.^_`|~``: the bytes of methods and names (RFC 9110 section 5.6.2).
  var isTokenByte: Bool {
    // One bit for each byte from 0 to 127.
    let low: UInt64 = 0x03FF_6CFA_0000_0000
    let high: UInt64 = 0x57FF_FFFF_C7FF_FFFE
    return self < 0x80 && (self < 0x40 ? low : high) >> UInt64(self & 0x3F) & 1 == 1
  }

  /// Visible ASCII: the bytes of a target. Proxies percent-encode what is not ASCII; where they do not, every reader reads
  /// it differently.
  var isVisible: Bool { self &- 0x21 < 0x5E }

  var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  var isWhiteSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

  /// Visible bytes, space, tab, and anything that is not ASCII (RFC 9110 section 5.5).
  var mayBeInValue: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }

  /// The bytes of a line without its end, and the CR that may be its end's first half.
  var mayBeInHead: Bool { mayBeInValue || self == 0x0D }

  /// The bytes of a host and its port (RFC 3986 section 3.2.2): unreserved and reserved characters but `/ ? # @`, and `%`.
  var mayBeInHost: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"), UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"),
      UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","),
      UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "%"), UInt8(ascii: ":"), UInt8(ascii: "["),
      UInt8(ascii: "]"):
      true
    default: false
    }
  }
}

extension Span<UInt8> {
  /// Eight bytes at a time: a token takes more than a thousand.
  var isFieldValue: Bool {
    var index = 0
    while index &+ 8 <= count {
      if word(at: index).mayHoldControls, !(index..<index + 8).allSatisfy({ self[$0].mayBeInValue }) {
        return false
      }
      index &+= 8
    }
    while index < count {
      guard self[index].mayBeInValue else { return false }
      index &+= 1
    }
    return true
  }
}

extension UInt64 {
  /// True if one of its bytes is less than 0x20, or is 0x7F.
  fileprivate var mayHoldControls: Bool {
    let (ones, highs) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
    let deletes = self ^ (ones &* 0x7F)
    return ((self &- ones &* 0x20) & ~self | (deletes &- ones) & ~deletes) & highs != 0
  }
}
