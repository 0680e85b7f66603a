internal import CLibXML2

/// Runs libxml2's SAX2 push parser over one resource document, in a context of its own.
///
/// Handlers are per context and all ours, as in ``FieldParser``. The context is never used again: a document may declare
/// namespaces, which `xmlCtxtResetPush` leaves over in libxml2 2.9.10 to 2.9.14 (CVE-2022-2309).
enum DocumentParser {
  /// What libxml2 reports of a whole document.
  ///
  /// - Parameter chunk: libxml2 gets at most so many bytes at once, and none after a rule was broken: a document may break one
  ///   in each attribute, which costs more than reading them.
  /// - Throws: the first rule that was broken, or ``ResourceDocumentError/outOfMemory``.
  static func parse(_ document: Span<UInt8>, chunk: Int) throws(ResourceDocumentError) -> DocumentEvents {
    let document = withOneLineEnd(document)
    var events = DocumentEvents()
    var isWellFormed = false
    var error = Int32(XML_ERR_NO_MEMORY.rawValue)
    // SAFETY: handlers and events outlive the context, and nothing but libxml2 and the callbacks below uses them meanwhile.
    unsafe withUnsafeMutablePointer(to: &events) { events in
      var handler = unsafe handlers()
      guard let context = unsafe xmlCreatePushParserCtxt(&handler, events, nil, 0, nil) else { return }
      unsafe xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue))
      unsafe document.withUnsafeBytes { bytes in
        var rest = unsafe bytes.assumingMemoryBound(to: CChar.self)[...]
        while unsafe !rest.isEmpty, unsafe events.pointee.problem == nil {
          let piece = unsafe UnsafeBufferPointer(rebasing: rest.prefix(chunk))
          unsafe rest = rest.dropFirst(chunk)
          // SAFETY: these bytes are the document's, and libxml2 copies them.
          _ = unsafe xmlParseChunk(context, piece.baseAddress, Int32(piece.count), rest.isEmpty ? 1 : 0)
        }
      }
      isWellFormed = unsafe context.pointee.wellFormed == 1
      error = unsafe context.pointee.errNo
      // libxml2 makes a document for a DOCTYPE's entities, although none was asked for.
      unsafe xmlFreeDoc(context.pointee.myDoc)
      unsafe context.pointee.myDoc = nil
      unsafe xmlFreeParserCtxt(context)
    }
    // libxml2 2.9 says XML_PARSER_EOF when it has no memory to copy what it is given.
    guard error != Int32(XML_ERR_NO_MEMORY.rawValue), error != XML_PARSER_EOF.rawValue else { throw .outOfMemory }
    if let problem = events.problem { throw problem }
    guard isWellFormed else { throw .secondParserRefused }
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

/// Runs `body` on the events that libxml2's user data pointer leads to.
///
/// SAFETY: `DocumentParser.parse` passes the pointer to libxml2 and keeps what it points to alive until libxml2 returns.
private func report(to userData: UnsafeMutableRawPointer?, _ body: (inout DocumentEvents) -> Void) {
  guard let userData = unsafe userData else { return }
  unsafe body(&userData.assumingMemoryBound(to: DocumentEvents.self).pointee)
}

/// `count` bytes from libxml2, for the length of a callback.
private func withBytes(_ start: UnsafePointer<xmlChar>?, _ count: Int, _ body: (Span<UInt8>) -> Void) {
  let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
  unsafe body(bytes.span)
}

/// Reports attributes: for each its name, its prefix, its namespace, and where its value begins and ends.
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
        unsafe report(to: userData) { $0.attribute(name, hasPrefix: hasPrefix, value: value) }
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
        unsafe report(to: userData) { $0.startElement(name, hasPrefix: hasPrefix, namespace: namespace) }
      }
    }
    unsafe reportAttributes(values, Int(attributes), to: userData)
  }
  unsafe handler.endElementNs = { userData, _, _, _ in unsafe report(to: userData) { $0.endElement() } }
  unsafe handler.characters = { userData, text, count in
    unsafe withBytes(text, Int(count)) { text in
      unsafe report(to: userData) { $0.characters(text, isCDATA: false) }
    }
  }
  unsafe handler.ignorableWhitespace = handler.characters
  unsafe handler.cdataBlock = { userData, text, count in
    unsafe withBytes(text, Int(count)) { text in
      unsafe report(to: userData) { $0.characters(text, isCDATA: true) }
    }
  }
  unsafe handler.comment = { userData, _ in unsafe report(to: userData) { $0.refuse(.forbiddenMarkup) } }
  unsafe handler.processingInstruction = { userData, _, _ in
    unsafe report(to: userData) { $0.refuse(.forbiddenMarkup) }
  }
  unsafe handler.internalSubset = { userData, _, _, _ in
    unsafe report(to: userData) { $0.refuse(.forbiddenMarkup) }
  }
  unsafe handler.reference = { userData, _ in unsafe report(to: userData) { $0.refuse(.unknownReference) } }
  unsafe handler.serror = { userData, error in
    // A namespace whose name is not an absolute URI breaks no rule, and a namespace that is used has one of two names.
    let code = unsafe error?.pointee.code ?? 0
    guard code != XML_WAR_NS_URI.rawValue, code != XML_WAR_NS_URI_RELATIVE.rawValue else { return }
    unsafe report(to: userData) { $0.refuse(.secondParserRefused) }
  }
  return unsafe handler
}
