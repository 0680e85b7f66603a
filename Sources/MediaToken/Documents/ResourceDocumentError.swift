/// The reason why a text is not a resource document, or not a channel's id. It can't carry anything of the text.
///
/// The raw values are stable, as those of ``Refusal/Reason`` are.
public enum ResourceDocumentError: String, Error, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  case plainText = "plain-text"
  case tooLong = "too-long"
  case byteOrderMark = "byte-order-mark"
  case notUTF8 = "not-utf8"
  case forbiddenCharacter = "forbidden-character"
  case forbiddenMarkup = "forbidden-markup"
  case declaration = "xml-declaration"
  case brokenTag = "broken-tag"
  case tagMismatch = "tag-mismatch"
  case truncated
  case contentOutsideRoot = "content-outside-root"
  case misplacedElement = "misplaced-element"
  case repeatedElement = "repeated-element"
  case missingElement = "missing-element"
  case misplacedText = "misplaced-text"
  case cdataEndInText = "cdata-end-in-text"
  case unknownReference = "unknown-reference"
  case forbiddenReference = "forbidden-reference"
  case attribute
  case missingVersion = "missing-version"
  case tooManyElements = "too-many-elements"
  case tooManyAttributes = "too-many-attributes"
  case textTooLong = "text-too-long"
  case secondParserRefused = "second-parser-refused"
  /// The id of a channel is empty.
  case emptyChannel = "empty-channel"
  /// The id of a channel is written as a document.
  case channelIsDocument = "channel-is-document"
  /// An allocation of libxml2 failed: nothing is known of the text.
  case outOfMemory = "out-of-memory"

  /// The fault, for people: lower case, no full stop.
  public var description: String {
    switch self {
    case .plainText: "the text does not begin with <, so it is a plain id"
    case .tooLong: "the document is longer than \(Limits.receivedBytes) bytes"
    case .byteOrderMark: "there is a byte order mark"
    case .notUTF8: "the text is not UTF-8"
    case .forbiddenCharacter: "there is a character that XML 1.0 does not allow"
    case .forbiddenMarkup: "there is a comment, a processing instruction, a DOCTYPE or a misplaced XML declaration"
    case .declaration: "the XML declaration is not one of version 1.0, in UTF-8 if it names an encoding"
    case .brokenTag: "a tag is not well formed"
    case .tagMismatch: "an end tag does not match the open element"
    case .truncated: "the text ends inside an element"
    case .contentOutsideRoot: "there is more than white space before or after rss"
    case .misplacedElement:
      "there is an element other than rss, its channel, the channel's title, item and media:rating, and an item's title, guid and media:rating, each in its namespace"
    case .repeatedElement: "there is a second channel, title or guid where one may be"
    case .missingElement: "rss has no channel, or channel has no title"
    case .misplacedText: "there is more than white space outside title, guid and media:rating"
    case .cdataEndInText: "there is a ]]> outside a CDATA section"
    case .unknownReference: "an & begins neither one of the five named escapes nor a numeric reference"
    case .forbiddenReference: "a numeric reference is to a character that XML 1.0 does not allow"
    case .attribute:
      "there is an attribute other than version=\"2.0\" of rss, isPermaLink of guid (true or false) and scheme of media:rating"
    case .missingVersion: "rss has no version=\"2.0\""
    case .tooManyElements: "there are more than \(Limits.documentElements) elements"
    case .tooManyAttributes: "an element has more than \(Limits.documentAttributes) attributes and namespaces"
    case .textTooLong: "a text is longer than \(Limits.documentTextBytes) bytes"
    case .secondParserRefused: "libxml2 refuses the XML or its namespaces"
    case .emptyChannel: "the channel's id is empty"
    case .channelIsDocument: "the channel's id begins with <, as documents do"
    case .outOfMemory: "there is no memory to read the document"
    }
  }
}
