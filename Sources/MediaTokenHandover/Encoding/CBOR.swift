internal import MediaTokenSystem

/// Writes the part of CBOR that a Common Access Token needs (RFC 8949): numbers from 0 on, byte and text strings, arrays, maps
/// and tags, each in its shortest form, and the keys of maps in the order of their bytes (section 4.2.1).
struct CBOR: Redacted {
  private(set) var bytes: [UInt8] = []

  /// The seven upper bits of an item's first byte (section 3.1).
  private enum Major: UInt8 {
    case unsigned = 0
    case byteString = 2
    case textString = 3
    case array = 4
    case map = 5
    case tag = 6
  }

  mutating func number(_ value: UInt64) { head(.unsigned, value) }

  mutating func byteString(_ bytes: [UInt8]) {
    head(.byteString, UInt64(bytes.count))
    self.bytes += bytes
  }

  mutating func text(_ text: String) {
    head(.textString, UInt64(text.utf8.count))
    bytes += text.utf8
  }

  /// The head of an array; its elements follow.
  mutating func array(of count: Int) { head(.array, UInt64(count)) }

  /// The head of a map; key and value of each pair follow.
  mutating func map(of count: Int) { head(.map, UInt64(count)) }

  /// A tag; the item that it is about follows.
  mutating func tag(_ number: UInt64) { head(.tag, number) }

  /// The value comes from the closure, after the key.
  mutating func pair(_ key: UInt64, _ value: (inout CBOR) -> Void) {
    number(key)
    value(&self)
  }

  /// The first byte, and the argument in as few bytes as it needs (section 3).
  private mutating func head(_ major: Major, _ argument: UInt64) {
    let upper = major.rawValue << 5
    switch argument {
    case 0..<24: bytes.append(upper | UInt8(argument))
    case 24...0xFF: append(upper | 24, argument, count: 1)
    case 0x100...0xFFFF: append(upper | 25, argument, count: 2)
    case 0x1_0000...0xFFFF_FFFF: append(upper | 26, argument, count: 4)
    default: append(upper | 27, argument, count: 8)
    }
  }

  private mutating func append(_ first: UInt8, _ argument: UInt64, count: Int) {
    bytes.append(first)
    for index in (0..<count).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: argument >> UInt64(8 * index)))
    }
  }
}
