import Glibc
import Synchronization

@testable import MediaTokenHTTP
@testable import MediaTokenSystem

/// A server of ours on a socket of its own, which gets streams over connections and must take them as `Understanding` does.
final class ServerCheck {
  private let folder: String
  private let server: Server
  private let current: Current

  /// What the one connection that there is must be taken for.
  private final class Current: Sendable {
    let expectation = Mutex<Shared?>(nil)
  }

  /// An expectation while the worker has it: the client waits meanwhile.
  private struct Shared: @unchecked Sendable { let value: Expectation }

  init() throws {
    var template = Array("/tmp/mediatoken-streams-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure(code: errno) }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var options = ServerOptions()
    options.headBytes = Understanding.Limits().head
    options.discardedBytes = Understanding.Limits().body
    let current = Current()
    self.current = current
    server = try Server(listeners: [.open(SocketPath(path: folder + "/s"))], options: options) {
      CheckingHandler { _ in current.expectation.withLock { $0 }?.value }
    }
  }

  deinit {
    _ = server.stop(within: .seconds(1))
    for name in ["/s", "/s.lock"] { unlink(folder + name) }
    rmdir(folder)
  }

  /// Sends a stream in pieces that `seed` chooses.
  ///
  /// - Returns: what the server did otherwise; nil if nothing.
  func difference(in stream: [UInt8], _ understanding: Understanding, seed: UInt64) throws -> String? {
    let expectation = Expectation(stream, understanding)
    let shared = Shared(value: expectation)
    current.expectation.withLock { $0 = shared }
    defer { current.expectation.withLock { $0 = nil } }
    expectation.take(answers: try exchange(stream, SplitMix(state: seed)))
    return expectation.difference
  }

  private func exchange(_ stream: [UInt8], _ pieces: SplitMix) throws -> [UInt8] {
    var random = pieces
    let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(client) }
    try Sockets.connect(client, to: .local(folder + "/s"))
    var patience = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var sent = 0
    while sent < stream.count {
      let rest = stream.count - sent
      let piece = random.below(2) == 0 ? rest : 1 + random.below(rest)
      let count = stream[sent...].withUnsafeBytes { send(client, $0.baseAddress, piece, Int32(MSG_NOSIGNAL)) }
      // The last answer was written, and what follows is read by no one.
      guard count > 0 else { break }
      sent += count
    }
    shutdown(client, Int32(SHUT_WR))
    var answers: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = recv(client, &buffer, buffer.count, 0)
      if count == 0 { return answers }
      guard count > 0 else {
        // What the server left unread resets a UNIX connection, after all that it has written.
        if errno == ECONNRESET { return answers }
        throw Failure(code: errno)
      }
      answers += buffer[..<count]
    }
  }

  struct Failure: Error { let code: Int32 }
}
