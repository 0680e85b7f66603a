internal import CLibXML2

/// The check of a document against a grammar, from a parser's reports.
protocol SAXEvents: ~Copyable {
  /// True once a rule is broken: the rest is not looked at.
  var isBroken: Bool { get }
}

/// libxml2's SAX2 push parser, which both grammars use: its handlers, and the events that they report to.
///
/// Handlers are per context and all ours: process-wide settings of the host program, such as an entity loader or an
/// error handler, are never used, and none is set.
@safe struct SAXParser<Events: SAXEvents & ~Copyable>: ~Copyable {
  // SAFETY: allocated and initialised in init, freed in deinit; nothing else has the pointers but libxml2 and the handlers, which run
  // only inside `parse`.
  private let events: UnsafeMutablePointer<Events>
  private let handlers: UnsafeMutablePointer<xmlSAXHandler>

  init(_ events: consuming Events, _ handlers: xmlSAXHandler) {
    unsafe self.events = .allocate(capacity: 1)
    unsafe self.events.initialize(to: events)
    unsafe self.handlers = .allocate(capacity: 1)
    unsafe self.handlers.initialize(to: handlers)
  }

  deinit {
    unsafe events.deinitialize(count: 1)
    unsafe events.deallocate()
    unsafe handlers.deinitialize(count: 1)
    unsafe handlers.deallocate()
  }

  /// The events of the last document.
  func withEvents<Value: ~Copyable, Failure: Error>(
    _ body: (inout Events) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try unsafe body(&events.pointee)
  }

  consuming func takeEvents() -> Events {
    let taken = unsafe events.move()
    unsafe events.deallocate()
    unsafe handlers.deinitialize(count: 1)
    unsafe handlers.deallocate()
    discard self
    return taken
  }

  /// A parser context for one document; nil if memory ran out. It must not outlive this.
  func makeContext() -> xmlParserCtxtPtr? {
    guard let context = unsafe xmlCreatePushParserCtxt(handlers, events, nil, 0, nil) else { return nil }
    unsafe xmlCtxtUseOptions(context, SAXOptions.all)
    return unsafe context
  }

  /// The end of a document, whatever the events say.
  enum End {
    case wellFormed
    /// Well-formed, with a warning of libxml2.
    case warned
    case refused
    case outOfMemory
  }

  /// Parses a whole document in pieces of at most `chunk` bytes, and no more of them after a rule was broken.
  func parse(_ document: Span<UInt8>, chunk: Int, with context: xmlParserCtxtPtr) -> End {
    unsafe document.withUnsafeBufferPointer { document in unsafe feed(document, by: chunk, to: context) }
    let error = unsafe context.pointee.errNo
    // libxml2 2.9 says XML_PARSER_EOF when it has no memory to copy what it is given.
    if error == Int32(XML_ERR_NO_MEMORY.rawValue) || error == XML_PARSER_EOF.rawValue { return .outOfMemory }
    guard unsafe context.pointee.wellFormed == 1 else { return .refused }
    return error == 0 ? .wellFormed : .warned
  }

  private func feed(_ document: UnsafeBufferPointer<UInt8>, by chunk: Int, to context: xmlParserCtxtPtr) {
    var offset = 0
    while offset < document.count {
      if unsafe events.pointee.isBroken { return }
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

enum SAXOptions {
  /// No network, and nothing that loads, substitutes or repairs (`XML_PARSE_NOENT`, `DTDLOAD`, `RECOVER`, `HUGE` are off).
  static let all = Int32(XML_PARSE_NONET.rawValue)
}

/// Frees a context, and with it the document that libxml2 makes for a DOCTYPE's entities, although none was asked
/// for: only a document that no gate looked at has a DOCTYPE.
func freeSAXContext(_ context: xmlParserCtxtPtr) {
  unsafe xmlFreeDoc(context.pointee.myDoc)
  unsafe context.pointee.myDoc = nil
  unsafe xmlFreeParserCtxt(context)
}

/// Runs `body` on the events that libxml2's user data pointer leads to.
///
/// SAFETY: `SAXParser.makeContext` passes the pointer to libxml2, and `SAXParser.parse` keeps what it points to alive until libxml2 returns.
@inline(__always)
func report<Events: ~Copyable>(
  to userData: UnsafeMutableRawPointer?, _ body: (inout Events) -> Void
) {
  guard let userData = unsafe userData else { return }
  unsafe body(&userData.assumingMemoryBound(to: Events.self).pointee)
}

/// `count` bytes from libxml2, for the length of a callback.
@inline(__always)
func withBytes(_ start: UnsafePointer<xmlChar>?, _ count: Int, _ body: (Span<UInt8>) -> Void) {
  let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
  unsafe body(bytes.span)
}
