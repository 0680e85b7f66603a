/// What a person may be shown of a text that others chose.
package enum VisibleText {
  /// Whether a terminal or a log viewer shows the character and nothing else happens: no control character (C0, DEL, C1),
  /// no invisible one, no new line or paragraph, no change of writing direction (Unicode's general categories).
  package static func shows(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }
}

extension Span<UInt8> {
  /// Whether the text begins with U+FEFF in UTF-8.
  package var beginsWithByteOrderMark: Bool { count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF }
}
