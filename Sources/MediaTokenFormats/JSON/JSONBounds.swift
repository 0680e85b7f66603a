internal import MediaTokenSystem

/// Bounds of a JSON text besides the contents of its strings: counted before it is parsed.
///
/// A tree of many small values takes up to fifty times as long as one string of the same length, and as much more memory.
struct JSONBounds: Sendable {
  /// Bytes outside of strings, without white space.
  var punctuation = Int.max
  /// Objects and arrays inside each other, the outermost one counted.
  var levels = Int.max

  /// The text may be anything.
  func check(_ text: Span<UInt8>) throws(JSONError) {
    var (index, found, open) = (0, 0, 0)
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): break
      case UInt8(ascii: "\""): index = Self.endOfString(text, from: index)
      case let byte:
        found += 1
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { open += 1 }
        if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { open -= 1 }
        if found > punctuation { throw JSONError(.tooManyValues, offset: index) }
        if open > levels { throw JSONError(.tooManyLevels, offset: index) }
      }
      index += 1
    }
  }

  /// The end of the string that begins at `start`; the text's end if it has none.
  static func endOfString(_ text: Span<UInt8>, from start: Int) -> Int {
    var end = start
    while let quote = text.firstIndex(of: UInt8(ascii: "\""), from: end + 1) {
      var backslashes = 0
      while text[quote - 1 - backslashes] == UInt8(ascii: "\\") { backslashes += 1 }
      if backslashes % 2 == 0 { return quote }
      end = quote
    }
    return text.count
  }
}
