import Glibc
import MediaToken
import MediaTokenMemories
import MediaTokenSystem
import Testing

@testable import MediaTokenHTTP
@testable import MediaTokenReplay
@testable import MediaTokenService

/// A replay memory that answers what the test says, when the test says it.
final class ScriptedMemory: LaterReplayMemory, MaintainedReplayMemory {
  struct Script {
    /// All claims, in the order in which they were sent.
    var asked: [Asked] = []
    /// How many claims each batch had.
    var batches: [Int] = []
    /// What is answered as soon as it is asked; nil: the test answers.
    var atOnce: (@Sendable (UseClaim) -> Result<UseOutcome, Fault>)?
    /// For how long sending a batch takes, in microseconds, so that requests can come meanwhile.
    var sendMicroseconds: UInt32 = 0
    /// What it says of itself.
    var condition = ReplayMemoryCondition.usable
    var readings: [ReplayMemoryReading] = []
    /// How often the system is still to have no descriptor.
    var failuresToBegin = 0
  }

  struct Asked {
    let claim: UseClaim
    let number: UInt64
    let claims: ScriptedClaims
  }

  let script = Monitor(Script())
  let tolerances = ReplayTolerances(
    maxTTLMilliseconds: 3_600_000, futureToleranceMilliseconds: 60_000, expiryToleranceMilliseconds: 0)

  func makePendingClaims() throws(Fault) -> any PendingClaims {
    let fails = script.change { script in
      script.failuresToBegin -= 1
      return script.failuresToBegin >= 0
    }
    if fails { throw .outOfMemory }
    return ScriptedClaims(self)
  }

  /// No worker may wait for it.
  func spend(_ claim: UseClaim) throws(Fault) -> UseOutcome {
    Issue.record("a worker waited")
    throw .internalFault
  }

  /// Answers the claim that was asked at this place.
  func answer(_ place: Int, _ answer: Result<UseOutcome, Fault>) {
    let asked = script.change(when: { $0.asked.count > place }, { $0.asked[place] })
    asked.claims.put(asked.number, answer)
  }

  /// Waits until so many claims were asked.
  func wait(forClaims count: Int) -> [Asked] { script.change(when: { $0.asked.count >= count }, { $0.asked }) }

  func maintain(at now: Instant) throws(Fault) {}
  func condition(at now: Instant) -> ReplayMemoryCondition { script.current.condition }
  func readings(at now: Instant) -> [ReplayMemoryReading] { script.current.readings }
  func reopenedAfterFork(policy: Policy) throws(ReplayMemoryError) -> ScriptedMemory { self }
}

/// One worker's way to the scripted memory.
final class ScriptedClaims: PendingClaims, @unchecked Sendable {
  // `batch` is the worker's; everything else is behind the lock.
  let descriptor: Int32
  private let bell: Int32
  private let memory: ScriptedMemory
  private var batch: [ScriptedMemory.Asked] = []
  private let answers = Monitor<[(UInt64, Result<UseOutcome, Fault>)]>([])

  init(_ memory: ScriptedMemory) {
    self.memory = memory
    var ends: [Int32] = [-1, -1]
    #expect(unsafe pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    (descriptor, bell) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(bell)
  }

  func put(_ number: UInt64, _ answer: Result<UseOutcome, Fault>) {
    answers.change { $0.append((number, answer)) }
    var byte: UInt8 = 1
    _ = unsafe write(bell, &byte, 1)
  }

  func add(_ claim: UseClaim, number: UInt64) {
    batch.append(ScriptedMemory.Asked(claim: claim, number: number, claims: self))
  }

  func send(_ body: (_ number: UInt64, _ answer: Result<UseOutcome, Fault>) -> Void) {
    #expect(!batch.isEmpty)
    let (batch, atOnce, pause) = memory.script.change { [batch] script in
      script.asked += batch
      script.batches.append(batch.count)
      return (batch, script.atOnce, script.sendMicroseconds)
    }
    self.batch = []
    if pause > 0 { usleep(pause) }
    guard let atOnce else { return }
    for asked in batch { put(asked.number, atOnce(asked.claim)) }
  }

  func takeAnswers(_ body: (_ number: UInt64, _ answer: Result<UseOutcome, Fault>) -> Void) {
    var bytes = [UInt8](repeating: 0, count: 1024)
    while unsafe read(descriptor, &bytes, bytes.count) == bytes.count {}
    let taken = answers.change { answers in
      defer { answers = [] }
      return answers
    }
    for (number, answer) in taken { body(number, answer) }
  }
}

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
    let service = Service(current, Metrics(), try Log(descriptor: ends[1]), memory)
    self.service = service
    var options = ServerOptions()
    options.workers = 1
    change(&options)
    server = Monitor(
      try Server(
        listeners: [try ListeningSocket.open(SocketPath(path: folder + "/s"))], options: options,
        counters: service.connections
      ) { service.newHandler() })
  }

  static func state(_ json: String, _ memory: ScriptedMemory) throws -> ServingState {
    try ServingState(try ConfigurationFile.parse(Array(json.utf8).span), ServiceFixture.keys(), memory)
  }

  /// Exchanges what requests are answered from, as a reload does.
  func reload(_ json: String) throws { current.exchange(for: try Self.state(json, memory)) }

  func stop(within limit: Duration = .seconds(60)) -> Server.Stop? {
    server.change { $0.take() }?.stop(within: limit)
  }

  deinit {
    _ = stop(within: .milliseconds(100))
    for name in ["s", "s.lock"] { unsafe unlink(folder + "/" + name) }
    unsafe rmdir(folder)
  }

  func connect() throws -> LaterClient { try LaterClient(folder + "/s") }

  func count(_ counter: Counter) -> Int { Int(service.metrics.total(counter)) }

  /// What was logged since the last look.
  func logged() -> String {
    service.log.flush()
    _ = fcntl(logReader, F_SETFL, O_NONBLOCK)
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = unsafe read(logReader, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// Waits, for a minute at most, until it is so.
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
