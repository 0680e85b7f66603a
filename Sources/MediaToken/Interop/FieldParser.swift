internal import CLibXML2

/// Owner of what is needed to run libxml2's SAX2 push parser over one document after another.
///
/// Handlers are per context and all ours: process-wide settings of the host program, such as an entity loader or an
/// error handler, are never used, and none is set.
@safe package struct FieldParser: ~Copyable {
  // SAFETY: allocated and initialised in init, freed in deinit; nothing else has the pointers but libxml2 and the
  // callbacks below, which run only inside `parse`.
  private let events: UnsafeMutablePointer<FieldEvents>
  private let handler: UnsafeMutablePointer<xmlSAXHandler>

  /// A parser context that may be used again, and how often it was.
  private var idleContext: xmlParserCtxtPtr?
  private var idleContextUses = 0

  package init() {
    unsafe events = .allocate(capacity: 1)
    unsafe events.initialize(to: FieldEvents())
    unsafe handler = .allocate(capacity: 1)
    unsafe handler.initialize(to: handlers())
    unsafe idleContext = nil
  }

  deinit {
    unsafe xmlFreeParserCtxt(idleContext)
    unsafe events.deinitialize(count: 1)
    unsafe events.deallocate()
    unsafe handler.deinitialize(count: 1)
    unsafe handler.deallocate()
  }

  /// Parses a whole document in pieces of at most `chunk` bytes; what was found is in ``withEvents(_:)`` until the next
  /// call.
  ///
  /// - Parameter isPlain: whether ``FieldGate`` let the document pass.
  /// - Throws: `INVALID_TOKEN_FORMAT` if libxml2 or ``FieldEvents`` refuses, a fault if memory ran out.
  mutating func parse(_ document: Span<UInt8>, chunk: Int, isPlain: Bool) throws(Refusal) {
    guard let context = unsafe takeContext() else { throw .undecided(.outOfMemory) }
    // Now, because a context that cannot be used again for want of memory has reported that.
    unsafe events.pointee.reset()
    unsafe document.withUnsafeBufferPointer { document in
      unsafe feed(document, by: chunk, to: context)
    }
    let error = unsafe context.pointee.errNo
    let isWellFormed = unsafe context.pointee.wellFormed == 1 && error == 0
    let breach = unsafe events.pointee.breach
    if isPlain, isWellFormed, breach == nil, unsafe events.pointee.unknownFields == 0 {
      unsafe idleContext = context
    } else {
      unsafe free(context)
    }
    // libxml2 2.9 says XML_PARSER_EOF when it has no memory to copy what it is given.
    guard error != Int32(XML_ERR_NO_MEMORY.rawValue), error != XML_PARSER_EOF.rawValue else {
      throw .undecided(.outOfMemory)
    }
    if let breach { throw .because(breach) }
    guard isWellFormed else { throw .because(.secondParserRefused) }
  }

  /// Reads what the last document held.
  func withEvents<Value>(
    _ body: (borrowing FieldEvents) throws(Refusal) -> Value
  ) throws(Refusal) -> Value {
    try unsafe body(events.pointee)
  }

  /// A fresh context, or one whose last document was accepted.
  ///
  /// `xmlCtxtResetPush` does not clear all state in libxml2 2.9.10 to 2.9.14, namespaces among it (CVE-2022-2309). A document
  /// that passed the gate has no namespace, attribute, entity or DTD, so that an accepted one leaves nothing; after
  /// any other the context is thrown away, and every so often in any case.
  private mutating func takeContext() -> xmlParserCtxtPtr? {
    if let context = unsafe idleContext, idleContextUses < 1000 {
      unsafe idleContext = nil
      idleContextUses += 1
      // A reset keeps the options.
      if unsafe xmlCtxtResetPush(context, nil, 0, nil, nil) == 0, unsafe context.pointee.options == options {
        return unsafe context
      }
      unsafe xmlFreeParserCtxt(context)
    }
    unsafe xmlFreeParserCtxt(idleContext)
    unsafe idleContext = nil
    idleContextUses = 0
    guard let context = unsafe xmlCreatePushParserCtxt(handler, events, nil, 0, nil) else { return nil }
    unsafe xmlCtxtUseOptions(context, options)
    return unsafe context
  }

  /// Frees a context, and with it the document that libxml2 makes for a DOCTYPE's entities, although none was asked
  /// for: only a document that no gate looked at has a DOCTYPE.
  private func free(_ context: xmlParserCtxtPtr) {
    unsafe xmlFreeDoc(context.pointee.myDoc)
    unsafe context.pointee.myDoc = nil
    unsafe xmlFreeParserCtxt(context)
  }

  private func feed(_ document: UnsafeBufferPointer<UInt8>, by chunk: Int, to context: xmlParserCtxtPtr) {
    var offset = 0
    while offset < document.count {
      if unsafe events.pointee.breach != nil { return }
      let length = min(chunk, document.count - offset)
      let isLast = offset + length == document.count
      // SAFETY: the bytes at offset ..< offset + length are the document's; libxml2 copies them.
      unsafe (document.baseAddress! + offset).withMemoryRebound(to: CChar.self, capacity: length) { bytes in
        _ = unsafe xmlParseChunk(context, bytes, Int32(length), isLast ? 1 : 0)
      }
      offset += length
    }
  }
}

