/// Percent-encoding (RFC 3986, section 2.1).
@usableFromInline package enum PercentCoding {
  /// The byte that is written at `index`, and the bytes that it takes: one, or the three of an escape. Nil for a `%`
  /// without two hexadecimal digits after it. Other meanings of a byte, such as `+` in forms, are the caller's.
  @inlinable
  package static func byte(of text: Span<UInt8>, at index: Int) -> (byte: UInt8, length: Int)? {
    let byte = text[index]
    guard byte == UInt8(ascii: "%") else { return (byte, 1) }
    guard index + 2 < text.count, let high = Hexadecimal.value(ofDigit: text[index + 1]),
      let low = Hexadecimal.value(ofDigit: text[index + 2])
    else { return nil }
    return (high << 4 | low, 3)
  }
}

extension [UInt8] {
  /// Encodes every byte except the unreserved characters of RFC 3986, section 2.3: letters, digits, `-`, `.`, `_` and `~`.
  package mutating func appendPercentEncoding(of text: Span<UInt8>) {
    guard !text.isEmpty else { return }
    append(addingCapacity: 3 * text.count) { output in
      for index in text.indices {
        let byte = text[index]
        if byte.isUnreserved {
          output.append(byte)
        } else {
          output.append(UInt8(ascii: "%"))
          output.append(Hexadecimal.upperDigit(byte >> 4))
          output.append(Hexadecimal.upperDigit(byte & 15))
        }
      }
    }
  }
}

extension Span<UInt8> {
  /// The length of the text as ``Swift/Array/appendPercentEncoding(of:)`` writes it.
  package var percentEncodedCount: Int {
    var count = count
    for index in indices where !self[index].isUnreserved { count &+= 2 }
    return count
  }
}

extension UInt8 {
  fileprivate var isUnreserved: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
