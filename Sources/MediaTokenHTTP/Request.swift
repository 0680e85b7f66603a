/// One request as it came over the socket: bytes, not yet understood. A view of the worker's own memory, which is gone
/// when the handler returns.
package struct Request: ~Escapable {
  private let bytes: Span<UInt8>
  private let methodPlace: Range<Int>
  private let targetPlace: Range<Int>
  /// The header fields.
  package let fields: HeaderFields
  /// The body, whole; empty where ``BodyRule/discard`` was asked for, and while the route is decided.
  package let body: Span<UInt8>
  /// How long the body is that the head announces, in bytes; ``body`` may be empty nevertheless.
  package let announcedBodyBytes: Int
  /// Who asks, as the kernel says.
  package let peer: Peer
  /// Which trace it is part of, as the caller says.
  package let trace: TraceContext
  /// What the request is called where it is answered later.
  package let ticket: Ticket

  /// The method's name, exactly as sent: `POST`.
  package var method: Span<UInt8> {
    @_lifetime(copy self) get { bytes.extracting(methodPlace) }
  }

  /// The request target, exactly as sent and not decoded: `/v1/verify?requestor=sports`.
  package var target: Span<UInt8> {
    @_lifetime(copy self) get { bytes.extracting(targetPlace) }
  }

  /// - Parameters:
  ///   - bytes: the head's, from the request's first byte on.
  ///   - method, target, fields: where they are among the bytes.
  @_lifetime(copy bytes, copy body)
  init(
    _ bytes: Span<UInt8>, method: Range<Int>, target: Range<Int>, fields: [FieldPlace], body: Span<UInt8>,
    announcedBodyBytes: Int, from peer: Peer, trace: TraceContext, _ ticket: Ticket
  ) {
    self.bytes = bytes
    methodPlace = method
    targetPlace = target
    self.fields = HeaderFields(bytes, fields)
    self.body = body
    self.announcedBodyBytes = announcedBodyBytes
    self.peer = peer
    self.trace = trace
    self.ticket = ticket
  }
}

/// Who is at the other end of a connection.
package enum Peer: Hashable, Sendable {
  /// A process on this host, by `SO_PEERCRED` (unix(7)): its effective ids when it connected.
  case process(uid: UInt32, gid: UInt32, pid: Int32)
  /// A client of the TCP listener, for which the kernel has no user: by its IPv4 address, or 0.
  case address(UInt32)

  /// Whether it came over TCP.
  package var isTCP: Bool { account.isTCP }

  /// Whose share its connections, memory and turns are part of.
  package var account: Account {
    switch self {
    case .process(let uid, _, _): .user(uid)
    case .address(let address): .address(address)
    }
  }

  /// By what callers are told apart: users of this host, of which those that this namespace does not map are one, and IPv4 addresses.
  package enum Account: Hashable, Sendable {
    case user(UInt32)
    case address(UInt32)

    var isTCP: Bool { if case .address = self { true } else { false } }
  }
}
