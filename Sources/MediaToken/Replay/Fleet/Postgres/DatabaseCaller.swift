internal import MediaTokenSystem

/// A connection to one node, for a thread that may wait.
struct DatabaseCaller {
  let connection: DatabaseConnection
  private let poller: Poller
  private let timeout: Timeout

  /// How long one node may take to be connected to and asked, while there may be others: 2 s.
  static let mostMilliseconds = 2000

  /// Connects.
  ///
  /// - Parameter milliseconds: for how long this and all questions together may wait.
  /// - Parameter isLast: no other node would be tried. One whose machine is gone sends nothing at all, and would use up the time in
  ///   which the next connection has to be there.
  init(
    _ engine: PostgresEngine, _ node: PostgresAddress.Node, within milliseconds: Int, isLast: Bool
  ) throws(SeatError) {
    timeout = Timeout(milliseconds: milliseconds)
    poller = try rethrow(Poller(isWoken: false), as: SeatError.unreachable)
    if let path = node.socketPath { try rethrow(TrustedPath.checkSocket(path), as: SeatError.init) }
    let keywords = ConnectionKeywords.all(
      node, database: engine.fleet.database, engine.credentials.current.keywords)
    guard let connection = DatabaseConnection(keywords) else { throw .failed("no memory is left") }
    self.connection = connection
    do throws(SeatError) {
      try connect(node, isLast)
    } catch {
      connection.finish()
      throw error
    }
  }

  private func connect(_ node: PostgresAddress.Node, _ isLast: Bool) throws(SeatError) {
    var interest = Poller.Interest.writing
    var limit =
      isLast ? timeout : Timeout(milliseconds: min(timeout.milliseconds, ConnectionTimes.attemptMilliseconds))
    while true {
      if connection.socket >= 0 { try wait(for: interest, within: limit) }
      limit = timeout
      switch connection.connectFurther() {
      case .waitsToRead: interest = .reading
      case .waitsToWrite: interest = .writing
      case .connected: return
      case .failed: throw failure(node)
      }
    }
  }

  /// Why there is no connection.
  private func failure(_ node: PostgresAddress.Node) -> SeatError {
    let text = connection.errorText.split(whereSeparator: \.isNewline).last.map(String.init) ?? "no reason is known"
    // An error of the server ends with its code.
    let code = text.split(separator: " ").last.map(String.init) ?? ""
    if code.utf8.count == 5, code.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }) {
      if case .refused(let refusal) = ServerState(code) { return .refused(refusal) }
      return .busy("SQLSTATE \(code)")
    }
    if node.socketPath == nil, SocketAddress.lookUp(node.host, port: node.port, isNumeric: false).isEmpty {
      return .nameless
    }
    return .failed(text)
  }

  /// Asks, and waits for the answer, which is rows without a warning.
  func ask(_ statement: String, _ parameters: borrowing QueryParameters) throws(SeatError) -> QueryResult {
    try rows(of: answer(to: statement, parameters))
  }

  /// The rows of an answer without a warning.
  func rows(of answer: ServerAnswer) throws(SeatError) -> QueryResult {
    if let error = answer.error {
      switch ServerState(error.state) {
      case .refused(let refusal): throw .refused(refusal)
      case .otherNode: throw .refused(.standby)
      case .hasEpoch: throw .hasEpoch
      case .readOnly: throw .refused(.takesNoWrites(StoreWords("SQLSTATE \(error.state): \(error.message)")))
      default: throw .busy("SQLSTATE \(error.state): \(error.message)")
      }
    }
    guard let rows = answer.rows else { throw .refused(.protocolUnknown) }
    if answer.isWarned {
      throw .busy("a warning that what was committed may not be on the standby; read the database's log")
    }
    return rows
  }

  /// Asks, and waits for the answer.
  func answer(to statement: String, _ parameters: borrowing QueryParameters) throws(SeatError) -> ServerAnswer {
    guard connection.send(statement, parameters) else { throw .closed }
    while true {
      guard let isMore = connection.flush() else { throw .closed }
      if let answer = connection.takeAnswer() { return answer }
      try wait(for: isMore ? [.reading, .writing] : .reading, within: timeout)
      switch connection.receive() {
      case .good: break
      case .broken: throw .closed
      case .foreign: throw .refused(.protocolUnknown)
      }
    }
  }

  /// The descriptor may be another one each time.
  private func wait(for interest: Poller.Interest, within limit: Timeout) throws(SeatError) {
    let socket = connection.socket
    try rethrow(poller.add(socket, interest, as: 0), as: SeatError.unreachable)
    defer { poller.remove(socket) }
    var events: [Poller.Event] = []
    while events.isEmpty {
      let now = MonotonicTime.now
      guard now < limit.end else { throw .late(milliseconds: limit.milliseconds) }
      _ = poller.wait(milliseconds: Int32(clamping: (limit.end - now) / 1_000_000 + 1), &events)
    }
  }
}
