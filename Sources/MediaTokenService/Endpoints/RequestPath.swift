internal import MediaToken
internal import MediaTokenSystem

/// The path of a URI, decoded once, or nothing where two readers could understand two things.
enum RequestPath {
  /// The decoded bytes of a path without its query.
  ///
  /// - Returns: nil for a path that does not begin with `/` or holds a broken escape, a control character, a backslash,
  ///   an encoded slash, `//`, or a segment `.` or `..`, each written in any way. Proxies rewrite such paths before they
  ///   route; whatever they make of it, nothing is let in by it here.
  static func decode(_ path: Span<UInt8>) -> [UInt8]? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(path.count)
    var index = 0
    while index < path.count {
      guard let (byte, length) = PercentCoding.byte(of: path, at: index) else { return nil }
      index += length
      switch byte {
      case 0..<0x20, 0x7F, UInt8(ascii: "\\"), UInt8(ascii: "#"): return nil
      case UInt8(ascii: "/") where length > 1: return nil
      default: decoded.append(byte)
      }
    }
    guard decoded.first == UInt8(ascii: "/"), hasPlainSegments(decoded.span) else { return nil }
    return decoded
  }

  /// Whether no segment but the last is empty and none is a dot segment, with or without parameters behind a `;`.
  private static func hasPlainSegments(_ path: Span<UInt8>) -> Bool {
    var start = 1
    for index in 1...path.count {
      guard index == path.count || path[index] == UInt8(ascii: "/") else { continue }
      if index == start, index < path.count { return false }
      if isDots(path.extracting(start..<index)) { return false }
      start = index + 1
    }
    return true
  }

  private static func isDots(_ segment: Span<UInt8>) -> Bool {
    var dots = 0
    while dots < segment.count, segment[dots] == UInt8(ascii: ".") { dots += 1 }
    guard dots == 1 || dots == 2 else { return false }
    return dots == segment.count || segment[dots] == UInt8(ascii: ";")
  }
}
