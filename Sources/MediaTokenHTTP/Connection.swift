internal import MediaTokenSystem

/// One connection, as the worker that serves it knows it. One that is silent has no buffers and costs some hundred bytes.
///
/// Its states, the poller's events for each, and the deadline (`Deadlines`) that ends it:
///
/// | | `life` | `incoming` | `unsent` | `waiting` | poller | deadline |
/// |---|---|---|---|---|---|---|
/// | between requests | open | - | - | - | reading | silence |
/// | a request is not whole | open | its bytes | - | - | reading | request |
/// | requests wait their turn | open | theirs | - | - | reading, not looked at | request |
/// | the handler answers later | open | what follows, if any | - | yes | nothing | request |
/// | the client does not read | open | what follows, if any | yes | - | writing | request |
/// | its last answer is written | answeringLast | - | yes | - | writing | request |
/// | the client still sends | lingering | - | - | - | reading | end |
final class Connection {
  let descriptor: Int32
  let peer: Peer
  var caller: Caller
  /// The connection's place among the worker's, and its number among all that were at that place.
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
  /// True if it has received nothing, and a drain waits for its first request.
  var isFresh = true
  var hasAsked = false
  /// The end of ``HTTPLimits/seldomNanoseconds`` for each of its questions, one after the other, in ``MonotonicTime``.
  private var seldomUntil: UInt64 = 0
  /// True if its next requests wait, so that others have their turn.
  var isHeld = false
  /// The memory that it takes, as the worker counted it last.
  var kept = 0
  /// True if something may be unread when its last answer is written. Closed then, it would be reset, and the answer may be
  /// lost.
  var lingers = false
  var interest = Poller.Interest.reading
  /// Bytes that came after its last request and were thrown away.
  var discarded = 0
  private var lastWaitingNumber: UInt32 = 0

  enum Life {
    case open
    /// Its last answer is being written; nothing that came after its request is read.
    case answeringLast
    /// Its last answer was written. What the client still sends is thrown away until it ends its side.
    case lingering
    case closed
  }

  init(_ descriptor: Int32, _ peer: Peer, _ caller: Caller, slot: Int, number: UInt32) {
    self.descriptor = descriptor
    self.peer = peer
    self.caller = caller
    self.slot = slot
    self.number = number
  }

  /// Counts a question. True if the connection asks seldom.
  func countQuestion(at now: UInt64) -> Bool {
    seldomUntil = max(seldomUntil, now) &+ HTTPLimits.seldomNanoseconds
    return seldomUntil &- now <= HTTPLimits.seldomQuestions * HTTPLimits.seldomNanoseconds
  }

  var isOpen: Bool { life == .open }

  var isClosed: Bool { life == .closed }

  var takesRequests: Bool { isOpen && unsent == nil && waiting == nil }

  /// True if the client has begun a request, and has to send the rest.
  var isArriving: Bool { takesRequests && !isHeld && !isIdle }

  /// True if it waits for the next request and for nothing else.
  var isIdle: Bool {
    guard unsent == nil, waiting == nil else { return false }
    guard incoming != nil else { return true }
    return incoming?.hasBegun == false
  }

  /// The bytes of its request that is not whole, and of its answers that are not read.
  var memory: Int { isClosed ? 0 : (incoming?.bytes.capacity ?? 0) + (unsent?.bytes.capacity ?? 0) }

  var token: UInt64 { UInt64(number) << 32 | UInt64(UInt32(slot)) }

  /// Beyond all places if the token is not a connection's.
  static func slot(ofToken token: UInt64) -> Int { Int(truncatingIfNeeded: token & 0xFFFF_FFFF) }

  /// The greatest ``number``: one bit of the token tells connections from other descriptors.
  static let largestNumber: UInt32 = 0x7FFF_FFFF

  var nextWaitingNumber: UInt32 { lastWaitingNumber &+ 1 }
}

/// A request while it arrives. One that arrives whole never gets bytes of its own: it is read where it was received.
struct IncomingRequest: ~Copyable {
  /// The bytes from the request's first one on; requests that follow may be in it too.
  var bytes: [UInt8] = []
  var head = RequestHead()
  /// The handler's decision when the head was here.
  var bodyRule: BodyRule?
  /// Bytes of a body that is thrown away and has not come yet; nil if none is.
  var discarding: Int?
  var isTold = false

  /// True if anything of it has come but the empty line that may come before.
  var hasBegun: Bool { !bytes.span.isExactly("\r\n") && !bytes.span.isExactly("\r") }

  /// Bytes that came after the request are kept.
  mutating func reset() {
    head.reset()
    bodyRule = nil
    discarding = nil
    isTold = false
  }

  /// Memory grows as more comes: a length that is only announced takes none.
  mutating func keep(_ received: Span<UInt8>) {
    bytes.append(copying: received)
    dropDiscardedBody()
  }

  /// Forgets the part of a discarded body that has come. Once nothing of it is left to come, the next request follows the
  /// head.
  mutating func dropDiscardedBody() {
    guard let discarding, discarding > 0 else { return }
    if bytes.capacity > 2 * head.byteCount {
      // The memory that only the body needed goes.
      bytes = Array(bytes[..<head.byteCount])
    } else {
      bytes.removeLast(bytes.count - head.byteCount)
    }
  }
}

/// The facts of a request that its answer is written by.
struct WaitingRequest {
  /// The number among the connection's requests.
  let number: UInt32
  let isHEAD: Bool
  let saysKeepAlive: Bool
  let endsConnection: Bool

  /// `isLast`: the connection ends with it, whatever its head says.
  init(_ head: borrowing RequestHead, number: UInt32, isLast: Bool = false) {
    self.number = number
    isHEAD = head.isHEAD
    endsConnection = isLast || head.endsConnection
    saysKeepAlive = head.saysKeepAlive && !isLast
  }
}

/// Answers, or the rest of one, that wait for the client to read.
struct UnsentAnswers: Redacted {
  var bytes: [UInt8] = []
  var sent = 0
  /// The statuses of the answers that end in there.
  var statuses: [UInt16]
}
