import Glibc
import MediaTokenSystem
import Testing

@testable import MediaTokenHTTP

extension HTTPTests {
  /// How connections end, and that no answer is lost by it.
  @Suite("Ends")
  struct HTTPEndsTests {
    static func get(_ target: String, _ fields: String = "") -> String { HTTPExchangeTests.get(target, fields) }

    // MARK: after the last answer

    /// A connection that is closed while something is unread is reset. So it lingers, wherever in a group its last answer is.
    @Test(arguments: [0, 1, 6, 7, 8])
    func bytesAfterTheLastRequestDoNotResetTheConnection(before: Int) throws {
      let client = try HTTPFixture.connected { $0.workers = 1 }.client
      let requests = String(repeating: Self.get("/x"), count: before) + Self.get("/x", "Connection: close\r\n")
      client.send(requests + Self.get("/never-read"))
      #expect(client.readAll().statuses == Array(repeating: 200, count: before + 1))
      #expect(client.send("x"), "the server still takes what is sent")
    }

    @Test func whatComesAfterTheLastAnswerIsNotTakenForEver() throws {
      // In some round, because a machine with other work may be late with the request itself.
      let isNotTaken = try someRound {
        let (fixture, client) = try HTTPFixture.connected { $0.requestDeadline = .milliseconds(300) }
        client.send(Self.get("/x", "Connection: close\r\n") + Self.get("/never-read"))
        let statuses = client.readAll().statuses
        #expect(try waitUntil { fixture.server?.counters.openConnections.value == 0 })
        #expect(!client.send("x"))
        return statuses == [200] && fixture.server?.counters.deadlineKills.value == 0
      }
      #expect(isNotTaken)
    }

    /// Nor what comes while the answer waits: for its handler, or for room.
    @Test(arguments: ["/later", "/big"], [true, false])
    func bytesThatComeBeforeTheLastAnswerDoNotResetTheConnection(target: String, isInOnePiece: Bool) throws {
      let client = try HTTPFixture.connected().client
      client.send(Self.get(target, "Connection: close\r\n") + (isInOnePiece ? Self.get("/never-read") : ""))
      usleep(10_000)
      client.send(Self.get("/never-read"))
      #expect(client.readAll().statuses == [200])
      #expect(client.send("x"))
    }

    @Test func clientThatSendsABodyAtOnceIsNotToldToGoOn() throws {
      let fixture = try HTTPFixture()
      for target in ["/x", "/discard"] {
        let client = try fixture.connect()
        client.send("POST \(target) HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n123")
        for piece in ["456", "789"] {
          usleep(20_000)
          client.send(piece)
        }
        #expect(client.readAnswer().statuses == [200], "\(target)")
      }
    }

    // MARK: idle for too long

    /// On a busy machine some have been idle for too long before it is their turn: then the limit is longer.
    @Test func questionsThatCameInTheMeantimeAreAnswered() throws {
      for seconds in [1, 4, 16, 64, 256] {
        guard let areAnswered = try Self.areAnsweredAfterAStop(idleSeconds: seconds) else { continue }
        #expect(areAnswered)
        return
      }
      Issue.record("no machine is as busy as that")
    }

    /// As after a stop of the whole process: more questions have come than a worker hears of at once, on connections that have
    /// been idle for too long by now.
    ///
    /// - Returns: whether they are answered; nil if a connection was idle for too long before.
    private static func areAnsweredAfterAStop(idleSeconds seconds: Int) throws -> Bool? {
      let fixture = try HTTPFixture {
        $0.workers = 1
        $0.idleLimit = .seconds(seconds)
      }
      let clients = try (0..<200).map { _ in try fixture.connect() }
      for client in clients {
        client.send(get("/x"))
        guard client.readAnswer().statuses == [200] else { return nil }
      }
      let busy = try fixture.connect()
      busy.send(get("/gate"))
      guard try waitUntil({ fixture.handler.gates.value == 1 || !busy.isSilent }), busy.isSilent else { return nil }
      let areOpen = clients.allSatisfy(\.isSilent)
      for client in clients { client.send(get("/x")) }
      sleep(UInt32(seconds) + 1)
      fixture.handler.openGates.count()
      return areOpen ? clients.allSatisfy { $0.readAnswer().statuses == [200] } : nil
    }

