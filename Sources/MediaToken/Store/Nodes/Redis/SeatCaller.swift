internal import MediaTokenSystem

/// A connection to a seat for callers that wait: commands are sent, and their replies waited for, until a timeout.
final class SeatCaller {
  private let poller: Poller
  private let timeout: Timeout
  private var commands: SeatCommands
  /// The addresses that are still to be tried.
  private var addresses: [SocketAddress]
  private var socket: ConnectionSocket?
  private var hasHeard = false
  private let reader = ReplyReader()
  private let buffer = ReceiveBuffer(byteCount: ConnectionSocket.bufferBytes)
  private var events: [Poller.Event] = []

  /// The timeout is for finding the seat's addresses and all calls together.
  init(_ engine: RedisEngine, _ address: SeatAddress, number: Int, within timeout: Timeout) throws(SeatError) {
    poller = try rethrow(Poller(), as: SeatError.unreachable)
    self.timeout = timeout
    commands = engine.commands(forSeat: number)
    switch address.place {
    case .local(let path): addresses = [.local(path)]
    case .network(let host, let port):
      addresses = SocketAddress.lookUp(host, port: port, isNumeric: true)
      guard addresses.isEmpty else { break }
      let lookup = try rethrow(NameLookup(host, port: port, waking: poller), as: SeatError.unreachable)
      while lookup.addresses == nil { try wait(until: timeout.end) }
      addresses = lookup.addresses ?? []
      guard !addresses.isEmpty else { throw .nameless }
    }
    try connectToNext()
  }

  /// Sends the `count` commands that `write` appends, and waits for their replies.
  func ask(_ count: Int, _ write: (inout SeatCommands, inout [UInt8]) -> Void) throws(SeatError) -> [Reply] {
    while true {
      do throws(SeatError) {
        return try askOnce(count, write)
      } catch {
        guard error.isOfOneAddress, !hasHeard, !addresses.isEmpty else { throw error }
        try connectToNext()
      }
    }
  }

  private func askOnce(
    _ count: Int, _ write: (inout SeatCommands, inout [UInt8]) -> Void
  ) throws(SeatError) -> [Reply] {
    // While there are other addresses to try, this one gets its share of the time.
    let now = MonotonicTime.now
    let end = timeout.end
    let attempt = hasHeard || now >= end ? end : now + (end - now) / UInt64(addresses.count + 1)
    if !hasHeard {
      // Until it is connected, or can't be.
      try wait(until: attempt)
      if let failure = socket?.failure() { throw .unreachable(failure) }
    }
    // A seat may have said why and gone before it was asked.
    _ = socket?.send { write(&commands, &$0) }
    var replies: [Reply] = []
    while true {
      while replies.count < count, let reply = try rethrow(reader.take(), as: Self.foreign) {
        replies.append(reply)
      }
      if replies.count == count {
        // A stray reply would be taken for the reply to the next command.
        guard reader.open == 0 else { throw .refused(.protocolUnknown) }
        return replies
      }
      do throws(SeatError) {
        try receive(until: attempt)
      } catch {
        if case .closed = error, let last = replies.last, last.kind == .error { throw .busy(last.wholeText) }
        throw error
      }
      hasHeard = true
      let buffer = buffer
      try rethrow(reader.feed(buffer.bytes), as: Self.foreign)
    }
  }

  private static func foreign(_: ForeignReply) -> SeatError { .refused(.protocolUnknown) }

  private func receive(until attempt: UInt64) throws(SeatError) {
    while true {
      switch socket?.receive(into: buffer) {
      case nil, .end: throw .closed
      case .bytes: return
      case .nothing: break
      }
      try wait(until: attempt)
      guard socket?.flush() == true else { throw .closed }
    }
  }

  private func wait(until time: UInt64) throws(SeatError) {
    let now = MonotonicTime.now
    guard now < time else { throw .late(milliseconds: timeout.milliseconds) }
    _ = poller.wait(milliseconds: Int32(clamping: (time - now) / 1_000_000 + 1), &events)
  }

  private func connectToNext() throws(SeatError) {
    socket.take()?.close()
    while true {
      do throws(WalkError) {
        socket = try ConnectionSocket(to: addresses.removeFirst(), watchedBy: poller, as: 0)
        return
      } catch {
        if case .system = error, !addresses.isEmpty { continue }
        throw SeatError(error)
      }
    }
  }
}
