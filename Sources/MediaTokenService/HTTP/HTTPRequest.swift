/// One request as it came over the socket: bytes, not yet understood.
///
/// One such value serves request after request on a worker thread, so its arrays keep their memory and a request
/// allocates nothing. Not copyable, because to lend one is not to be a copy of five arrays.
struct HTTPRequest: ~Copyable, Sendable {
  /// The method's name, exactly as sent: `POST`.
  var method: [UInt8] = []
  /// The request target, exactly as sent and not decoded: `/v1/verify?requestor=sports`.
  var target: [UInt8] = []
  /// The header fields in the order of their arrival.
  var fields = HTTPFields()
  /// The body, whole; empty where ``BodyRule/discard`` was asked for.
  var body: [UInt8] = []
  /// Who asks; the kernel's word.
  var peer = HTTPPeer.tcp

  /// Forgets the last request and keeps the memory.
  mutating func removeAll() {
    method.removeAll(keepingCapacity: true)
    target.removeAll(keepingCapacity: true)
    fields.removeAll()
    body.removeAll(keepingCapacity: true)
    peer = .tcp
  }
}

/// Who is at the other end of a connection.
enum HTTPPeer: Hashable, Sendable {
  /// A process on this host, by `SO_PEERCRED`: its effective ids when it connected.
  case process(uid: UInt32, gid: UInt32, pid: Int32)
  /// Somebody on the TCP listener, who is nobody in particular.
  case tcp
}
