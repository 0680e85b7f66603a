import Glibc
import MediaToken
import MediaTokenIssuer
import MediaTokenSystem
import Testing

@testable import MediaTokenHTTP
@testable import MediaTokenService

/// A handler with all that it answers from, and requests that came over no socket.
struct ServiceFixture {
  static let keyPair: Result<DevelopmentKeyPair, Problem> = Result { () throws(Problem) in
    try .generate(modulusBits: 2048)
  }
  /// The GUID in every token that is issued here.
  static let guid = "feedfacefeedfacefeedfacefeedface"

  let handler: Handler
  let table: SharedReplayTable
  /// The end of a pipe on which the log is read.
  let logReader: Int32
  let logWriter: Int32

  /// A handler for a configuration's text, over an anonymous table.
  init(_ json: String = ServiceFixture.json(), capacity: Int = 10_000) throws {
    let configuration = try ConfigurationFile.parse(Array(json.utf8).span)
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { throw SystemError(code: errno) }
    (logReader, logWriter) = (ends[0], ends[1])
    table = try SharedReplayTable(
      anonymousWithCapacity: capacity, policy: configuration.loosestPolicy(),
      retryWindowMilliseconds: configuration.replay.retryWindowMilliseconds)
    let state = try ServingState(configuration, Self.keys(), table)
    handler = Handler(Service(CurrentState(state), Metrics(), try Log(descriptor: logWriter)))
  }

  static func keys() throws -> TrustedKeys {
    let pem = Array(try keyPair.get().publicKeyPEM().utf8)
    return try TrustedKeys(parsing: [KeyFile(name: "test.pem", bytes: pem)], consent: .none)
  }

  /// A configuration with these members and those that it must have.
  static func json(tenants: String = #"[{"requestor": "REF30"}]"#, _ more: String = "") -> String {
    """
    {"socket": {"path": "/run/test.sock"}, "keys": ["/etc/test"], "replay": {"address": "shared:/test"},
     "tenants": \(tenants)\(more.isEmpty ? "" : ", " + more)}
    """
  }

  /// A fresh token.
  static func token(
    requestor: String = "REF30", resource: String = "TNT", form: DevelopmentTokenIssuer.Form = .raw,
    age milliseconds: Int64 = 0, _ change: (inout DevelopmentToken) -> Void = { _ in }
  ) throws -> [UInt8] {
    var token = DevelopmentToken(
      requestorID: requestor, resourceID: resource,
      issueTime: Instant(millisecondsSinceEpoch: Instant.now.millisecondsSinceEpoch - milliseconds),
      sessionGUID: guid)
    // No two tokens alike, although issue times are whole seconds.
    token.mvpdID = "MVPD_\(UInt64.random(in: 0...UInt64.max))"
    change(&token)
    var issuer = try DevelopmentTokenIssuer(keyPair.get())
    var output: [UInt8] = []
    try issuer.issue(token, as: form, into: &output)
    return output
  }

  static func text(form: DevelopmentTokenIssuer.Form = .percent) throws -> String {
    String(decoding: try token(form: form), as: UTF8.self)
  }

  /// What the handler answers.
  func ask(
    _ method: String, _ target: String, _ fields: [(String, String)] = [], _ body: [UInt8] = [],
    from peer: Peer = .process(uid: 33, gid: 33, pid: 7)
  ) -> Answered {
    let response = handler.answer(method, target, fields, body, from: peer)
    handler.answered(response.status, delivered: true)
    return Answered(response: response)
  }

  /// Asks `/v1/verify` for requestor and resource.
  func verify(_ token: [UInt8], _ query: String = "requestor=REF30&resource=TNT", _ fields: [(String, String)] = [])
    -> Answered
  {
    ask("POST", "/v1/verify?\(query)", fields, token)
  }

  /// What was logged so far.
  func logged() -> String { handler.service.log.written(to: logReader) }
}

extension Log {
  /// What was written to a pipe since the last look. Waits, for a minute at least, until that is everything.
  func written(to reader: Int32) -> String {
    _ = fcntl(reader, F_SETFL, O_NONBLOCK)
    var (all, bytes) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    for _ in 0..<600 {
      let isEverything = flush(atMostMilliseconds: 100)
      while true {
        let count = unsafe read(reader, &bytes, bytes.count)
        guard count > 0 else { break }
        all += bytes.prefix(count)
      }
      if isEverything { break }
    }
    return String(decoding: all, as: UTF8.self)
  }
}

