internal import MediaTokenSystem

/// The second lock of a resource document: what a streaming XML parser reports, checked against the grammar as it comes.
///
/// The first breach is kept, and what comes after it is ignored.
struct DocumentEvents: ~Copyable {
  /// The elements so far.
  private(set) var elements = 0
  private(set) var problem: ResourceDocumentError?

  private var open: [DocumentElement] = []
  /// Decoded text of the open element, and its attributes.
  private var text: [UInt8] = []
  private var scheme: ExactText?
  private var isPermaLink: Bool?

  private var hasVersion = false
  private var hasChannel = false
  private var channelTitle: ExactText?
  private var channelRatings = Bag<ResourceDocument.Rating>()
  private var items = Bag<ResourceDocument.Item>()
  private var item = ResourceDocument.Item()

  /// The first breach is thrown.
  consuming func document() throws(ResourceDocumentError) -> ResourceDocument {
    if let problem { throw problem }
    guard let channelTitle else { throw .missingElement }
    return ResourceDocument(channelTitle: channelTitle, channelRatings: channelRatings, items: items)
  }

  // MARK: what the parser reports

  /// A start tag; its attributes follow. The name is without its prefix, and the namespace empty for none.
  mutating func startElement(_ name: Span<UInt8>, hasPrefix: Bool, namespace: Span<UInt8>) {
    guard problem == nil else { return }
    elements += 1
    guard elements <= Limits.documentElements else { return refuse(.tooManyElements) }
    // Public clients and documents write either one.
    let isMedia =
      hasPrefix
      && (namespace.isExactly("http://search.yahoo.com/mrss/")
        || namespace.isExactly("https://search.yahoo.com/mrss/"))
    guard isMedia || namespace.isEmpty, let element = DocumentElement(name, isMedia: isMedia),
      element.mayBe(in: open.last)
    else { return refuse(.misplacedElement) }
    if element == .channel {
      guard !hasChannel else { return refuse(.repeatedElement) }
      hasChannel = true
    }
    if element == .item { item = ResourceDocument.Item() }
    open.append(element)
    text.removeAll(keepingCapacity: true)
    (scheme, isPermaLink) = (nil, nil)
  }

  /// An attribute of the element that was started last; the parser has checked that it is there once.
  mutating func attribute(_ name: Span<UInt8>, hasPrefix: Bool, value: [UInt8]) {
    guard problem == nil else { return }
    guard value.count <= Limits.documentTextBytes else { return refuse(.textTooLong) }
    switch hasPrefix ? nil : open.last {
    case .rss where name.isExactly("version") && value.span.isExactly("2.0"): hasVersion = true
    case .guid where name.isExactly("isPermaLink") && value.span.isExactly("true"): isPermaLink = true
    case .guid where name.isExactly("isPermaLink") && value.span.isExactly("false"): isPermaLink = false
    case .rating where name.isExactly("scheme"): scheme = exactText(value)
    default: refuse(.attribute)
    }
  }

  /// Decoded text, or the content of a CDATA section.
  mutating func characters(_ characters: Span<UInt8>, isCDATA: Bool) {
    guard problem == nil else { return }
    guard open.last?.holdsText == true else {
      if isCDATA { return refuse(.misplacedText) }
      for index in characters.indices where !characters[index].isXMLWhiteSpace { return refuse(.misplacedText) }
      return
    }
    guard characters.count <= Limits.documentTextBytes - text.count else { return refuse(.textTooLong) }
    text.append(copying: characters)
  }

  /// An end tag; the parser has checked that it is the right one.
  mutating func endElement() {
    guard problem == nil, let element = open.popLast() else { return }
    switch element {
    case .rss: if !hasVersion { refuse(.missingVersion) } else if !hasChannel { refuse(.missingElement) }
    case .channel: if channelTitle == nil { refuse(.missingElement) }
    case .item: items.insert(item)
    case .title: endTitle()
    case .guid: endGUID()
    case .rating: endRating()
    }
  }

  /// A rule was broken, or the parser reports what no document may have.
  mutating func refuse(_ reason: ResourceDocumentError) {
    if problem == nil { problem = reason }
  }

  // MARK: helpers

  private mutating func endTitle() {
    guard let text = exactText(text) else { return }
    if open.last == .channel {
      guard channelTitle == nil else { return refuse(.repeatedElement) }
      channelTitle = text
    } else {
      guard item.title == nil else { return refuse(.repeatedElement) }
      item.title = text
    }
  }

  private mutating func endGUID() {
    guard let text = exactText(text) else { return }
    guard item.guid == nil else { return refuse(.repeatedElement) }
    item.guid = ResourceDocument.GUID(text: text, isPermaLink: isPermaLink)
  }

  private mutating func endRating() {
    guard let text = exactText(text) else { return }
    let rating = ResourceDocument.Rating(scheme: scheme, text: text)
    if open.last == .channel { channelRatings.insert(rating) } else { item.ratings.insert(rating) }
  }

  /// libxml2 gives UTF-8 only; anything else is a breach.
  private mutating func exactText(_ bytes: [UInt8]) -> ExactText? {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      refuse(.secondParserRefused)
      return nil
    }
    return ExactText(text)
  }
}
