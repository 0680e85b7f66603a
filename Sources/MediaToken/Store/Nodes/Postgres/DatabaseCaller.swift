internal import MediaTokenSystem

/// A connection to one member, for a thread that may wait.
struct DatabaseCaller: Sendable {
  let connection: DatabaseConnection
  private let timeout: Timeout

  /// The address is one of the member's; nil for a socket. The timeout is for connecting, and for all questions that have none of their
  /// own.
  init(
    _ engine: PostgresEngine, _ member: PostgresAddress.Member, at address: SocketAddress?, within timeout: Timeout
  ) throws(NodeError) {
    self.timeout = timeout
    if let path = member.socketPath { try rethrow(TrustedPath.checkSocket(path), as: NodeError.init) }
    let keywords = ConnectionKeywords.all(
      member, at: address, database: engine.fleet.database, engine.credentials.current.keywords)
    guard let connection = DatabaseConnection(keywords) else { throw .failed("no memory is left") }
    self.connection = connection
    do throws(NodeError) {
      try connect()
    } catch {
      connection.finish()
      throw error
    }
  }

  private func connect() throws(NodeError) {
    // Without a descriptor it has failed already.
    if connection.descriptor >= 0 {
      try wait(for: .writing, timeout)
      if let failure = Sockets.failure(connection.descriptor) { throw .unreachable(failure) }
    }
    while true {
      switch connection.connectFurther() {
      case .waits(let interest): try wait(for: interest, timeout)
      case .connected: return
      case .failed: throw failure
      case .foreign: throw .refused(.protocolUnknown)
      }
    }
  }

  private var failure: NodeError {
    // The first attempt's; libpq's guesses follow, and attempts in other ways.
    let text =
      connection.errorText.split(whereSeparator: \.isNewline).first.map(String.init) ?? "no reason is known"
    return Self.serverError(in: text).map(error) ?? .failed(text)
  }

  /// The server's words in a line of libpq's: after its severity, in whatever language, come two spaces, its code and its
  /// words.
  static func serverError(in line: String) -> (state: String, message: String)? {
    guard let match = line.firstMatch(of: /: {2}([0-9A-Z]{5}): (.*)$/) else { return nil }
    return (String(match.1), String(match.2))
  }

  /// The meaning of an error of the server.
  private func error(_ state: String, _ message: String) -> NodeError {
    switch ServerState(state, message) {
    case .refused(let refusal): .refused(refusal)
    // One that is ending or starting says so.
    case .otherMember where !state.hasPrefix("57P"): .refused(.standby)
    case .hasEpoch: .hasEpoch
    default: .busy("SQLSTATE \(state): \(message)")
    }
  }

  /// Waits for the answer, which is rows without a warning.
  func ask(_ statement: String, _ parameters: borrowing QueryParameters) throws(NodeError) -> QueryResult {
    try rows(of: answer(to: statement, parameters))
  }

  /// An answer with a warning has no rows here.
  func rows(of answer: ServerAnswer) throws(NodeError) -> QueryResult {
    if let found = answer.error { throw error(found.state, found.message) }
    guard let rows = answer.rows else { throw .refused(.protocolUnknown) }
    if answer.isWarned {
      throw .busy("a warning that what was committed may not be on the standby; read the database's log")
    }
    return rows
  }

  func answer(
    to statement: String, _ parameters: borrowing QueryParameters, within timeout: Timeout? = nil
  ) throws(NodeError) -> ServerAnswer {
    guard connection.send(statement, parameters) else { throw .closed }
    while true {
      guard let isMore = connection.flush() else { throw .closed }
      if let answer = connection.takeAnswer() { return answer }
      try wait(for: isMore ? [.reading, .writing] : .reading, timeout ?? self.timeout)
      switch connection.receive() {
      case .good: break
      case .broken: throw .closed
      case .foreign: throw .refused(.protocolUnknown)
      }
    }
  }

  /// The descriptor may be another one each time.
  private func wait(for interest: Poller.Interest, _ timeout: Timeout) throws(NodeError) {
    let isReady = Sockets.wait(connection.descriptor, for: interest, milliseconds: Int32(clamping: timeout.left))
    if !isReady, timeout.left == 0 { throw .late(milliseconds: timeout.milliseconds) }
  }
}
