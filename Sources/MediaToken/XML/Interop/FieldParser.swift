internal import CLibXML2

/// Runs a ``SAXParser`` over the signed bytes of one token after another.
@safe package struct FieldParser: ~Copyable {
  private let parser: SAXParser<FieldEvents>
  /// A parser context that may be used again, and the number of its uses.
  private var idleContext: xmlParserCtxtPtr?
  private var idleContextUses = 0

  package init() {
    unsafe parser = SAXParser(FieldEvents(), handlers())
    unsafe idleContext = nil
  }

  deinit { unsafe xmlFreeParserCtxt(idleContext) }

  /// Parses a whole document in pieces of at most `chunk` bytes; what was found is in ``withEvents(_:)`` until the next
  /// call. `isPlain` says that ``FieldGate`` let the document pass.
  mutating func parse(_ document: Span<UInt8>, chunk: Int, isPlain: Bool) throws(Refusal) {
    guard let context = unsafe takeContext() else { throw .undecided(.outOfMemory) }
    // Now, because a context that cannot be used again for want of memory has reported that.
    parser.withEvents { $0.reset() }
    let end = unsafe parser.parse(document, chunk: chunk, with: context)
    let (breach, unknownFields) = parser.withEvents { ($0.breach, $0.unknownFields) }
    if isPlain, end == .wellFormed, breach == nil, unknownFields == 0 {
      unsafe idleContext = context
    } else {
      unsafe freeSAXContext(context)
    }
    if end == .outOfMemory { throw .undecided(.outOfMemory) }
    if let breach { throw .because(breach) }
    guard end == .wellFormed else { throw .because(.secondParserRefused) }
  }

  func withEvents<Value>(
    _ body: (borrowing FieldEvents) throws(Refusal) -> Value
  ) throws(Refusal) -> Value {
    try parser.withEvents { (events: inout FieldEvents) throws(Refusal) in try body(events) }
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
      if unsafe xmlCtxtResetPush(context, nil, 0, nil, nil) == 0, unsafe context.pointee.options == SAXOptions.all {
        return unsafe context
      }
      unsafe xmlFreeParserCtxt(context)
    }
    unsafe xmlFreeParserCtxt(idleContext)
    unsafe idleContext = nil
    idleContextUses = 0
    return unsafe parser.makeContext()
  }
}

extension FieldEvents: SAXEvents {
  var isBroken: Bool { breach != nil }
}

private func toFields(_ userData: UnsafeMutableRawPointer?, _ body: (inout FieldEvents) -> Void) {
  unsafe report(to: userData, body)
}

private func handlers() -> xmlSAXHandler {
  var handler = unsafe xmlSAXHandler()
  unsafe handler.initialized = XML_SAX2_MAGIC
  unsafe handler.startElementNs = { userData, name, prefix, namespace, namespaces, _, attributes, _, _ in
    let isPlain = unsafe prefix == nil && namespace == nil && namespaces == 0 && attributes == 0
    unsafe withBytes(name, Int(xmlStrlen(name))) { name in
      unsafe toFields(userData) { $0.startElement(name, isPlain: isPlain) }
    }
  }
  unsafe handler.endElementNs = { userData, _, _, _ in unsafe toFields(userData) { $0.endElement() } }
  unsafe handler.characters = { userData, text, count in
    unsafe withBytes(text, Int(count)) { text in unsafe toFields(userData) { $0.characters(text) } }
  }
  unsafe handler.cdataBlock = { userData, text, count in
    unsafe withBytes(text, Int(count)) { text in unsafe toFields(userData) { $0.cdata(text) } }
  }
  unsafe handler.comment = { userData, _ in unsafe toFields(userData) { $0.refuse(.forbiddenMarkup) } }
  unsafe handler.processingInstruction = { userData, _, _ in
    unsafe toFields(userData) { $0.refuse(.forbiddenMarkup) }
  }
  unsafe handler.internalSubset = { userData, _, _, _ in
    unsafe toFields(userData) { $0.refuse(.forbiddenMarkup) }
  }
  unsafe handler.reference = { userData, _ in unsafe toFields(userData) { $0.refuse(.unknownReference) } }
  // Warnings too: a token gives no cause for any.
  unsafe handler.serror = { userData, _ in unsafe toFields(userData) { $0.refuse(.secondParserRefused) } }
  return unsafe handler
}
