internal import CLibPQ
internal import MediaTokenSystem

/// One connection of libpq, in pipeline mode once it is connected: one question, then its answer.
///
/// An answer is there when the server has said that it is done with the transaction (`PGRES_PIPELINE_SYNC`), and no earlier: rows may
/// arrive before the commit that they belong to.
///
/// Its memory is bounded whatever the server sends. libpq takes in all that has arrived for as long as more arrives
/// (`pqReadData`), makes room for a message of any announced length (`pqCheckInBufferSpace`), keeps every setting and
/// notification, and has no limit for any of that. So it reads from a ``MeteredSocket``, and makes at most a few times as
/// much of the bytes that it is given: room that is only announced is never written to, and takes no memory. The network's
/// bytes are carried: TLS makes them longer, and they are never compressed (``ConnectionKeywords``).
// SAFETY: one thread at a time has it: that which connects, then that which it is handed to.
@safe final class DatabaseConnection: @unchecked Sendable, Redacted {
  // SAFETY: made in init, gone after `finish`, which sets the mark that every other function checks.
  private let connection: OpaquePointer
  /// True if the server has warned since the last question. libpq's callback writes it.
  private let isWarned: UnsafeMutablePointer<Bool>
  /// A server may have got it in clear, and must not have it repeated in a log.
  private let password: String?
  private var isFinished = false
  /// The other end of libpq's socket; nil if libpq has no socket.
  private var meter: MeteredSocket?
  /// The parts of the answer that have come, and the number of results that they were.
  private var answer = ServerAnswer()
  private var results = 0
  /// Not taken yet.
  private var whole: [ServerAnswer] = []

  /// The most bytes of an answer, with all that comes until the next question, and the most until there is a connection: the answer to
  /// the largest batch has less than two thousand, and a chain of certificates a few thousand.
  static let mostBytes = 65536
  /// The bytes that may come until the connection is to be exchanged for another, as libpq keeps the settings that a server
  /// sends: the answers to 300,000 claims. Twice as many end it.
  private static let mostBytesAltogether = 8 << 20

