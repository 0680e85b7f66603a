internal import MediaToken
internal import MediaTokenSystem

/// The path of a URI, decoded once, and only if no two readers could understand it in two ways.
enum RequestPath {
  /// The decoded bytes of a path without its query; nil for a path that is refused, however it is written. Proxies
  /// rewrite such paths before they route, and servers before they look for a file; whatever they make of it, nothing
  /// is let in by it here.
  ///
  /// | in the path | read in another way by |
  /// |---|---|
  /// | no `/` at its beginning | proxies that take a whole URI |
  /// | `//`, segments `.` and `..` | servers that merge and resolve them |
  /// | `%2F`, `\\`, `%5C` | servers that decode before they cut segments; Windows |
  /// | `;`, `%3B` | servlet containers, which cut a segment's parameters off (RFC 3986 section 3.3) |
  /// | `%25` | servers that decode twice |
  /// | `%3F`, `#`, `%23` | servers that decode before they look for the query |
  /// | control characters, DEL | servers that end, skip or cut there |
  /// | broken escapes | servers that take them as they are, or know `%u` |
  /// | not UTF-8 | servers that take an overlong form for a slash or a dot |
  /// | a segment that ends in a dot or a space | Windows, which cuts them off |
  static func decode(_ path: Span<UInt8>) -> [UInt8]? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(path.count)
    var index = 0
    while index < path.count {
      guard let (byte, length) = PercentCoding.byte(of: path, at: index) else { return nil }
      index += length
      switch byte {
      case 0..<0x20, 0x7F, UInt8(ascii: "\\"), UInt8(ascii: "#"), UInt8(ascii: ";"): return nil
      case UInt8(ascii: "/") where length > 1, UInt8(ascii: "%") where length > 1,
        UInt8(ascii: "?") where length > 1:
        return nil
      default: decoded.append(byte)
      }
    }
    guard decoded.first == UInt8(ascii: "/"), hasPlainSegments(decoded.span), isText(decoded.span) else {
      return nil
    }
    return decoded
  }

  /// True if no segment but the last is empty, and none ends in a dot or a space; dot segments do.
  private static func hasPlainSegments(_ path: Span<UInt8>) -> Bool {
    var start = 1
    for index in 1...path.count {
      guard index == path.count || path[index] == UInt8(ascii: "/") else { continue }
      if index == start {
        if index < path.count { return false }
      } else if path[index - 1] == UInt8(ascii: ".") || path[index - 1] == UInt8(ascii: " ") {
        return false
      }
      start = index + 1
    }
    return true
  }

  private static func isText(_ path: Span<UInt8>) -> Bool {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: path)
      return true
    } catch {
      return false
    }
  }
}
