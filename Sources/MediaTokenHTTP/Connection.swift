internal import MediaTokenSystem

/// One connection, as the worker that serves it knows it. One that is silent has no buffers and costs some hundred bytes.
///
/// What it can be, what the poller waits for, and what ends it (`Deadlines`):
///
/// | | `life` | `incoming` | `unsent` | `waiting` | poller | deadline |
/// |---|---|---|---|---|---|---|
/// | between requests | open | - | - | - | reading | silence |
/// | a request is not whole | open | its bytes | - | - | reading | request |
/// | requests wait their turn | open | theirs | - | - | reading, not looked at | request |
/// | its body waits for room | open | its first bytes | - | - | nothing | request |
/// | it is answered in parts | open | its bytes | - | - | nothing | request, again with each part |
/// | the handler has no next part yet | open | its bytes | - | - | nothing | request |
/// | the handler answers later | open | what follows, if any | - | yes | nothing | request |
/// | the client does not read | open | what follows, if any | yes | - | writing | request |
/// | its last answer is written | answeringLast | - | yes | - | writing | request |
/// | the client still sends | lingering | - | - | - | reading | end |
final class Connection {
  let descriptor: Int32
  let peer: Peer
  /// Its place among the worker's connections, and which of all connections that were there it is.
  let slot: Int
  let number: UInt32
  /// The request that is not whole yet, or that may not be taken yet.
  var incoming: IncomingRequest?
  /// Answers that the kernel had no room for.
  var unsent: UnsentAnswers?
  /// A request whose handler answers later.
  var waiting: WaitingRequest? {
    didSet { if let waiting { lastWaitingNumber = waiting.number } }
  }
  var life = Life.open
  /// Whether it has received nothing, and a drain waits for its first request.
  var isFresh = true
  /// Where requests that have come already wait.
  var place = Place.none
  /// What is written of the answer to a request that is answered in parts.
  var partial: Response?
  /// Whether the first part is done: then the others are, too.
  var isBegun = false
  /// Bytes of the worker's room that its body has, and all else that it keeps.
  var reserved = 0
  var kept = Room.Kept()
  /// Whether something may be unread when its last answer is written. Closed then, it would be reset, and the answer may be
  /// lost.
  var lingers = false
  /// What the worker's poller waits for.
  var interest = Poller.Interest.reading
  /// Bytes that came after its last request and were thrown away.
  var discarded = 0
  private var lastWaitingNumber: UInt32 = 0

  /// How far it is from its end.
  enum Life {
    case open
    /// Its last answer is being written; nothing that came after its request is read.
    case answeringLast
    /// Its last answer was written. What the client still sends is thrown away until it ends its side.
    case lingering
    case closed
  }

  /// In which of the worker's queues it is.
  enum Place {
    case none
    /// Its next requests wait, so that others have their turn.
    case held
    /// Its request is answered in parts.
    case parts
    /// The same, and its handler has nothing to write before it says so.
    case paused
    /// Its body is not read until there is room for it.
    case room
  }

  init(_ descriptor: Int32, _ peer: Peer, slot: Int, number: UInt32) {
    self.descriptor = descriptor
    self.peer = peer
    self.slot = slot
    self.number = number
  }

  var isOpen: Bool { life == .open }

  var isClosed: Bool { life == .closed }

  /// Whether the next request may be taken.
  var takesRequests: Bool { isOpen && unsent == nil && waiting == nil }

  /// Whether what it sends is read.
  var isRead: Bool { takesRequests && (place == .none || place == .held) }

  /// Whether it waits for the next request and for nothing else.
  var isIdle: Bool {
    guard unsent == nil, waiting == nil else { return false }
    guard incoming != nil else { return true }
    return incoming?.hasBegun == false
  }

