import Glibc
import Synchronization
import Testing

@testable import MediaTokenService

/// One by one: some of these tests look at the whole process.
@Suite("HTTP", .serialized)
enum HTTPTests {}

/// Answers every request with what it saw of it, and remembers how many it saw.
final class EchoHandler: RequestHandler {
  let answers = Atomic<Int>(0)
  let delivered = Atomic<Int>(0)
  let undelivered = Atomic<Int>(0)

  func bodyRule(for request: borrowing HTTPRequest) -> BodyRule {
    request.target == Array("/discard".utf8) ? .discard : .collect(atMost: 1000)
  }

  func answer(_ request: borrowing HTTPRequest, with response: inout HTTPResponse) {
    answers.count()
    response.status = 200
    response.body.append("\(String(decoding: request.method, as: UTF8.self)) ")
    response.body.append("\(String(decoding: request.target, as: UTF8.self)) \(request.body.count)")
    if case .one(let place) = request.fields.find(Array("x-echo".utf8).span) {
      let value = request.fields.value(place)
      for index in value.indices { response.body.append(value[index]) }
    }
    response.body.append("\n")
    if request.target == Array("/slow".utf8) { usleep(300_000) }
    if request.target == Array("/big".utf8) { response.body = Array(repeating: 0x62, count: 4_000_000) }
    if request.target == Array("/fields".utf8) { response.fields.append(("X-One", Array("1".utf8))) }
    if request.target == Array("/empty-field".utf8) { response.fields.append(("X-One", [])) }
    if request.target == Array("/broken-field".utf8) { response.fields.append(("X-One", Array("a\r\nb: c".utf8))) }
    if request.target == Array("/nul-field".utf8) { response.fields.append(("X-One", Array("a\0b".utf8))) }
    if request.target == Array("/peer".utf8) { response.body = Array("\(request.peer)".utf8) }
  }

  func refuse(_ refusal: HTTPRefusal, with response: inout HTTPResponse) {
    switch refusal {
    case .malformed: response.status = 400
    case .late: response.status = 408
    case .lengthRequired: response.status = 411
    case .bodyTooLarge: response.status = 413
    case .headTooLarge: response.status = 431
    }
    response.body.append("refused: \(refusal)\n")
  }

  func answered(_ response: borrowing HTTPResponse, delivered: Bool) {
    if delivered { self.delivered.count() } else { undelivered.count() }
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ text: String) { append(contentsOf: text.utf8) }
}

/// A folder of its own, and a server in it.
final class HTTPFixture {
  let folder: String
  let handler = EchoHandler()
  private(set) var server: HTTPServer<EchoHandler>?
  var path: String { folder + "/s" }

  init(serve: Bool = true, _ change: (inout HTTPServerOptions) -> Void = { _ in }) throws {
    var template = Array("/tmp/mediatoken-http-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw POSIXFailure(code: errno) }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if serve { try start(change) }
  }

  func start(_ change: (inout HTTPServerOptions) -> Void = { _ in }) throws {
    var options = HTTPServerOptions()
    options.workers = 2
    change(&options)
    server = try HTTPServer(
      handler, listeners: [try ListeningSocket.open(SocketPath(path: path))], options: options)
  }

  @discardableResult
  func stop(within limit: Duration = .seconds(3)) -> HTTPServer<EchoHandler>.Stop? {
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
    let result = unsafe withLocalAddress(path) { unsafe Glibc.connect(descriptor, $0, $1) }
    guard result == 0 else { throw POSIXFailure(code: errno) }
    var limit = timeval(tv_sec: 5, tv_usec: 0)
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
  func isEnded() -> Bool { read().isEmpty }
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
