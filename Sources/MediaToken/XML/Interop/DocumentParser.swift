internal import CLibXML2

/// Runs a ``SAXParser`` over one resource document, in a context of its own.
///
/// The context is never used again: a document may declare namespaces, which `xmlCtxtResetPush` leaves over in libxml2 2.9.10 to
/// 2.9.14 (CVE-2022-2309).
enum DocumentParser {
  /// libxml2 gets at most `chunk` bytes at once, and none after a rule was broken: a document may break one in each
  /// attribute, which costs more than reading them. The first breach is thrown.
  static func parse(_ document: Span<UInt8>, chunk: Int) throws(ResourceDocumentError) -> DocumentEvents {
    let document = withOneLineEnd(document)
    let parser = unsafe SAXParser(DocumentEvents(), handlers())
    guard let context = unsafe parser.makeContext() else { throw .outOfMemory }
    let end = unsafe parser.parse(document.span, chunk: chunk, with: context)
    unsafe freeSAXContext(context)
    if end == .outOfMemory { throw .outOfMemory }
    let events = parser.takeEvents()
    if let problem = events.problem { throw problem }
    guard end == .wellFormed || end == .warned else { throw .secondParserRefused }
    return events
  }

  /// The same with each line end as one line feed, as XML 1.0, section 2.11, has it before anything is parsed: the push
  /// parser of libxml2 2.9 leaves carriage returns in CDATA sections.
  private static func withOneLineEnd(_ document: Span<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(document.count)
    var start = 0
    while let end = document.firstIndex(of: UInt8(ascii: "\r"), from: start) {
      bytes.append(copying: document.extracting(start..<end))
      bytes.append(UInt8(ascii: "\n"))
      start = end + 1
      if start < document.count, document[start] == UInt8(ascii: "\n") { start += 1 }
    }
    bytes.append(copying: document.extracting(start...))
    return bytes
  }
}

extension DocumentEvents: SAXEvents {
  var isBroken: Bool { problem != nil }
}

private func toDocument(_ userData: UnsafeMutableRawPointer?, _ body: (inout DocumentEvents) -> Void) {
  unsafe report(to: userData, body)
}

/// Reports for each attribute its name, its prefix, its namespace, and the beginning and end of its value.
private func reportAttributes(
  _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int, to userData: UnsafeMutableRawPointer?
) {
  guard let attributes = unsafe attributes else { return }
  for index in 0..<count {
    // SAFETY: libxml2 documents five pointers for each of `count` attributes.
    let attribute = unsafe attributes + 5 * index
    guard let start = unsafe attribute[3], let end = unsafe attribute[4] else { continue }
    let hasPrefix = unsafe attribute[1] != nil
    unsafe withBytes(attribute[0], Int(xmlStrlen(attribute[0]))) { name in
      unsafe withBytes(start, end - start) { value in
        let value = withAmpersands(value)
        unsafe toDocument(userData) { $0.attribute(name, hasPrefix: hasPrefix, value: value) }
      }
    }
  }
}

/// The value with each `&#38;` as `&`: this is how libxml2 reports every ampersand of an attribute while it substitutes no
/// entities, for a tree that it would parse again.
private func withAmpersands(_ value: Span<UInt8>) -> [UInt8] {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(value.count)
  var index = 0
  while index < value.count {
    bytes.append(value[index])
    index += value.has("&#38;", at: index) ? 5 : 1
  }
  return bytes
}

private func handlers() -> xmlSAXHandler {
  var handler = unsafe xmlSAXHandler()
  unsafe handler.initialized = XML_SAX2_MAGIC
  unsafe handler.startElementNs = { userData, name, prefix, namespace, _, _, attributes, _, values in
    let hasPrefix = unsafe prefix != nil
    unsafe withBytes(name, Int(xmlStrlen(name))) { name in
      unsafe withBytes(namespace, Int(xmlStrlen(namespace))) { namespace in
        unsafe toDocument(userData) { $0.startElement(name, hasPrefix: hasPrefix, namespace: namespace) }
      }
    }
    unsafe reportAttributes(values, Int(attributes), to: userData)
  }
  unsafe handler.endElementNs = { userData, _, _, _ in unsafe toDocument(userData) { $0.endElement() } }
  unsafe handler.characters = { userData, text, count in
    unsafe withBytes(text, Int(count)) { text in
      unsafe toDocument(userData) { $0.characters(text, isCDATA: false) }
    }
  }
  unsafe handler.ignorableWhitespace = handler.characters
  unsafe handler.cdataBlock = { userData, text, count in
    unsafe withBytes(text, Int(count)) { text in
      unsafe toDocument(userData) { $0.characters(text, isCDATA: true) }
    }
  }
  unsafe handler.comment = { userData, _ in unsafe toDocument(userData) { $0.refuse(.forbiddenMarkup) } }
  unsafe handler.processingInstruction = { userData, _, _ in
    unsafe toDocument(userData) { $0.refuse(.forbiddenMarkup) }
  }
  unsafe handler.internalSubset = { userData, _, _, _ in
    unsafe toDocument(userData) { $0.refuse(.forbiddenMarkup) }
  }
  unsafe handler.reference = { userData, _ in unsafe toDocument(userData) { $0.refuse(.unknownReference) } }
  unsafe handler.serror = { userData, error in
    // A namespace whose name is not an absolute URI breaks no rule, and a namespace that is used has one of two names.
    let code = unsafe error?.pointee.code ?? 0
    guard code != XML_WAR_NS_URI.rawValue, code != XML_WAR_NS_URI_RELATIVE.rawValue else { return }
    unsafe toDocument(userData) { $0.refuse(.secondParserRefused) }
  }
  return unsafe handler
}
