/// A query or a form body: `name=value` joined by `&`, each percent-decoded once, a `+` standing for a space
/// (URL Standard, section 5.1), but strictly: a broken escape is an error and not a percent sign.
enum FormText {
  /// Calls `body` with every parameter in the order of the text. `name` and `value` lend their memory; a parameter
  /// without `=` has an empty value.
  ///
  /// - Returns: false if `body` did, or if an escape was broken.
  static func forEachParameter(
    of text: Span<UInt8>, name: inout [UInt8], value: inout [UInt8],
    _ body: (_ name: [UInt8], _ value: inout [UInt8]) -> Bool
  ) -> Bool {
    var start = 0
    while start < text.count {
      let end = index(of: UInt8(ascii: "&"), in: text, from: start)
      let equals = min(end, index(of: UInt8(ascii: "="), in: text, from: start))
      guard decode(text.extracting(start..<equals), into: &name),
        decode(text.extracting(min(equals + 1, end)..<end), into: &value), body(name, &value)
      else { return false }
      start = end + 1
    }
    return true
  }

  /// Fills `output` with the decoded text, or returns false if an escape is broken.
  static func decode(_ text: Span<UInt8>, into output: inout [UInt8]) -> Bool {
    output.removeAll(keepingCapacity: true)
    var isWhole = true
    // No text is longer decoded.
    output.append(addingCapacity: text.count) { output in
      var index = 0
      while index < text.count {
        guard let (byte, length) = PercentCoding.byte(of: text, at: index) else {
          isWhole = false
          return
        }
        output.append(byte == UInt8(ascii: "+") && length == 1 ? UInt8(ascii: " ") : byte)
        index += length
      }
    }
    return isWhole
  }

  /// Where `byte` comes first at or after `start`; the end if it does not.
  static func index(of byte: UInt8, in text: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < text.count, text[index] != byte { index += 1 }
    return index
  }
}
