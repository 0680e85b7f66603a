import Glibc
import MediaTokenSystem
import Testing

@testable import MediaTokenHTTP

extension HTTPTests {
  /// What one client costs the others is bounded, and known in advance.
  @Suite("Prices")
  struct HTTPPricesTests {
    static func get(_ target: String) -> String { HTTPExchangeTests.get(target) }

    static func head(_ target: String, length: Int, _ fields: String = "") -> String {
      "POST \(target) HTTP/1.1\r\nHost: a\r\n\(fields)Content-Length: \(length)\r\n\r\n"
    }

    // MARK: what is decided by the head

    @Test(arguments: ["", "Expect: 100-continue\r\n"], [1, 8_000_000, 1 << 62])
    func bodyThatIsNotWantedIsNotWaitedFor(fields: String, length: Int) throws {
      let fixture = try HTTPFixture()
      let client = try fixture.connect()
      client.send(Self.head("/unread", length: length, fields))
      let answer = client.readAll()
      #expect(answer.statuses == [200] && answer.contains("Connection: close\r\n"))
      #expect(answer.hasSuffix("POST /unread 0\n"))
    }

    /// Its answer reaches a client that sends everything before it reads.
    @Test func bodyThatIsNotWantedIsStillTaken() throws {
      let fixture = try HTTPFixture()
      let client = try fixture.connect()
      #expect(client.send(HTTPExchangeTests.post("/unread", String(repeating: "b", count: 3_000_000))))
      #expect(client.readAll().statuses == [200])
    }

    @Test func bodyThatHasComeWithItsHeadEndsNoConnection() throws {
      let fixture = try HTTPFixture()
      let client = try fixture.connect()
      client.send(HTTPExchangeTests.post("/unread", "GET /smuggled HTTP/1.1\r\n\r\n") + Self.get("/next"))
      #expect(client.readAnswer().hasSuffix("POST /unread 0\n"))
      #expect(client.readAnswer().hasSuffix("GET /next 0\n"))
      #expect(fixture.handler.answers.value == 2)
    }

    @Test func emptyLineAfterARequestBeginsNoOther() throws {
      for (now, later) in [("\r\n", ""), ("\r", "\n")] {
        let isServed = try someRound {
          let fixture = try HTTPFixture { $0.requestDeadline = .milliseconds(600) }
          let client = try fixture.connect()
          client.send(Self.get("/a") + now)
          let first = client.readAnswer().statuses
          usleep(800_000)
          client.send(later + Self.get("/b"))
          return first == [200] && client.readAnswer().hasSuffix("GET /b 0\n")
            && fixture.server?.counters.deadlineKills.value == 0
        }
        #expect(isServed)
      }
    }

    @Test func longHeadDoesNotComeBeforeAShortQuestion() throws {
      let fixture = try HTTPFixture { $0.workers = 1 }
      let clients = try fixture.connectToABusyWorker()
      let field = "X: \(String(repeating: "y", count: 100))\r\n"
      let fields = String(repeating: field, count: HTTPLimits.promptBytes / field.utf8.count + 1)
      clients[1].send("GET /gate HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
      clients[2].send(HTTPExchangeTests.get("/x"))
      fixture.handler.openGates.count()
      #expect(clients[2].readAnswer().statuses == [200], "answered while the long one keeps the worker busy")
      fixture.handler.openGates.count()
      #expect(clients[1].readAnswer().statuses == [200])
    }

    // MARK: memory

    /// A length that is only announced takes no memory, and so keeps no one waiting.
    @Test func bodiesThatAreAnnouncedAndDoNotComeTakeNoRoom() throws {
      let fixture = try HTTPFixture { $0.workers = 1 }
      let length = HTTPLimits.keptRoom
      let silent = try (0..<8).map { _ in try fixture.connect() }
      for client in silent { client.send(Self.head("/long", length: length) + "b") }
      #expect(try waitUntil { fixture.handler.heads.value == 8 })
      let body = String(repeating: "b", count: 200_000)
      let other = try fixture.connect()
      other.send(Self.head("/long", length: body.utf8.count, "Expect: 100-continue\r\n"))
      #expect(String(decoding: other.read(), as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
      other.send(body)
      #expect(other.readAnswer().statuses == [200])
      #expect(fixture.server?.counters.crowdedOut.value == 0)
      withExtendedLifetime(silent) {}
    }

    @Test func headsThatNeverEndAreClosedWhereThereAreTooMany() throws {
      let fixture = try HTTPFixture { $0.workers = 1 }
      let head = "GET /x HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "v", count: 15_000)
      let count = HTTPLimits.keptRoom / head.utf8.count + 50
      var clients: [RawClient] = []
      for _ in 0..<count {
        clients.append(try fixture.connect())
        clients[clients.count - 1].send(head)
      }
      #expect(try waitUntil { (fixture.server?.counters.crowdedOut.value ?? 0) > 0 })
      // The first to begin is the first to go, and the last is still there.
      #expect(clients[0].isEnded())
      clients[count - 1].send("\r\n\r\n")
      #expect(clients[count - 1].readAnswer().statuses == [200])
      #expect((fixture.server?.counters.crowdedOut.value ?? 0) < count / 2)
    }

    @Test func answersThatAreNotReadAreClosedWhereThereAreTooMany() throws {
      let fixture = try HTTPFixture { $0.workers = 1 }
      let clients = try (0..<4).map { _ in try fixture.connect() }
      for client in clients { client.send(Self.get("/big")) }
      #expect(try waitUntil { fixture.handler.undelivered.value == 2 })
      #expect(fixture.server?.counters.crowdedOut.value == 2)
      let other = try fixture.connect()
      other.send(Self.get("/x"))
      #expect(other.readAnswer().statuses == [200])
    }

    /// What was read for many requests at once is given back when they are answered, and displaces no other connection.
    @Test func idleConnectionsKeepNothingOfWhatTheySent() throws {
      let fixture = try HTTPFixture { $0.workers = 1 }
      let request = "GET /x HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "v", count: 8000) + "\r\n\r\n"
      let clients = try (0..<80).map { _ in try fixture.connect() }
      for client in clients {
        client.send(String(repeating: request, count: 15) + "\r\n")
        for _ in 0..<15 { #expect(client.readAnswer().statuses == [200]) }
      }
      let honest = try fixture.connect()
      honest.send("GET /y HTTP/1.1\r\n")
      usleep(50_000)
      honest.send("Host: a\r\n\r\n")
      #expect(honest.readAnswer().statuses == [200])
      #expect(fixture.server?.counters.crowdedOut.value == 0)
    }

    /// A connection that has sent much is no larger afterwards.
    @Test func memoryOfALongBodyIsGivenBack() throws {
      let fixture = try HTTPFixture { $0.workers = 1 }
      let client = try fixture.connect()
      client.send(HTTPExchangeTests.post("/long", String(repeating: "b", count: 2_000_000)) + "GET /x HT")
      #expect(client.readAnswer().statuses == [200])
      let others = try (0..<4).map { _ in try fixture.connect() }
      for other in others {
        other.send(HTTPExchangeTests.post("/long", String(repeating: "b", count: 2_000_000)))
        #expect(other.readAnswer().statuses == [200])
      }
      client.send("TP/1.1\r\nHost: a\r\n\r\n")
      #expect(client.readAnswer().hasSuffix("GET /x 0\n"))
    }
  }
}
