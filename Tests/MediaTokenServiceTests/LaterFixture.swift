import Glibc
import MediaToken
import MediaTokenSystem
import Testing

@testable import MediaTokenHTTP
@testable import MediaTokenService

/// A server over a scripted memory.
final class LaterFixture {
  let memory = ScriptedMemory()
  let service: Service
  let current: CurrentState
  private let folder: String
  private let logReader: Int32
  let server: Monitor<Server?>

  init(
    _ json: String = ServiceFixture.json(), failuresToBegin: Int = 0,
    _ change: (inout ServerOptions) -> Void = { _ in }
  ) throws {
    var template = Array("/tmp/mediatoken-later-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw SystemError(code: errno) }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { throw SystemError(code: errno) }
    logReader = ends[0]
    memory.script.change { $0.failuresToBegin = failuresToBegin }
    current = CurrentState(try Self.state(json, memory))
    let service = Service(current, Metrics(), try Log(descriptor: ends[1]))
    self.service = service
    // No deadline ends what a test does not want to end, for however long one of its threads has to wait for a processor.
    var options = ServerOptions()
    (options.requestDeadline, options.idleLimit) = (.seconds(3600), .seconds(3600))
    options.progressLimit = .seconds(3600)
    options.workers = 1
    change(&options)
    server = Monitor(
      try Server(
        listeners: [try ListeningSocket.open(SocketPath(path: folder + "/s"))], options: options,
        counters: service.connections
      ) { Handler(service) })
  }

  static func state(_ json: String, _ memory: ScriptedMemory) throws -> ServingState {
    try ServingState(try ConfigurationFile.parse(Array(json.utf8).span), ServiceFixture.keys(), memory)
  }

  /// Exchanges what requests are answered from, as a reload does.
  func reload(_ json: String) throws { current.exchange(for: try Self.state(json, memory)) }

  /// Whether a question whose claims find no answer within its deadline is cut, and what follows holds. On a machine with other work
  /// the deadline may pass before the claims: then another server is asked.
  static func isCut(
    atDeadline deadline: Duration, afterClaims count: Int, asking ask: (LaterClient) throws -> Void,
    then holds: (LaterFixture) -> Bool
  ) throws -> Bool {
    for _ in 0..<10 {
      let fixture = try LaterFixture { $0.requestDeadline = deadline }
      let client = try fixture.connect()
      try ask(client)
      #expect(client.answer() == nil)
      #expect(fixture.service.connections.deadlineKills.value == 1)
      if fixture.memory.script.current.asked.count == count { return holds(fixture) }
    }
    return false
  }

  func stop(within limit: Duration = .seconds(120)) -> Int? {
    server.change { $0.take() }?.stop(within: limit)
  }

  deinit {
    // A worker that a test left in there would never end, nor would this.
    memory.script.change { $0.isSending = false }
    _ = stop(within: .milliseconds(100))
    for name in ["s", "s.lock"] { unsafe unlink(folder + "/" + name) }
    unsafe rmdir(folder)
  }

  func connect() throws -> LaterClient { try LaterClient(path) }

  private var path: String { folder + "/s" }

  /// Waits until the server is about to stop: from then on each answer ends its connection.
  var untilDraining: @Sendable () -> Void {
    { [path] in while unsafe access(path, F_OK) == 0 { usleep(1000) } }
  }

  /// The beginning of a section `auth` whose one route protects everything; `}` is still missing.
  static let auth =
    #""auth": {"tokenHeader": "X-Token", "routes": [{"prefix": "/", "requestor": "REF30", "resource": "TNT"}]"#

  /// The header in which ``auth`` expects a token.
  static func header(_ token: [UInt8]) -> String { "X-Token: \(String(decoding: token, as: UTF8.self))\r\n" }

  func count(_ counter: Counter) -> Int { Int(service.metrics.total(counter)) }

  /// What was logged since the last look.
  func logged() -> String { service.log.written(to: logReader) }

  /// Waits, for a minute at most, until the condition holds.
  func waitUntil(_ isSo: () -> Bool) -> Bool {
    for _ in 0..<12_000 {
      if isSo() { return true }
      usleep(5000)
    }
    return false
  }
}

/// A client that reads one answer after another.
final class LaterClient {
  private let descriptor: Int32
  private var rest: [UInt8] = []

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    try Sockets.connect(descriptor, to: .local(path))
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  func get(_ target: String, _ fields: String = "", method: String = "GET") {
    send(Array("\(method) \(target) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n".utf8))
  }

  func post(_ target: String, _ body: [UInt8], _ fields: String = "") {
    let head = "POST \(target) HTTP/1.1\r\nHost: x\r\n\(fields)Content-Length: \(body.count)\r\n\r\n"
    send(Array(head.utf8) + body)
  }

  func verify(_ token: [UInt8], _ fields: String = "") {
    post("/v1/verify?requestor=REF30&resource=TNT", token, fields)
  }

  /// The next answer; nil if the connection ends before it.
  func answer() -> (status: Int, head: String, body: String)? {
    while true {
      let text = String(decoding: rest, as: UTF8.self)
      if let end = text.range(of: "\r\n\r\n") {
        let head = String(text[..<end.lowerBound])
        let length = head.range(of: "Content-Length: ").flatMap {
          Int(head[$0.upperBound...].prefix { $0.isNumber })
        }
        let start = head.utf8.count + 4
        if rest.count >= start + (length ?? 0) {
          let body = String(decoding: rest[start..<start + (length ?? 0)], as: UTF8.self)
          rest.removeFirst(start + (length ?? 0))
          return (Int(head.dropFirst(9).prefix(3)) ?? 0, head, body)
        }
      }
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
      guard count > 0 else { return nil }
      rest += bytes.prefix(count)
    }
  }

  /// Whether nothing has come that was not read.
  func hasNothing() -> Bool {
    var byte: UInt8 = 0
    let count = unsafe recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT | MSG_PEEK))
    return rest.isEmpty && count < 0
  }
}

extension String {
  /// The first place where this text is, byte for byte.
  fileprivate func range(of text: String) -> Range<Index>? {
    let (all, part) = (Array(utf8), Array(text.utf8))
    guard all.count >= part.count else { return nil }
    for start in 0...(all.count - part.count) where Array(all[start..<start + part.count]) == part {
      let lower = utf8.index(utf8.startIndex, offsetBy: start)
      return lower..<utf8.index(lower, offsetBy: part.count)
    }
    return nil
  }
}
