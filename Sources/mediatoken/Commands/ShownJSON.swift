internal import MediaTokenSystem

/// A text that is JSON, and that a terminal may be shown.
enum ShownJSON {
  /// The same JSON in one line: what a terminal might obey is written as its escape. Outside of strings JSON has no other
  /// control characters than white space.
  static func escaped(_ json: [UInt8]) -> String {
    var shown = ""
    for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\n", "\r", "\t": continue
      case _ where VisibleText.shows(scalar): shown.unicodeScalars.append(scalar)
      default: for unit in UTF16.encode(scalar) ?? .init() { shown += escape(unit) }
      }
    }
    return shown
  }

  private static func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
