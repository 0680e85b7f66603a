import Glibc
import MediaTokenSystem
import Synchronization
import Testing

@testable import MediaTokenHTTP

@Suite("HTTP")
enum HTTPTests {}

/// A folder of its own, and a server in it.
final class HTTPFixture {
  let folder: String
  let handler = EchoHandler.Seen()
  private(set) var server: Server?
  var path: String { folder + "/s" }

  /// No deadline ends what a test wants to keep, however long one of its threads waits for a processor.
  static var patientOptions: ServerOptions {
    var options = ServerOptions()
    (options.requestDeadline, options.idleLimit) = (.seconds(3600), .seconds(3600))
    options.progressLimit = .seconds(3600)
    return options
  }

  init(serve: Bool = true, _ change: (inout ServerOptions) -> Void = { _ in }) throws {
    var template = Array("/tmp/mediatoken-http-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw POSIXFailure(code: errno) }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if serve { try start(change) }
  }

  func start(_ change: (inout ServerOptions) -> Void = { _ in }) throws {
    var options = Self.patientOptions
    options.workers = 2
    change(&options)
    let seen = handler
    server = try Server(listeners: [try ListeningSocket.open(SocketPath(path: path))], options: options) {
      EchoHandler(seen)
    }
  }

  @discardableResult
  func stop(within limit: Duration = .seconds(120)) -> Int? {
    let stopped = server?.stop(within: limit)
    server = nil
    return stopped
  }

  deinit {
    // A worker that a test left at a gate would never end, nor would this.
    handler.openGates.add(1_000_000)
    stop(within: .zero)
    for name in ["s", "s.lock", "link"] { unsafe unlink(folder + "/" + name) }
    unsafe rmdir(folder)
  }

  func connect() throws -> RawClient { try RawClient(path, self) }

  /// A server and a client of it, which keeps it.
  static func connected(
    _ change: (inout ServerOptions) -> Void = { _ in }
  ) throws -> (fixture: HTTPFixture, client: RawClient) {
    let fixture = try HTTPFixture(change)
    return (fixture, try fixture.connect())
  }

  /// Three clients, each of which had an answer. The first keeps the worker busy, where there is but one, until a gate is
  /// opened: what the others send until then has all come when the worker has time again.
  func connectToABusyWorker() throws -> [RawClient] {
    let clients = try (0..<3).map { _ in try connect() }
    for client in clients { client.ask() }
    clients[0].send(HTTPTests.HTTPExchangeTests.get("/gate"))
    #expect(try waitUntil { handler.gates.value == 1 })
    return clients
  }
}

struct POSIXFailure: Error { let code: Int32 }

extension Atomic<Int> {
  /// Adds this many to the count.
  func add(_ number: Int) { _ = wrappingAdd(number, ordering: .relaxed) }
}
