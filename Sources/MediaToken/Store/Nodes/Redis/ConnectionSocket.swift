internal import MediaTokenSystem

/// A socket on its way to a node or connected to it, and the bytes that are still to be sent.
///
/// When it is connected need not be known: until then nothing can be sent, and if connecting fails, so does sending.
struct ConnectionSocket: ~Copyable {
  private let descriptor: FileDescriptor
  private let poller: Poller
  private let token: UInt64
  private var output: [UInt8] = []
  private var sent = 0
  private var isWaitingToSend: Bool

  /// A connection whose other side acknowledges nothing for this long is lost, in milliseconds (article FleetProtocol, "Connections").
  private static let lostAfter: Int32 = 2000
  /// The most bytes that are received at once: the reply to a full batch has less than two thousand.
  static let bufferBytes = 16384

  /// Begins to connect. An error if that can't be, as far as it is known at once, or if another user may exchange a socket
  /// in the file system, and so would get the password and a vote.
  init(to address: SocketAddress, watchedBy poller: Poller, as token: UInt64) throws(WalkError) {
    if let path = address.path { try TrustedPath.checkSocket(path) }
    descriptor = try rethrow(Self.connect(to: address, poller, token), as: WalkError.system)
    (self.poller, self.token) = (poller, token)
    isWaitingToSend = true
  }

  private static func connect(
    to address: SocketAddress, _ poller: Poller, _ token: UInt64
  ) throws(SystemError) -> FileDescriptor {
    let descriptor = try Sockets.stream(for: address)
    Sockets.setForExchanges(descriptor.number, lostAfterMilliseconds: lostAfter)
    try Sockets.beginConnecting(descriptor.number, to: address)
    try poller.add(descriptor.number, [.reading, .writing], as: token)
    return descriptor
  }

  /// Sends what `write` appends, after what is still to be sent: at the latest when it is ready. False if the connection is broken. Until
  /// it is connected nothing is sent, because a failure of sending would take the reason why it can't be away.
  mutating func send(_ write: (inout [UInt8]) -> Void) -> Bool {
    write(&output)
    return isWaitingToSend || flush()
  }

  /// Sends as much as can be sent now. False if the connection is broken.
  mutating func flush() -> Bool {
    while sent < output.count {
      switch Sockets.send(descriptor.number, output.span.extracting(sent...)) {
      case .broken: return false
      case .bytes(0): return watch(forWriting: true)
      case .bytes(let count): sent += count
      }
    }
    output.removeAll(keepingCapacity: true)
    sent = 0
    return watch(forWriting: false)
  }

  private mutating func watch(forWriting isWaiting: Bool) -> Bool {
    guard isWaiting != isWaitingToSend else { return true }
    isWaitingToSend = isWaiting
    let interest: Poller.Interest = isWaiting ? [.reading, .writing] : .reading
    return (try? poller.change(descriptor.number, interest, as: token)) != nil
  }

  /// For messages. Reading the error clears it (SO_ERROR, socket(7)).
  func failure() -> SystemError? { Sockets.failure(descriptor.number) }

  func receive(into buffer: ReceiveBuffer) -> Sockets.Received { buffer.receive(from: descriptor.number) }

  /// Without this call the descriptor is closed as well, but the poller not told: that is for a forked child, which shares
  /// the poller with its parent.
  consuming func close() { poller.remove(descriptor.number) }
}
