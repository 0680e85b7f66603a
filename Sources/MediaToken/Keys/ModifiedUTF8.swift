/// Java's text in files: UTF-8 of each UTF-16 unit by itself, with U+0000 in two bytes (`java.io.DataInput`,
/// "Modified UTF-8").
enum ModifiedUTF8 {
  /// Nil if the bytes are malformed. A lone half of a surrogate pair becomes U+FFFD.
  static func text(_ bytes: Span<UInt8>) -> String? {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let first = bytes[index]
      // The same three cases as java.io.DataInputStream.readUTF.
      let length: Int
      switch first {
      case 0x00...0x7F: length = 1
      case 0xC0...0xDF: length = 2
      case 0xE0...0xEF: length = 3
      default: return nil
      }
      guard length <= bytes.count - index else { return nil }
      var unit = UInt16(first) & (length == 1 ? 0x7F : length == 2 ? 0x1F : 0x0F)
      for continuation in index + 1..<index + length {
        guard bytes[continuation] & 0xC0 == 0x80 else { return nil }
        unit = unit << 6 | UInt16(bytes[continuation] & 0x3F)
      }
      units.append(unit)
      index += length
    }
    return String(decoding: units, as: UTF16.self)
  }
}
