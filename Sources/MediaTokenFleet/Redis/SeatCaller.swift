internal import MediaTokenSystem

/// A connection to a seat for callers that wait: commands are sent, and their replies waited for, until a deadline.
final class SeatCaller {
  private let poller: Poller
  private let deadline: UInt64
  private var commands: SeatCommands
  /// What is still to be tried.
  private var addresses: [SocketAddress]
  private var socket: LaneSocket?
  private var hasHeard = false
  /// Why the last address could not be used.
  private var lastError: SystemError?
  private let reader = ReplyReader()
  private let buffer = ReceiveBuffer(byteCount: RedisSeat.bufferBytes)
  private var events: [Poller.Event] = []

  /// Finds the addresses of a seat.
  ///
  /// - Parameter deadline: of this and of all calls together, in ``MonotonicTime``.
  init(_ engine: RedisEngine, _ address: SeatAddress, number: Int, until deadline: UInt64) throws(SeatError) {
    guard let poller = try? Poller() else { throw .down(nil) }
    (self.poller, self.deadline) = (poller, deadline)
    commands = engine.commands(forSeat: number)
    switch address.place {
    case .local(let path): addresses = [.local(path)]
    case .network(let host, let port):
      addresses = NetworkAddress.lookUp(host, port: port, isNumeric: true).map { .network($0) }
      guard addresses.isEmpty else { break }
      guard let lookup = try? NameLookup(host, port: port, waking: poller) else { throw .down(nil) }
      while lookup.addresses == nil { try wait(until: deadline) }
      addresses = (lookup.addresses ?? []).map { .network($0) }
    }
    guard try connectToNext() else { throw .down(lastError) }
  }

  /// Sends commands and waits for their replies.
  ///
  /// - Parameters:
  ///   - count: how many commands `write` appends.
  func ask(_ count: Int, _ write: (inout SeatCommands, inout [UInt8]) -> Void) throws(SeatError) -> [Reply] {
    while true {
      do throws(SeatError) {
        return try askOnce(count, write)
      } catch {
        guard case .down = error, !hasHeard, try connectToNext() else { throw error }
      }
    }
  }

  private func askOnce(
    _ count: Int, _ write: (inout SeatCommands, inout [UInt8]) -> Void
  ) throws(SeatError) -> [Reply] {
    // While there are other addresses to try, this one gets its share of the time.
    let now = MonotonicTime.now
    let attempt = hasHeard || now >= deadline ? deadline : now + (deadline - now) / UInt64(addresses.count + 1)
    if !hasHeard {
      // Until it is connected, or can't be.
      try wait(until: attempt)
      lastError = socket?.failure()
    }
    guard lastError == nil, socket?.send({ write(&commands, &$0) }) == true else { throw .down(lastError) }
    var replies: [Reply] = []
    do throws(ForeignReply) {
      while true {
        while replies.count < count, try reader.take() { replies.append(reader.reply) }
        if replies.count == count { return replies }
        guard receive(until: attempt) else { break }
        hasHeard = true
        let buffer = buffer
        try reader.feed(buffer.bytes)
      }
    } catch {
      throw .refused(.protocolUnknown)
    }
    throw .down(lastError)
  }

  /// Waits for bytes.
  ///
  /// - Returns: false if the connection ended, or it is late.
  private func receive(until attempt: UInt64) -> Bool {
    while true {
      switch socket?.receive(into: buffer) {
      case nil, .end: return false
      case .bytes: return true
      case .nothing: break
      }
      guard (try? wait(until: attempt)) != nil, socket?.flush() == true else { return false }
    }
  }

  private func wait(until time: UInt64) throws(SeatError) {
    let now = MonotonicTime.now
    guard now < time else { throw .down(nil) }
    _ = poller.wait(milliseconds: Int32(clamping: (time - now) / 1_000_000 + 1), &events)
  }

  private func connectToNext() throws(SeatError) -> Bool {
    socket.take()?.close()
    while !addresses.isEmpty {
      do throws(WalkError) {
        socket = try LaneSocket(to: addresses.removeFirst(), watchedBy: poller, as: 0)
        lastError = nil
        return true
      } catch {
        switch error {
        case .system(let error): lastError = error
        case .distrusted(let place): throw .refused(.exchangeableSocket(place))
        }
      }
    }
    return false
  }
}

/// Why an operator's command learns nothing from a seat.
enum SeatError: Error {
  /// It does not answer in time; what the system says, if it says something.
  case down(SystemError?)
  /// It has no answer now: what it says instead.
  case busy(String)
  /// It must not be asked.
  case refused(SeatRefusal)
  /// Nothing was founded, because it has a tenure.
  case hasTenure
}

extension SeatError: CustomStringConvertible {
  /// What is wrong, and the cure if there is one; it follows the seat's number and address.
  var description: String {
    switch self {
    case .down(nil): "it does not answer within 2 s"
    case .down(let error?): "it cannot be reached: \(error)"
    case .busy(let text): "it answers with an error: \(DisplayText.escaped(Array(text.utf8)))"
    case .refused(let refusal): refusal.description
    case .hasTenure: SeatDescription.hasTenureReason
    }
  }
}
