import Glibc
import MediaTokenSystem
import Synchronization
import Testing

@testable import MediaTokenHTTP

/// One by one: some of these tests look at the whole process.
@Suite("HTTP", .serialized)
enum HTTPTests {}

/// Answers every request with what it saw of it. What it counts is shared by all workers.
final class EchoHandler: RequestHandler {
  let seen: Seen
  /// Requests that are to be answered at the end of a turn that comes later.
  private var later: [(ticket: Ticket, text: String, turns: Int)] = []
  /// Requests that wait for their next part.
  private var paused: [Ticket] = []

  final class Seen: Sendable {
    let answers = Atomic<Int>(0)
    let routes = Atomic<Int>(0)
    let delivered = Atomic<Int>(0)
    let undelivered = Atomic<Int>(0)
    /// Answers that came later and found their client gone.
    let lost = Atomic<Int>(0)
    /// Parts of answers: all of them, the most in one turn, and the most answers that were begun and not finished.
    let parts = Atomic<Int>(0)
    let mostPartsInATurn = Atomic<Int>(0)
    let mostInParts = Atomic<Int>(0)
    /// How many requests for `/gate` may be answered; with the next one a worker does nothing else.
    let openGates = Atomic<Int>(0)
    let gates = Atomic<Int>(0)
    /// Turns of all workers.
    let turns = Atomic<Int>(0)
  }

  private var (partsInTurn, inParts) = (0, 0)

  /// Parts of an answer after the first one, which does nothing.
  static let parts = 20

  init(_ seen: Seen) { self.seen = seen }

  func route(_ request: borrowing Request) -> Route {
    seen.routes.count()
    if request.target.isText("/discard") { return Route(7, body: .discard) }
    if request.target.isText("/unread") { return Route(7, body: .unread) }
    return Route(7, body: .collect(atMost: request.target.isText("/long") ? 20_000_000 : 1000))
  }

  func answer(_ request: borrowing Request, on route: Route, with response: inout Response) -> Answering {
    #expect(route.number == 7)
    seen.answers.count()
    var text = "\(request.method.text) \(request.target.text) \(request.body.count)"
    if case .one(let place) = request.fields.find(Array("x-echo".utf8).span) {
      text += request.fields.value(place).text
    }
    text += "\n"
    if request.target.isText("/parts") {
      let part = response.progress as? Int ?? 0
      if part > 0 { countPart(part) }
      response.status = 200
      response.body.append("part \(part) of \(request.body.count)\n")
      response.progress = part + 1
      return part < Self.parts ? .partly : .now
    }
    if request.target.isText("/pauses") || request.target.isText("/paused") {
      let part = response.progress as? Int ?? 0
      response.status = 200
      response.body.append("part \(part) of \(request.body.count)\n")
      response.progress = part + 1
      if part == 3 { return .now }
      if request.target.isText("/pauses") { paused.append(request.ticket) }
      return .paused
    }
    if request.target.isText("/later") {
      later.append((request.ticket, text, 3))
      return .later
    }
    if request.target.isText("/soon") {
      later.append((request.ticket, text, 0))
      return .later
    }
    if request.target.isText("/never") { return .later }
    response.status = 200
    response.body.append(text)
    if request.target.begins(with: "/no-content") { response.status = 204 }
    if request.target.isText("/no-content") { response.body = [] }
    if request.target.isText("/slow") { usleep(300_000) }
    if request.target.isText("/pause") { usleep(20_000) }
    if request.target.isText("/gate") {
      seen.gates.count()
      while seen.openGates.value < seen.gates.value { usleep(1000) }
    }
    if request.target.isText("/big") { response.body = Array(repeating: 0x62, count: 4_000_000) }
    if request.target.isText("/fields") { response.fields.append(("X-One", Array("1".utf8))) }
    if request.target.isText("/empty-field") { response.fields.append(("X-One", [])) }
    if request.target.isText("/broken-field") { response.fields.append(("X-One", Array("a\r\nb: c".utf8))) }
    if request.target.isText("/nul-field") { response.fields.append(("X-One", Array("a\0b".utf8))) }
    if request.target.isText("/peer") { response.body = Array("\(request.peer)".utf8) }
    return .now
  }

  private func countPart(_ part: Int) {
    seen.parts.count()
    partsInTurn += 1
    inParts += part == 1 ? 1 : part == Self.parts ? -1 : 0
    seen.mostPartsInATurn.max(partsInTurn, ordering: .relaxed)
    seen.mostInParts.max(inParts, ordering: .relaxed)
  }

  func refuse(_ refusal: RequestRefusal, with response: inout Response) {
    response.status = refusal.status
    response.body.append("refused: \(refusal)\n")
  }

  func answered(_ status: UInt16, delivered: Bool) {
    if delivered { seen.delivered.count() } else { seen.undelivered.count() }
  }