    // MARK: the end of the server

    /// What the kernel has taken is ours to answer, also what came first on a connection that was silent for long.
    @Test func drainAnswersFirstRequestsThatItHasNotReadYet() throws {
      let (fixture, slow) = try HTTPFixture.connected { $0.workers = 1 }
      // More than the loop looks at in one turn.
      let clients = try (0..<200).map { _ in try fixture.connect() }
      usleep(1_200_000)
      slow.send(Self.get("/gate"))
      #expect(try waitUntil { fixture.handler.gates.value == 1 })
      // The worker is still busy when it gets its orders to drain.
      for client in clients { client.send(Self.get("/x")) }
      let (path, handler) = (fixture.path, fixture.handler)
      let late = try WorkerThread {
        waitUntilGone(path)
        handler.openGates.count()
      }
      #expect(fixture.stop() == 0)
      late.join()
      #expect(clients.count { $0.readAll().statuses == [200] } == clients.count)
    }

    @Test func drainEndsConnectionsThatAskNothing() throws {
      let (fixture, silent) = try HTTPFixture.connected()
      #expect(try waitUntil { fixture.server?.counters.openConnections.value == 1 })
      #expect(fixture.stop() == 0)
      #expect(silent.isEnded())
    }

    /// Its answer was begun before the drain and does not say that the connection ends; it ends nevertheless.
    @Test func drainEndsAConnectionWhoseAnswerIsReadLate() throws {
      let (fixture, client) = try HTTPFixture.connected()
      client.send(Self.get("/big"))
      #expect(try waitUntil { fixture.handler.answers.value == 1 })
      usleep(50_000)
      let read = Monitor(0)
      let reader = try WorkerThread {
        usleep(300_000)
        let count = client.readAll().utf8.count
        read.change { $0 = count }
      }
      #expect(fixture.stop() == 0)
      reader.join()
      #expect(read.change { $0 } > 4_000_000)
    }

    /// More than there may be, each of which has asked: none of them is closed for it.
    @Test func questionsBeyondTheConnectionLimitAreAnswered() throws {
      let fixture = try HTTPFixture {
        $0.workers = 1
        $0.connectionLimit = 2
      }
      var clients: [RawClient] = []
      for _ in 0..<6 {
        clients.append(try fixture.connect())
        clients.last?.send(Self.get("/slow"))
      }
      #expect(fixture.stop() == 0)
      for client in clients { #expect(client.readAll().statuses == [200]) }
    }

    // MARK: pauses

    /// One listener that can't be watched for a while does not keep the others from being watched ever again.
    @Test func pauseEndsWhenAllListenersCanBeWatchedAgain() throws {
      let fixture = try HTTPFixture(serve: false)
      let first = try ListeningSocket.open(SocketPath(path: fixture.path))
      let second = try ListeningSocket.openLoopback("127.0.0.1:0")
      let number = second.descriptor
      let seen = EchoHandler.Seen()
      let address = HTTPTests.ListeningSocketTests.addressOf(second)
      let server = try Server(listeners: [first, second], options: HTTPFixture.patientOptions) { EchoHandler(seen) }
      // No connection can be accepted from a regular file, and epoll takes none (epoll_ctl(2), EPERM).
      let (copy, file) = (dup(number), unsafe open("/proc/self/exe", O_RDONLY))
      #expect(copy >= 0 && file >= 0 && dup2(file, number) == number)
      let unheard = HTTPTests.ListeningSocketTests.connect(to: address)
      defer { close(unheard) }
      #expect(try waitUntil { server.counters.acceptPauses.value > 0 })
      let next = try fixture.connect()
      usleep(120_000)
      #expect(dup2(copy, number) == number)
      next.ask()
      for descriptor in [copy, file] { close(descriptor) }
      _ = server.stop(within: .seconds(1))
    }
  }
}
