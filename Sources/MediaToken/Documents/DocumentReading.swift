extension ResourceDocument {
  /// Reads a document.
  ///
  /// - Throws: ``ResourceDocumentError`` for everything that breaks the grammar, plain ids included.
  public init(_ text: String) throws(ResourceDocumentError) { try self.init(parsing: text.utf8Span.span) }

  /// The same for bytes.
  ///
  /// Two locks, one after the other, as for a token's fields: ``DocumentGate``, then libxml2 with ``DocumentEvents``. Both must
  /// open, and both must have seen the same number of elements.
  package init(
    parsing bytes: Span<UInt8>, locks: FieldLocks = .both, chunk: Int = 4096
  ) throws(ResourceDocumentError) {
    guard ResourceText.isDocument(bytes) else { throw .plainText }
    guard bytes.count <= Limits.receivedBytes else { throw .tooLong }
    let elements = locks == .secondOnly ? nil : try DocumentGate.check(bytes)
    let events = try DocumentParser.parse(bytes, chunk: chunk)
    guard elements == nil || elements == events.elements else { throw .secondParserRefused }
    self = try events.document()
  }
}
