internal import MediaToken
internal import MediaTokenSystem

/// The path of a URI, decoded once, or nothing where two readers could understand two things.
enum RequestPath {
  /// The decoded bytes of a path without its query.
  ///
  /// What is refused, however it is written. Proxies rewrite such paths before they route, and servers before they look for
  /// a file; whatever they make of it, nothing is let in by it here.
  ///
  /// | in the path | who reads it in another way |
  /// |---|---|
  /// | no `/` at its beginning | a proxy that takes a whole URI |
  /// | `//`, segments `.` and `..` | who merges and resolves them |
  /// | `%2F`, `\\`, `%5C` | who decodes before it cuts segments; Windows |
  /// | `;`, `%3B` | servlet containers cut a segment's parameters off (RFC 3986 section 3.3) |
  /// | `%25` | who decodes twice |
  /// | `%3F`, `#`, `%23` | who decodes before it looks for the query |
  /// | control characters, DEL | C programs end at NUL; others skip or cut |
  /// | broken escapes | who takes them as they stand, or knows `%u` |
  /// | not UTF-8 | who takes an overlong form for a slash or a dot |
  /// | a segment that ends in a dot or a space | Windows cuts them off |
  ///
  /// - Returns: nil for such a path.
  static func decode(_ path: Span<UInt8>) -> [UInt8]? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(path.count)
    var index = 0
    while index < path.count {
      guard let (byte, length) = PercentCoding.byte(of: path, at: index) else { return nil }
      index += length
      switch byte {
      case 0..<0x20, 0x7F, UInt8(ascii: "\\"), UInt8(ascii: "#"), UInt8(ascii: ";"): return nil
      case UInt8(ascii: "/") where length > 1, UInt8(ascii: "%") where length > 1, UInt8(ascii: "?") where length > 1:
        return nil
      default: decoded.append(byte)
      }
    }
    guard decoded.first == UInt8(ascii: "/"), hasPlainSegments(decoded.span), isText(decoded.span) else { return nil }
    return decoded
  }

  /// Whether no segment but the last is empty, and none ends in a dot or a space; dot segments do.
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
