/// One request as it came over the socket: bytes, not yet understood. A view of the worker's own memory, which is gone
/// when the handler returns.
package struct Request: ~Escapable {
  /// The method's name, exactly as sent: `POST`.
  package let method: Span<UInt8>
  /// The request target, exactly as sent and not decoded: `/v1/verify?requestor=sports`.
  package let target: Span<UInt8>
  package let path: Span<UInt8>
  /// The part of the target after its first `?`; empty if it has no query, and if its query is empty.
  package let query: Span<UInt8>
  package let fields: HeaderFields
  /// The body, whole; empty but where ``BodyRule/collect(atMost:)`` was asked for, and while that is decided.
  package let body: Span<UInt8>
  /// The length that the head announces; ``body`` may be empty nevertheless.
  package let announcedBodyBytes: Int
  package let peer: Peer
  package let trace: TraceContext
  /// The request's name where it is answered later.
  package let ticket: Ticket

  /// The bytes are those from the request's first one on, and the places of method, target and fields are among them.
  @_lifetime(copy bytes, copy body)
  init(
    _ bytes: Span<UInt8>, method: Range<Int>, target: RequestTarget, fields: [FieldPlace], body: Span<UInt8>,
    announcedBodyBytes: Int, from peer: Peer, trace: TraceContext, _ ticket: Ticket
  ) {
    self.method = bytes.extracting(method)
    self.target = bytes.extracting(target.place)
    path = bytes.extracting(target.path)
    query = bytes.extracting(target.query)
    self.fields = HeaderFields(bytes, fields)
    self.body = body
    self.announcedBodyBytes = announcedBodyBytes
    self.peer = peer
    self.trace = trace
    self.ticket = ticket
  }

  @_lifetime(copy bytes, copy body)
  init(
    _ bytes: Span<UInt8>, _ head: borrowing RequestHead, body: Span<UInt8>, from peer: Peer, _ ticket: Ticket
  ) {
    self.init(
      bytes, method: head.method, target: head.target, fields: head.fields, body: body,
      announcedBodyBytes: head.bodyBytes, from: peer, trace: head.trace, ticket)
  }
}
