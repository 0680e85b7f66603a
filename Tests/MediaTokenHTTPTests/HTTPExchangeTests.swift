import Glibc
import MediaTokenSystem
import Testing

@testable import MediaTokenHTTP

extension HTTPTests {
  @Suite("Requests and answers")
  struct HTTPExchangeTests {
    static func post(_ target: String, _ body: String, _ fields: String = "") -> String {
      "POST \(target) HTTP/1.1\r\nHost: a\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    static func get(_ target: String, _ fields: String = "") -> String {
      "GET \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
    }

    // MARK: bodies

    /// An early answer would be lost to a reset: each of these clients sends everything before it reads.
    @Test func oversizedBodiesAreAllAnswered() throws {
      let fixture = try HTTPFixture()
      let body = Self.post("/x", String(repeating: "b", count: 300_000))
      for _ in 0..<100 {
        let client = try fixture.connect()
        #expect(client.send(body))
        #expect(client.readAll().statuses == [413])
      }
      #expect(fixture.handler.answers.value == 0)
    }

    // MARK: heads

    /// Whole or in two pieces, none is refused by mistake.
    @Test func headOfAnySizeUpToTheLimitIsAccepted() throws {
      let fixture = try HTTPFixture()
      let limit = HTTPLimits.headBytes
      for size in Array(stride(from: 100, to: limit, by: 331)) + [limit - 1, limit] {
        for cut in [0, size / 2, size - 1] {
          let client = try fixture.connect()
          let short = Self.get("/x", "X: \r\n")
          let head = Array(Self.get("/x", "X: \(String(repeating: "v", count: size - short.utf8.count))\r\n").utf8)
          client.send(Array(head[..<cut]))
          if cut > 0 { usleep(500) }
          client.send(Array(head[cut...]))
          #expect(client.readAnswer().statuses == [200], "\(size), cut at \(cut)")
        }
      }
    }

    // MARK: answers

    @Test func pipelinedRequestsAreAnsweredInOrder() throws {
      let client = try HTTPFixture.connected().client
      let count = 10_000
      let descriptor = client.descriptor
      var requests: [UInt8] = []
      for number in 0..<count {
        requests += Array((number % 2 == 0 ? Self.get("/\(number)") : Self.post("/\(number)", "abc")).utf8)
      }
      let all = requests
      // Reading must go on while writing does, or both sides wait.
      let writer = try WorkerThread {
        var sent = 0
        while sent < all.count {
          let wrote = unsafe all[sent...].withUnsafeBytes {
            unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, 0)
          }
          if wrote <= 0 { return }
          sent += wrote
        }
        shutdown(descriptor, Int32(SHUT_WR))
      }
      let lines = client.readAll().utf8.split(separator: UInt8(ascii: "\n"))
        .map { String(decoding: $0, as: UTF8.self) }.filter { $0.hasPrefix("GET /") || $0.hasPrefix("POST /") }
      writer.join()
      #expect(lines.count == count)
      for (number, line) in lines.enumerated() {
        #expect(line == (number % 2 == 0 ? "GET /\(number) 0" : "POST /\(number) 3"))
      }
    }

    /// Answers of one turn to two connections, in turns: the last one of a connection is not the first of its answers.
    @Test func lastAnswerFollowsOthersOfItsTurn() throws {
      let fixture = try HTTPFixture { $0.workers = 1 }
      let clients = try fixture.connectToABusyWorker().dropFirst()
      for client in clients {
        client.send(
          "GET /soon HTTP/1.1\r\nHost: a\r\n\r\nGET /x HTTP/1.1\r\nHost: a\r\n\r\n"
            + "GET /soon HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      }
      fixture.handler.openGates.count()
      for client in clients {
        let answer = client.readAll()
        #expect(answer.statuses == [200, 200, 200], "\(answer)")
      }
      #expect(fixture.handler.undelivered.value == 0)
    }

    @Test(arguments: [false, true])
    func peerIsTheKernelsWord(isNamed: Bool) throws {
      let client = try HTTPFixture.connected { if isNamed { $0.namedUsers = [getuid()] } }.client
      client.send(Self.get("/peer"))
      let peer = Peer.process(uid: getuid(), gid: getgid(), pid: getpid(), isNamed: isNamed)
      #expect(client.readAnswer().hasSuffix("\(peer)"))
    }
  }
}

/// Waits until a server has taken its socket's name away: from then on each answer ends its connection.
func waitUntilGone(_ path: String) {
  while unsafe access(path, F_OK) == 0 { usleep(1000) }
}

/// Waits for something to become true, for a minute at least: what comes at once on an idle machine comes late on a busy one.
func waitUntil(_ condition: () -> Bool) throws -> Bool {
  for _ in 0..<6000 {
    if condition() { return true }
    usleep(10_000)
  }
  return condition()
}

/// Whether a round is as it should be, of ten at most. A busy machine may hold a thread back for longer than a deadline; a server
/// that is wrong is wrong in each.
func someRound(_ isRight: () throws -> Bool) rethrows -> Bool {
  try (0..<10).contains { _ in try isRight() }
}

/// How many sockets, epolls and events this process has.
func openSockets() -> Int {
  guard let folder = unsafe opendir("/proc/self/fd") else { return -1 }
  defer { unsafe closedir(folder) }
  var count = 0
  while let entry = unsafe readdir(folder) {
    let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
      unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    var target = [CChar](repeating: 0, count: 64)
    let length = unsafe readlink("/proc/self/fd/" + name, &target, target.count)
    let text = String(decoding: target.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if text.hasPrefix("socket:") || text.hasPrefix("anon_inode:[event") { count += 1 }
  }
  return count
}
