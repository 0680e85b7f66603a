/// Names that others chose, in a form that is safe to print.
package enum DisplayText {
  /// The most characters of an alias or a certificate's name that are shown.
  package static let nameCharacters = 200

  /// The text of `bytes` with control characters, invisible characters, quotation marks and backslashes escaped,
  /// and bytes that are not UTF-8 as `\xHH`.
  package static func escaped(_ bytes: [UInt8]) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return bytes.reduce(into: "") { text, byte in
        text += byte < 0x80 ? escaped(Unicode.Scalar(byte)) : hexadecimalEscape(byte)
      }
    }
    return escaped(text)
  }

  /// The text with control characters, invisible characters, quotation marks and backslashes escaped, cut off
  /// after `limit` characters.
  package static func escaped(_ text: String, limit: Int = .max) -> String { escaped(text, limit, escaped) }

  /// The same for a text whose quotation marks and backslashes are escaped already.
  package static func visible(_ text: String, limit: Int = .max) -> String { escaped(text, limit, visible) }

  private static func escaped(_ text: String, _ limit: Int, _ escape: (Unicode.Scalar) -> String) -> String {
    var shown = ""
    for (index, scalar) in text.unicodeScalars.enumerated() {
      guard index < limit else { return shown + "…" }
      shown += escape(scalar)
    }
    return shown
  }

  /// The file name as one word for a POSIX shell; names with control characters need bash.
  package static func shellWord(_ bytes: [UInt8]) -> String {
    // A name that looks like an option would be taken for one.
    let name = bytes.first == UInt8(ascii: "-") ? Array("./".utf8) + bytes : bytes
    if !name.isEmpty, name.allSatisfy(isPlainInShell) { return String(decoding: name, as: UTF8.self) }
    let visible = String(validating: name, as: UTF8.self)?.unicodeScalars.allSatisfy(VisibleText.shows) ?? false
    let quote = UInt8(ascii: "'")
    if visible {
      let quoted = name.flatMap { byte in byte == quote ? Array(#"'\''"#.utf8) : [byte] }
      return "'" + String(decoding: quoted, as: UTF8.self) + "'"
    }
    let escaped = name.map { isPlainInShell($0) ? String(Unicode.Scalar($0)) : hexadecimalEscape($0) }
    return "$'" + escaped.joined() + "'"
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"", "\\": "\\" + String(scalar)
    default: visible(scalar)
    }
  }

  private static func visible(_ scalar: Unicode.Scalar) -> String {
    VisibleText.shows(scalar) ? String(scalar) : "\\u{" + String(scalar.value, radix: 16) + "}"
  }

  private static func isPlainInShell(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "@"):
      true
    default: false
    }
  }

  private static func hexadecimalEscape(_ byte: UInt8) -> String {
    "\\x" + String(decoding: [Hexadecimal.digit(byte >> 4), Hexadecimal.digit(byte & 15)], as: UTF8.self)
  }
}

/// The characters that a person may be shown of a text that others chose.
package enum VisibleText {
  /// True if a terminal or a log viewer shows the character and nothing else happens: no control character (C0, DEL, C1),
  /// no invisible one, no new line or paragraph, no change of writing direction (Unicode's general categories).
  package static func shows(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }
}
