internal import MediaTokenSystem

/// A query or a form body: `name=value` joined by `&`, each percent-decoded once, with a `+` for a space
/// (URL Standard, section 5.1), but strictly: a broken escape is an error and not a percent sign.
enum FormText {
  /// Calls `body` with every parameter in the order of the text. `name` and `value` lend their memory; a parameter
  /// without `=` has an empty value. A broken escape is an error.
  static func forEachParameter(
    of text: Span<UInt8>, name: inout [UInt8], value: inout [UInt8],
    _ body: (_ name: [UInt8], _ value: [UInt8]) throws(RequestError) -> Void
  ) throws(RequestError) {
    var start = 0
    while start < text.count {
      let place = parameter(of: text, from: start)
      guard decode(text.extracting(place.name), into: &name), decode(text.extracting(place.value), into: &value)
      else {
        throw .parameter("a % in a parameter is not followed by two hexadecimal digits; write % itself as %25")
      }
      try body(name, value)
      start = place.next
    }
  }

  /// The places of the name and the value of the parameter that begins at `start`, and the beginning of the next one.
  static func parameter(of text: Span<UInt8>, from start: Int) -> (name: Range<Int>, value: Range<Int>, next: Int) {
    let end = text.firstIndex(of: UInt8(ascii: "&"), from: start) ?? text.count
    // Not beyond its end: a text of `&` alone would be searched again for each of them.
    let equals = text.extracting(..<end).firstIndex(of: UInt8(ascii: "="), from: start) ?? end
    return (start..<equals, min(equals + 1, end)..<end, end + 1)
  }

  /// False if an escape is broken.
  static func decode(_ text: Span<UInt8>, into output: inout [UInt8]) -> Bool {
    output.removeAll(keepingCapacity: true)
    // All empty arrays of a process are one object, and `append(addingCapacity: 0)` writes its count, whatever thread it is on.
    guard !text.isEmpty else { return true }
    var isWhole = true
    // Decoding never makes a text longer.
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
}