  func endTurn(_ ready: [ReadyDescriptor], _ loop: inout WorkerLoop) -> UInt64? {
    partsInTurn = 0
    seen.turns.count()
    for ticket in paused {
      if !loop.goOn(ticket) { seen.lost.count() }
      let isGoingOnTwice = loop.goOn(ticket)
      #expect(!isGoingOnTwice, "no part is asked for twice")
      let isAnswered = loop.answer(ticket) { $0.status = 200 }
      #expect(!isAnswered, "what is answered in parts has no other answer")
    }
    paused = []
    var waiting: [(ticket: Ticket, text: String, turns: Int)] = []
    // In another order than they came.
    for (ticket, text, turns) in later.reversed() {
      if turns > 0 {
        waiting.append((ticket, text, turns - 1))
        continue
      }
      let isAnswered = loop.answer(ticket) { response in
        response.status = 200
        response.body.append(text)
      }
      if !isAnswered { seen.lost.count() }
      let isAnsweredTwice = loop.answer(ticket) { $0.status = 200 }
      #expect(!isAnsweredTwice, "no ticket is good twice")
    }
    later = waiting
    return later.isEmpty ? nil : MonotonicTime.now + 20_000_000
  }
}

extension Span<UInt8> {
  var text: String { String(decoding: indices.map { self[$0] }, as: UTF8.self) }

  func isText(_ text: String) -> Bool { self.text == text }
}

extension [UInt8] {
  fileprivate mutating func append(_ text: String) { append(contentsOf: text.utf8) }
}

/// A folder of its own, and a server in it.
final class HTTPFixture {
  let folder: String
  let handler = EchoHandler.Seen()
  private(set) var server: Server?
  var path: String { folder + "/s" }

  init(serve: Bool = true, _ change: (inout ServerOptions) -> Void = { _ in }) throws {
    var template = Array("/tmp/mediatoken-http-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw POSIXFailure(code: errno) }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if serve { try start(change) }
  }

  func start(_ change: (inout ServerOptions) -> Void = { _ in }) throws {
    var options = ServerOptions()
    options.workers = 2
    change(&options)
    let seen = handler
    server = try Server(listeners: [try ListeningSocket.open(SocketPath(path: path))], options: options) {
      EchoHandler(seen)
    }
  }

  @discardableResult
  func stop(within limit: Duration = .seconds(60)) -> Server.Stop? {
    let stopped = server?.stop(within: limit)
    server = nil
    return stopped
  }

  deinit {
    stop(within: .milliseconds(100))
    for name in ["s", "s.lock", "link"] { unsafe unlink(folder + "/" + name) }
    unsafe rmdir(folder)
  }

  func connect() throws -> RawClient { try RawClient(path) }
}

struct POSIXFailure: Error { let code: Int32 }

/// A client that sends whatever bytes it is told to.
final class RawClient {
  let descriptor: Int32

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let descriptor = descriptor
    do throws(SystemError) {
      try Sockets.connect(descriptor, to: .local(path))
    } catch {
      throw POSIXFailure(code: error.code)
    }
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// Whether everything could be sent.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Neither sends nor reads any more.
  func leave() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// The next bytes; empty at the end, or if the connection broke.
  func read(atMost limit: Int = 65536) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = unsafe recv(descriptor, &bytes, limit, 0)
    return count > 0 ? Array(bytes.prefix(count)) : []
  }

  /// Everything until the connection ends.
  func readAll() -> String {
    var all: [UInt8] = []
    while true {
      let bytes = read()
      if bytes.isEmpty { return String(decoding: all, as: UTF8.self) }
      all += bytes
    }
  }

  /// One answer whose body is as long as its Content-Length says; the rest of the connection is left.
  func readAnswer() -> String {
    var all: [UInt8] = []
    while true {
      let text = String(decoding: all, as: UTF8.self)
      if let length = text.contentLength, let head = text.headLength, all.count >= head + length { return text }
      let byte = read(atMost: 1)
      if byte.isEmpty { return text }
      all += byte
    }
  }

  /// Whether the peer has ended the connection, waiting for it.
  func isEnded() -> Bool {
    var byte: UInt8 = 0
    // A time-out is no end.
    let count = unsafe recv(descriptor, &byte, 1, 0)
    return count == 0 || count < 0 && errno == ECONNRESET
  }
}

extension String {
  /// The status codes of all answers in here.
  var statuses: [Int] {
    utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let text = String(decoding: line, as: UTF8.self)
      return text.hasPrefix("HTTP/1.") ? Int(text.dropFirst(9).prefix(3)) : nil
    }
  }

  var headLength: Int? {
    let bytes = Array(utf8)
    guard bytes.count >= 4 else { return nil }
    for index in 0...(bytes.count - 4) where Array(bytes[index..<index + 4]) == [13, 10, 13, 10] {
      return index + 4
    }
    return nil
  }

  var contentLength: Int? {
    for line in utf8.split(separator: UInt8(ascii: "\n")) {
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix("Content-Length: ") { return Int(text.dropFirst(16).filter(\.isNumber)) }
    }
    return nil
  }
}
