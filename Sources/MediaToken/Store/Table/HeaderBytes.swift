internal import MediaTokenSystem

/// One sector of header.
struct HeaderBytes: Redacted {
  var bytes = InlineArray<512, UInt8>(repeating: 0)

  subscript(_ field: TableFormat.Field) -> UInt64 { bytes.span.word(at: field.rawValue) }

  /// Nil if a number in the header is impossible.
  var parts: [TablePart]? { TableFormat.parts(count: self[.parts]) { bytes.span.word(at: $0) } }

  /// The second from which on all entries of a part are dead; 0: not known.
  func end(ofPart part: Int) -> UInt64 { bytes.span.word(at: TableFormat.endOffset(ofPart: part)) }
}