/// An answer, to be looked at.
struct Answered {
  let response: Response

  var status: Int { Int(response.status) }
  var body: String { String(decoding: response.body, as: UTF8.self) }

  /// In their order.
  var headers: [(name: String, value: String)] {
    String(decoding: response.fields, as: UTF8.self).split(separator: "\r\n").map { line in
      let name = line.prefix { $0 != ":" }
      return (String(name), String(line.dropFirst(name.count + 2)))
    }
  }

  func header(_ name: String) -> String? {
    let values = headers.filter { $0.name == name }.map(\.value)
    return values.count == 1 ? values[0] : nil
  }

  /// Whether the body has this member.
  func has(_ name: String, _ value: String) -> Bool { body.contains("\"\(name)\":\"\(value)\"") }
}

extension RequestHandler {
  /// The answer to a request, as a worker would ask for them.
  ///
  /// - Parameter meanwhile: what happens while its body comes.
  func answer(
    _ method: String, _ target: String, _ fields: [(String, String)] = [], _ body: [UInt8] = [],
    from peer: Peer = .process(uid: 1, gid: 1, pid: 1), meanwhile: () -> Void = {}
  ) -> Response {
    var response = Response()
    let head = Head(method, target, fields)
    let rule = bodyRule(of: head.request(announcing: body.count, from: peer))
    meanwhile()
    var kept: [UInt8] = []
    if case .collect = rule { kept = body }
    if answer(head.request(kept.span, announcing: body.count, from: peer), with: &response) == .later {
      // The metrics: they are written at the end of a turn.
      response.status = 200
      let service = (self as! Handler).service
      service.keeper.ask(withReadings: true, waitingAtMost: 60_000)
      var page = MetricsPage()
      page.write(service, service.current.latest, at: .now)
      response.body = page.bytes
    }
    return response
  }

  /// What is decided by the head alone.
  func bodyRule(
    _ method: String, _ target: String, _ fields: [(String, String)] = [], announcing bodyBytes: Int = 0,
    from peer: Peer = .process(uid: 1, gid: 1, pid: 1)
  ) -> BodyRule {
    let head = Head(method, target, fields)
    return bodyRule(of: head.request(announcing: bodyBytes, from: peer))
  }
}

extension ServingState {
  /// The state of these keys and this replay memory.
  convenience init(
    _ configuration: Configuration, _ keys: TrustedKeys, _ store: any Store,
    file: String? = nil
  ) throws {
    try self.init(configuration, TokenVerifier(keys: keys, store: store), file: file)
  }
}

/// A request's head that no reader has looked at, so that it may hold what none lets through.
private struct Head {
  var bytes: [UInt8] = []
  let method: Range<Int>
  let target: Range<Int>
  var fields: [FieldPlace] = []
  var trace = TraceContext.none

  init(_ method: String, _ target: String, _ fields: [(String, String)]) {
    self.method = 0..<method.utf8.count
    self.target = method.utf8.count..<method.utf8.count + target.utf8.count
    bytes = Array((method + target).utf8)
    for (name, value) in fields {
      if name == "traceparent" { trace = TraceContext(Array(value.utf8).span) ?? .none }
      let start = Int32(bytes.count)
      bytes += Array(name.utf8)
      let middle = Int32(bytes.count)
      bytes += Array(value.utf8)
      self.fields.append(FieldPlace(name: start..<middle, value: middle..<Int32(bytes.count)))
    }
  }

  @_lifetime(borrow self, copy body)
  func request(_ body: Span<UInt8> = Span(), announcing bodyBytes: Int? = nil, from peer: Peer) -> Request {
    let request = Request(
      bytes.span, method: method, target: RequestTarget(bytes.span, at: target), fields: fields, body: body,
      announcedBodyBytes: bodyBytes ?? body.count, from: peer, trace: trace,
      Ticket(slot: 0, connection: 0, request: 0))
    return request
  }
}
