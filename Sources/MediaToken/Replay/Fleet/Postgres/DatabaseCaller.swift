internal import MediaTokenSystem

/// A connection to one node, for a thread that may wait.
struct DatabaseCaller: Sendable {
  let connection: DatabaseConnection
  private let poller: Poller
  private let timeout: Timeout

  /// Connects.
  ///
  /// - Parameters:
  ///   - address: which of the node's addresses is connected to; nil for a socket.
  ///   - timeout: for this and all questions together.
  init(
    _ engine: PostgresEngine, _ node: PostgresAddress.Node, at address: SocketAddress?, within timeout: Timeout
  ) throws(SeatError) {
    self.timeout = timeout
    poller = try rethrow(Poller(isWoken: false), as: SeatError.unreachable)
    if let path = node.socketPath { try rethrow(TrustedPath.checkSocket(path), as: SeatError.init) }
    let keywords = ConnectionKeywords.all(
      node, at: address, database: engine.fleet.database, engine.credentials.current.keywords)
    guard let connection = DatabaseConnection(keywords) else { throw .failed("no memory is left") }
    self.connection = connection
    do throws(SeatError) {
      try connect()
    } catch {
      connection.finish()
      throw error
    }
  }

  private func connect() throws(SeatError) {
    // Without a descriptor it has failed already.
    if connection.descriptor >= 0 {
      try wait(for: .writing)
      if let failure = Sockets.failure(connection.descriptor) { throw .unreachable(failure) }
    }
    while true {
      switch connection.connectFurther() {
      case .waits(let interest): try wait(for: interest)
      case .connected: return
      case .failed: throw failure
      case .foreign: throw .refused(.protocolUnknown)
      }
    }
  }

  /// Why there is no connection.
  private var failure: SeatError {
    let text = connection.errorText.split(whereSeparator: \.isNewline).last.map(String.init) ?? "no reason is known"
    // An error of the server ends with its code.
    let code = text.split(separator: " ").last.map(String.init) ?? ""
    if code.utf8.count == 5, code.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }) {
      if case .refused(let refusal) = ServerState(code) { return .refused(refusal) }
      return .busy("SQLSTATE \(code)")
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
      try wait(for: isMore ? [.reading, .writing] : .reading)
      switch connection.receive() {
      case .good: break
      case .broken: throw .closed
      case .foreign: throw .refused(.protocolUnknown)
      }
    }
  }

  /// The descriptor may be another one each time.
  private func wait(for interest: Poller.Interest) throws(SeatError) {
    let descriptor = connection.descriptor
    try rethrow(poller.add(descriptor, interest, as: 0), as: SeatError.unreachable)
    defer { poller.remove(descriptor) }
    var events: [Poller.Event] = []
    while events.isEmpty {
      let left = timeout.left
      guard left > 0 else { throw .late(milliseconds: timeout.milliseconds) }
      _ = poller.wait(milliseconds: Int32(clamping: left), &events)
    }
  }
}