  /// The memory that it takes in addition to its share of the room for bodies.
  var memory: Room.Kept {
    guard !isClosed else { return Room.Kept() }
    return Room.Kept(
      requests: reserved > 0 ? 0 : incoming?.bytes.capacity ?? 0,
      answers: (unsent?.bytes.capacity ?? 0) + (partial?.body.capacity ?? 0))
  }

  /// What the worker's poller calls it.
  var token: UInt64 { UInt64(number) << 32 | UInt64(UInt32(slot)) }

  /// The place of the connection with this token; beyond all places if it is not a connection's.
  static func slot(ofToken token: UInt64) -> Int { Int(truncatingIfNeeded: token & 0xFFFF_FFFF) }

  /// The greatest ``number``: one bit of the token tells connections from other descriptors.
  static let largestNumber: UInt32 = 0x7FFF_FFFF

  /// What the next request that waits is called.
  var nextWaitingNumber: UInt32 { lastWaitingNumber &+ 1 }
}

/// A request while it arrives. One that arrives whole never gets bytes of its own: it is read where it was received.
struct IncomingRequest: ~Copyable {
  /// What has come, from the request's first byte on; requests that follow may be in it too.
  var bytes: [UInt8] = []
  var head = RequestHead()
  /// What the handler decided when the head was here.
  var route: Route?
  /// Bytes of a body that is thrown away and has not come yet; nil if none is.
  var discarding: Int?
  /// Whether the client was told to go on.
  var isTold = false

  /// Whether anything of it has come but the empty line that may come before.
  var hasBegun: Bool { !bytes.span.isExactly("\r\n") && !bytes.span.isExactly("\r") }

  /// The whole request's length by its head, in bytes; nil before its body is to be collected.
  var announcedBytes: Int? {
    guard case .collect = route?.body else { return nil }
    return head.byteCount + head.bodyBytes
  }

  /// Forgets the request, and not what came after it.
  mutating func reset() {
    head.reset()
    route = nil
    discarding = nil
    isTold = false
  }

  /// Keeps what has come, in memory of the request's own.
  ///
  /// - Parameter reserved: the room that its body has.
  mutating func keep(_ received: Span<UInt8>, reserved: Int) {
    makeRoom(reserved)
    bytes.append(copying: received)
    dropDiscardedBody()
  }

  /// Sets the memory aside at once, so that what has come is not copied again and again while it grows. It takes no more
  /// than what has come until it is written to.
  mutating func makeRoom(_ reserved: Int) {
    // The request that follows may have begun in what is received with its end.
    if reserved > 0 { return bytes.reserveCapacity(reserved + HTTPLimits.readBytes) }
    if let announcedBytes, announcedBytes <= HTTPLimits.readBytes { bytes.reserveCapacity(announcedBytes) }
  }

  /// Forgets the part that has come of a body that is thrown away. Once nothing of it is left to come, what follows the head is
  /// the next request.
  mutating func dropDiscardedBody() {
    guard let discarding, discarding > 0 else { return }
    if bytes.capacity > 2 * head.byteCount {
      // Without the memory that only the body needed.
      bytes = Array(bytes[..<head.byteCount])
    } else {
      bytes.removeLast(bytes.count - head.byteCount)
    }
  }
}

/// What must be known of a request to write its answer.
struct WaitingRequest {
  /// Which of the connection's requests it is.
  let number: UInt32
  let isHEAD: Bool
  let saysKeepAlive: Bool
  let endsConnection: Bool

  /// - Parameter isLast: whether the connection ends with it, whatever its head says.
  init(_ head: borrowing RequestHead, number: UInt32, isLast: Bool = false) {
    self.number = number
    isHEAD = head.isHEAD
    endsConnection = isLast || head.endsConnection
    saysKeepAlive = head.saysKeepAlive && !isLast
  }
}

/// Answers, or the rest of one, that wait for the client to read.
struct UnsentAnswers {
  var bytes: [UInt8] = []
  var sent = 0
  /// The statuses of the answers that end in there.
  var statuses: [UInt16]
}