/// No network, and nothing that loads, substitutes or repairs (`XML_PARSE_NOENT`, `DTDLOAD`, `RECOVER`, `HUGE` are off).
private let options = Int32(XML_PARSE_NONET.rawValue)

/// Runs `body` on the events that libxml2's user data pointer leads to.
///
/// SAFETY: `FieldParser.parse` passes the pointer to libxml2 and keeps what it points to alive until libxml2 returns.
private func report(to userData: UnsafeMutableRawPointer?, _ body: (inout FieldEvents) -> Void) {
  guard let userData = unsafe userData else { return }
  unsafe body(&userData.assumingMemoryBound(to: FieldEvents.self).pointee)
}

/// `count` bytes from libxml2, for the length of a callback.
private func withBytes(
  _ start: UnsafePointer<xmlChar>?, _ count: Int, _ body: (Span<UInt8>) -> Void
) {
  let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
  unsafe body(bytes.span)
}

private func handlers() -> xmlSAXHandler {
  var handler = unsafe xmlSAXHandler()
  unsafe handler.initialized = XML_SAX2_MAGIC
  unsafe handler.startElementNs = { userData, name, prefix, namespace, namespaces, _, attributes, _, _ in
    let isPlain = unsafe prefix == nil && namespace == nil && namespaces == 0 && attributes == 0
    unsafe withBytes(name, Int(xmlStrlen(name))) { name in
      unsafe report(to: userData) { $0.startElement(name, isPlain: isPlain) }
    }
  }
  unsafe handler.endElementNs = { userData, _, _, _ in unsafe report(to: userData) { $0.endElement() } }
  unsafe handler.characters = { userData, text, count in
    unsafe withBytes(text, Int(count)) { text in unsafe report(to: userData) { $0.characters(text) } }
  }
  unsafe handler.cdataBlock = { userData, text, count in
    unsafe withBytes(text, Int(count)) { text in unsafe report(to: userData) { $0.cdata(text) } }
  }
  unsafe handler.comment = { userData, _ in unsafe report(to: userData) { $0.refuse(.forbiddenMarkup) } }
  unsafe handler.processingInstruction = { userData, _, _ in
    unsafe report(to: userData) { $0.refuse(.forbiddenMarkup) }
  }
  unsafe handler.internalSubset = { userData, _, _, _ in
    unsafe report(to: userData) { $0.refuse(.forbiddenMarkup) }
  }
  unsafe handler.reference = { userData, _ in unsafe report(to: userData) { $0.refuse(.unknownReference) } }
  // Warnings too: a token gives no cause for any.
  unsafe handler.serror = { userData, _ in unsafe report(to: userData) { $0.refuse(.secondParserRefused) } }
  return unsafe handler
}
