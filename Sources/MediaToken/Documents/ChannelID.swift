internal import MediaTokenSystem

/// The name of a channel, as the resource of a whole channel and as the title in documents about what it plays.
public struct ChannelID: Sendable, Hashable {
  /// The id; it compares by bytes.
  public let id: ExactText

  /// - Throws: ``ResourceDocumentError/emptyChannel``, or ``ResourceDocumentError/channelIsDocument`` for what is written as a
  ///   document.
  public init(_ id: String) throws(ResourceDocumentError) {
    guard !id.isEmpty else { throw .emptyChannel }
    guard !ResourceText.isDocument(id.utf8Span.span) else { throw .channelIsDocument }
    self.id = ExactText(id)
  }
}

/// The two meanings that the text of a resource can have.
enum ResourceText {
  /// True if the text is meant as a document: the first byte after white space and byte order marks is `<`. Any other text
  /// is an id.
  static func isDocument(_ text: Span<UInt8>) -> Bool {
    var index = 0
    while index < text.count {
      if text[index].isXMLWhiteSpace {
        index += 1
      } else if text.has("\u{FEFF}", at: index) {
        index += 3
      } else {
        return text[index] == UInt8(ascii: "<")
      }
    }
    return false
  }
}