  /// Begins to connect. It may wait for the name service. Nil if the system has no memory or descriptor left.
  init?(_ keywords: [(name: String, value: String)]) {
    var bytes: [UInt8] = []
    var starts: [Int] = []
    for text in keywords.flatMap({ [$0.name, $0.value] }) {
      starts.append(bytes.count)
      bytes += Array(text.utf8) + [0]
    }
    // SAFETY: the pointers are into `bytes`, which outlives the call; libpq copies what it is given.
    let made = unsafe bytes.withUnsafeBytes { bytes in
      let texts = unsafe starts.map {
        unsafe bytes.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self)
      }
      let names = unsafe stride(from: 0, to: texts.count, by: 2).map { unsafe texts[$0] } + [nil]
      let values = unsafe stride(from: 1, to: texts.count, by: 2).map { unsafe texts[$0] } + [nil]
      return unsafe LibPQ.functions.PQconnectStartParams(names, values, 0)
    }
    guard let connection = unsafe made else { return nil }
    password = keywords.first { $0.name == "password" && $0.value != ConnectionKeywords.noPassword }?.value
    unsafe self.connection = connection
    unsafe isWarned = .allocate(capacity: 1)
    unsafe isWarned.initialize(to: false)
    // Errors are told apart by their code alone, whatever language the server speaks.
    _ = unsafe LibPQ.functions.PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
    _ = unsafe LibPQ.functions.PQsetNoticeReceiver(
      connection,
      { mark, notice in
        let severity = unsafe LibPQ.functions.PQresultErrorField(notice, mediatoken_pq_severity).map {
          unsafe String(cString: $0)
        }
        // A kind that is not known is a warning.
        if !["DEBUG", "LOG", "INFO", "NOTICE"].contains(severity) {
          unsafe mark?.assumingMemoryBound(to: Bool.self).pointee = true
        }
      }, isWarned)
    // So far libpq has read nothing.
    guard socket < 0 || beginMetering() else {
      finish()
      return nil
    }
  }

  private func beginMetering() -> Bool {
    meter = try? MeteredSocket(inPlaceOf: socket)
    meter?.allow(Self.mostBytes)
    return meter != nil
  }

  /// A forked child comes here without ``finish()``: the connection is its parent's, so nothing is said on it, and only the child's
  /// descriptor is closed. libpq's memory stays.
  deinit {
    if !isFinished, socket >= 0 { _ = FileDescriptor(owning: socket) }
    unsafe isWarned.deallocate()
  }

  /// Ends the connection, in order. Not in a forked child.
  func finish() {
    guard !isFinished else { return }
    isFinished = true
    unsafe LibPQ.functions.PQfinish(connection)
    // That it ends, if there is room for so little.
    _ = meter?.carryOut()
    meter = nil
  }

  /// libpq's own.
  private var socket: Int32 { isFinished ? -1 : unsafe LibPQ.functions.PQsocket(connection) }

  /// The descriptor to wait for, which may be another one after each step of connecting; -1 when it has no connection.
  var descriptor: Int32 { meter?.descriptor ?? -1 }

  enum Progress {
    case waits(Poller.Interest)
    case connected, failed, foreign
  }

  /// To be called when its descriptor is ready.
  func connectFurther() -> Progress {
    if meter?.carryIn() == .tooMuch { return .foreign }
    // Each step takes bytes that came, or is one of few that need none.
    for _ in 0..<Self.mostBytes {
      let status = unsafe LibPQ.functions.PQconnectPoll(connection)
      // Without TLS it begins again, if it may.
      if meter?.isLeft == true, socket >= 0, !beginMetering() { return .failed }
      let isMore = meter?.carryOut() == true
      switch status {
      case PGRES_POLLING_READING where !Sockets.hasBytes(socket), PGRES_POLLING_WRITING where isMore:
        return .waits(isMore ? [.reading, .writing] : .reading)
      case PGRES_POLLING_READING, PGRES_POLLING_WRITING: continue
      case PGRES_POLLING_OK:
        return unsafe LibPQ.functions.PQsetnonblocking(connection, 1) == 0
          && LibPQ.functions.PQenterPipelineMode(connection) == 1
          ? .connected : .failed
      default: return .failed
      }
    }
    return .foreign
  }

  /// True if so much came on it that another is to take its place.
  var isWorn: Bool { meter.map { $0.total > Self.mostBytesAltogether } ?? true }

  /// libpq's words about the connection, in lines; an error of the server has its code.
  var errorText: String {
    unsafe LibPQ.functions.PQerrorMessage(connection).map { unsafe withoutPassword(String(cString: $0)) } ?? ""
  }

  private func withoutPassword(_ text: String) -> String { password.map { text.replacing($0, with: "…") } ?? text }

  /// A question has one statement. False if the connection is broken.
  func send(_ statement: String, _ parameters: borrowing QueryParameters) -> Bool {
    guard !isFinished else { return false }
    unsafe isWarned.pointee = false
    meter?.allow(min(Self.mostBytes, 2 * Self.mostBytesAltogether - (meter?.total ?? 0)))
    let (bytes, types, starts) = (parameters.bytes, parameters.types, parameters.starts)
    let lengths = starts.indices.map { Int32(($0 + 1 < starts.count ? starts[$0 + 1] : bytes.count) - starts[$0]) }
    // SAFETY: the pointers are into `bytes`, which outlives the call; libpq copies what they point to.
    return unsafe bytes.withUnsafeBytes { bytes in
      let values = unsafe starts.map {
        unsafe bytes.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self)
      }
      return unsafe LibPQ.functions.PQsendQueryParams(
        connection, statement, Int32(starts.count), types, values, lengths,
        [Int32](repeating: 1, count: starts.count), 1) == 1
        && LibPQ.functions.PQpipelineSync(connection) == 1
    }
  }

  /// Sends as much as can be sent now. True if there is more; nil if the connection is broken.
  func flush() -> Bool? {
    guard !isFinished, let meter else { return nil }
    let rest = unsafe LibPQ.functions.PQflush(connection)
    guard rest >= 0, let isMore = meter.carryOut() else { return nil }
    return isMore || rest == 1
  }

  enum Reception {
    case good
    /// There is no connection any more.
    case broken
    /// It sends an answer that no question of ours has.
    case foreign
  }

  /// Receives and reads the answers: ``takeAnswer()`` has them, whatever is returned.
  func receive() -> Reception {
    guard !isFinished, let meter else { return .broken }
    while true {
      switch meter.carryIn() {
      case .nothing: return .good
      case .tooMuch: return .foreign
      case .end:
        _ = unsafe LibPQ.functions.PQconsumeInput(connection)
        return collect() ? .broken : .foreign
      case .piece(let isLast):
        // Of TLS it reads one record at a time.
        repeat {
          let isWhole = unsafe LibPQ.functions.PQconsumeInput(connection) == 1
          guard collect() else { return .foreign }
          guard isWhole else { return .broken }
        } while Sockets.hasBytes(socket)
        if isLast { return .good }
      }
    }
  }

  /// Nil if not all of the answer has arrived.
  func takeAnswer() -> ServerAnswer? { whole.isEmpty ? nil : whole.removeFirst() }

  /// Reads the results that are there. False for one that a statement of ours does not have. libpq has the result of a COPY
  /// for as long as it is asked, until the program has copied ("Functions Associated with the COPY Command").
  private func collect() -> Bool {
    var gaps = 0
    defer { dropNotifications() }
    while unsafe LibPQ.functions.PQisBusy(connection) == 0 {
      guard let result = unsafe LibPQ.functions.PQgetResult(connection).map({ unsafe QueryResult($0) }) else {
        // One is between a statement and its end; two are all that there is.
        gaps += 1
        if gaps == 2 { break }
        continue
      }
      gaps = 0
      results += 1
      switch result.status {
      case PGRES_PIPELINE_SYNC:
        // Rows come before the commit, and it may still fail.
        if answer.error != nil { answer.rows = nil }
        answer.isWarned = unsafe isWarned.pointee
        whole.append(answer)
        (answer, results) = (ServerAnswer(), 0)
      case PGRES_TUPLES_OK where results == 1: answer.rows = result
      case PGRES_FATAL_ERROR where results <= 2:
        let (state, message) = result.error
        answer.error = answer.error ?? (state, withoutPassword(message))
      default: return false
      }
    }
    return true
  }

  /// We listen to no channel. Where a pooler is in between, a connection that it gives us may.
  private func dropNotifications() {
    while let notification = unsafe LibPQ.functions.PQnotifies(connection) {
      unsafe LibPQ.functions.PQfreemem(notification)
    }
  }
}
