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

    @Test(arguments: [(0, 200), (1, 200), (999, 200), (1000, 200), (1001, 413), (100_000, 413)])
    func bodyIsCollectedUpToItsLimit(count: Int, status: Int) throws {
      let client = try HTTPFixture.connected().client
      client.send(Self.post("/x", String(repeating: "b", count: count)))
      let answer = client.readAnswer()
      #expect(answer.statuses == [status])
      if status == 200 { #expect(answer.hasSuffix("\r\n\r\nPOST /x \(count)\n")) }
      if status == 413 {
        #expect(answer.contains("Connection: close") && answer.contains("longer than 1000 bytes"))
        #expect(client.isEnded())
      }
    }

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

    @Test func noOneReadsMoreThanTheBound() throws {
      let fixture = try HTTPFixture { $0.discardedBytes = 5000 }
      for (length, isRead) in [(5000, true), (5001, false)] {
        for target in ["/x", "/discard"] {
          let client = try fixture.connect()
          client.send("POST \(target) HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n")
          if isRead {
            client.send(String(repeating: "b", count: length))
            #expect(client.readAnswer().statuses == [target == "/x" ? 413 : 200])
          } else {
            // Before any of the body is here.
            #expect(client.readAll().statuses == [413])
          }
        }
      }
    }

    @Test func discardedBodyIsForgottenAndTheNextRequestRuns() throws {
      let client = try HTTPFixture.connected().client
      client.send(Self.post("/discard", String(repeating: "b", count: 3_000_000)) + Self.get("/next"))
      #expect(client.readAnswer().hasSuffix("POST /discard 0\n"))
      #expect(client.readAnswer().hasSuffix("GET /next 0\n"))
    }

    /// With heads and bodies after which requests have to wait for their turn.
    @Test(arguments: [(0, 9000), (9000, 0), (9000, 9000)])
    func requestThatComesWithTheEndOfADiscardedBodyIsWhole(headBytes: Int, bodyBytes: Int) throws {
      let client = try HTTPFixture.connected().client
      client.send(
        "POST /discard HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: headBytes))\r\n"
          + "Content-Length: 10\r\nExpect: 100-continue\r\n\r\n")
      #expect(String(decoding: client.read(), as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
      client.send("0123456789" + Self.post("/long", String(repeating: "b", count: bodyBytes)) + Self.get("/last"))
      #expect(client.readAnswer().hasSuffix("POST /discard 0\n"))
      #expect(client.readAnswer().hasSuffix("POST /long \(bodyBytes)\n"))
      #expect(client.readAnswer().hasSuffix("GET /last 0\n"))
    }

    @Test func bodyInPiecesOfOneByteIsWhole() throws {
      let client = try HTTPFixture.connected().client
      for byte in Array(Self.post("/x", "hello").utf8) { client.send([byte]) }
      #expect(client.readAnswer().hasSuffix("POST /x 5\n"))
    }

    @Test func clientThatAsksWhetherToContinueIsTold() throws {
      let client = try HTTPFixture.connected().client
      client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
      #expect(String(decoding: client.read(), as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
      client.send("ab")
      #expect(client.readAnswer().hasSuffix("POST /x 2\n"))
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

    @Test func manyFieldsAreAccepted() throws {
      let client = try HTTPFixture.connected().client
      client.ask(Self.get("/x", (0..<150).map { "X-\($0): \(String(repeating: "v", count: 80))\r\n" }.joined()))
    }

    @Test(arguments: [1, 1000, 10_000, 15_000, 40_000, 1_000_000])
    func headBeyondTheLimitIsRefused(excess: Int) throws {
      let (fixture, client) = try HTTPFixture.connected()
      let short = Self.get("/x", "X: \r\n").utf8.count
      let value = String(repeating: "v", count: HTTPLimits.headBytes - short + excess)
      client.send(Self.get("/x", "X: \(value)\r\n") + Self.get("/second"))
      #expect(client.readAll().statuses == [431])
      #expect(fixture.handler.answers.value == 0)
      #expect(fixture.server?.counters.malformed.value == 1)
    }

    @Test func targetBeyondTheLimitIsRefused() throws {
      let (fixture, client) = try HTTPFixture.connected()
      client.send(Self.get("/" + String(repeating: "x", count: 100_000)) + Self.get("/second"))
      #expect(client.readAll().statuses == [414])
      #expect(fixture.handler.answers.value == 0)
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

    @Test func headAnswerHasNoBody() throws {
      let client = try HTTPFixture.connected().client
      client.send("HEAD /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      let answer = client.readAll()
      #expect(answer.statuses == [200] && answer.contains("Content-Length: 10\r\n") && answer.hasSuffix("\r\n\r\n"))
    }

    /// RFC 9110, section 8.6: it must not say a length; and the next answer begins where it ends.
    @Test func answerWithoutContentHasNoLength() throws {
      let client = try HTTPFixture.connected().client
      client.send(Self.get("/no-content") + "GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      let answers = client.readAll()
      #expect(answers.hasPrefix("HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\n"))
      #expect(answers.hasSuffix("GET /x 0\n"))
    }

    @Test func contentWhereThereIsNoneIsAnotherAnswer() throws {
      let client = try HTTPFixture.connected().client
      client.send(Self.get("/no-content-with-body"))
      #expect(client.readAll().statuses == [503])
    }

    @Test func fieldsAreSentAndADateIsNot() throws {
      let client = try HTTPFixture.connected().client
      client.send(Self.get("/fields"))
      let answer = client.readAnswer()
      #expect(answer.contains("\r\nX-One: 1\r\n") && answer.contains("\r\nContent-Type: application/json\r\n"))
      #expect(!answer.contains("Date:"))
    }

    @Test(arguments: ["/empty-field", "/broken-field", "/nul-field"])
    func answerWhoseFieldCannotBeWrittenIsAnotherOne(target: String) throws {
      let client = try HTTPFixture.connected().client
      client.send(Self.get(target))
      let answer = client.readAll()
      #expect(answer.statuses == [503] && answer.contains("unavailable") && !answer.contains("X-One"))
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
