internal import MediaTokenSystem
internal import Synchronization

struct WrittenAnswer {
  let connection: Connection
  let end: Int
  /// 0 for `100 Continue`, which is not an answer.
  let status: UInt16
  /// True if the connection ends with it. Answers to others may be between two to one connection.
  let isLast: Bool
}

extension WorkerLoop {
  /// The answer is written with the next ones.
  mutating func write(_ response: inout Response, to request: WaitingRequest, on connection: Connection) {
    if request.endsConnection || worker.isDraining.load(ordering: .relaxed) { response.endsConnection = true }
    if !append(response, to: request) {
      response.reset()
      response.body.append("{\"error\":\"unavailable\",\"detail\":\"the answer could not be written\"}\n")
      response.endsConnection = true
      _ = append(response, to: request)
    }
    answers.append(
      WrittenAnswer(
        connection: connection, end: output.count, status: response.status, isLast: response.endsConnection))
    if response.endsConnection { connection.life = .answeringLast }
    if answers.count >= HTTPLimits.answersPerGroup || output.count >= HTTPLimits.unsentBytes { writeAnswers() }
  }

  private mutating func append(_ response: borrowing Response, to request: WaitingRequest) -> Bool {
    ResponseHead.append(response, isForHEAD: request.isHEAD, saysKeepAlive: request.saysKeepAlive, to: &output)
  }

  mutating func tellToGoOn(_ connection: Connection) {
    output.append(contentsOf: ResponseHead.goOn)
    answers.append(WrittenAnswer(connection: connection, end: output.count, status: 0, isLast: false))
  }

  /// Writes all answers that there are, those of one connection at once.
  mutating func writeAnswers() {
    guard !answers.isEmpty else { return }
    var (index, start) = (0, 0)
    while index < answers.count {
      let connection = answers[index].connection
      var next = index + 1
      while next < answers.count, answers[next].connection === connection { next += 1 }
      let end = answers[next - 1].end
      write(start..<end, index..<next, on: connection)
      (index, start) = (next, end)
    }
    answers.removeAll(keepingCapacity: true)
    if output.capacity > 4 * HTTPLimits.keptBytes { output = [] } else { output.removeAll(keepingCapacity: true) }
  }

  /// The range of the output holds these answers.
  private mutating func write(_ bytes: Range<Int>, _ group: Range<Int>, on connection: Connection) {
    if connection.unsent != nil {
      connection.unsent?.bytes.append(copying: output.span.extracting(bytes))
      connection.unsent?.statuses.append(contentsOf: answers[group].map(\.status))
      return callers.countKept(of: connection)
    }
    var sent = Sockets.Sent.broken
    if !connection.isClosed { sent = Sockets.send(connection.descriptor, output.span.extracting(bytes)) }
    switch sent {
    case .broken:
      for answer in answers[group] { tell(answer.status, delivered: false) }
      close(connection)
    case .bytes(bytes.count):
      for answer in answers[group] { tell(answer.status, delivered: true) }
      if answers[group.upperBound - 1].isLast { finishIfLast(connection) }
    case .bytes(let count):
      let delivered = answers[group].prefix { $0.end <= bytes.lowerBound + count }
      for answer in delivered { tell(answer.status, delivered: true) }
      var unsent = UnsentAnswers(statuses: answers[group].dropFirst(delivered.count).map(\.status))
      unsent.bytes.append(copying: output.span.extracting((bytes.lowerBound + count)..<bytes.upperBound))
      connection.unsent = unsent
      // Bytes that come in the meantime are not read.
      connection.lingers = true
      watch(connection)
      settle(connection)
    }
  }

  /// The connection's next requests are taken when nothing is unsent any more.
  mutating func writeUnsent(of connection: Connection) {
    guard var unsent = connection.unsent.take() else { return }
    switch Sockets.send(connection.descriptor, unsent.bytes.span.extracting(unsent.sent...)) {
    case .broken:
      connection.unsent = unsent
      close(connection)
    case .bytes(let count) where unsent.sent + count < unsent.bytes.count:
      unsent.sent += count
      connection.unsent = unsent
    case .bytes:
      for status in unsent.statuses { tell(status, delivered: true) }
      deadlines.stop(connection.slot)
      finishIfLast(connection)
      if !connection.isHeld { takeKeptRequests(of: connection, .fresh) }
      watch(connection)
      settle(connection)
    }
  }

  private mutating func finishIfLast(_ connection: Connection) {
    guard case .answeringLast = connection.life else { return }
    guard connection.lingers else { return close(connection) }
    connection.life = .lingering
    connection.incoming = nil
    callers.countKept(of: connection)
    Sockets.shutDownWriting(connection.descriptor)
    deadlines.begin(.end, connection.slot, at: now)
    watch(connection)
  }

  mutating func throwAway(from connection: Connection) {
    switch received.receive(from: connection.descriptor) {
    case .nothing: return
    case .end: close(connection)
    case .bytes(let count):
      connection.discarded += count
      if connection.discarded > options.discardedBytes { close(connection) }
    }
  }

  private func tell(_ status: UInt16, delivered: Bool) {
    if status != 0 { handler.answered(status, delivered: delivered) }
  }
}
