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
          let fixture = try HTTPFixture { $0.requestDeadline = .seconds(2) }
          let client = try fixture.connect()
          client.send(Self.get("/a") + now)
          let first = client.readAnswer().statuses
          usleep(2_500_000)
          client.send(later + Self.get("/b"))
          return first == [200] && client.readAnswer().hasSuffix("GET /b 0\n")
            && fixture.server?.counters.deadlineKills.value == 0
        }
        #expect(isServed)
      }
    }

    // MARK: parts

    @Test func answerInPartsIsWholeAndInOrder() throws {
      let fixture = try HTTPFixture { $0.workers = 1 }
      let client = try fixture.connect()
      client.send(Self.get("/a") + HTTPExchangeTests.post("/parts", "abc") + Self.get("/b"))
      #expect(client.readAnswer().hasSuffix("GET /a 0\n"))
      let parts = (0...EchoHandler.parts).map { "part \($0) of 3\n" }.joined()
      #expect(client.readAnswer().hasSuffix("\r\n\r\n" + parts))
      #expect(client.readAnswer().hasSuffix("GET /b 0\n"))
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

    /// One part a turn, of one request until it is answered: a request that comes in between waits for one part.
    @Test func partsOfManyAnswersLetOthersHaveTheirTurn() throws {
      let fixture = try HTTPFixture { $0.workers = 1 }
      // All that is asked until its gate is opened is there when the worker has time again, the short question last.
      let busy = try fixture.connectToABusyWorker()
      let long = try (0..<30).map { _ in try fixture.connect() }
      for client in long { client.send(Self.get("/parts")) }
      let short = try fixture.connect()
      short.send(Self.get("/x"))
      fixture.handler.openGates.count()
      #expect(busy[0].readAnswer().statuses == [200])
      #expect(short.readAnswer().statuses == [200])
      for client in long { #expect(client.readAnswer().contains("part \(EchoHandler.parts) of 0\n")) }
      #expect(fixture.handler.parts.value == 30 * EchoHandler.parts)
      #expect(fixture.handler.mostPartsInATurn.value == 1)
      #expect(fixture.handler.mostInParts.value == 1)
    }

    @Test func clientThatLeavesEndsItsParts() throws {
      let fixture = try HTTPFixture { $0.workers = 1 }
      let others = try (0..<50).map { _ in try fixture.connect() }
      for client in others { client.send(Self.get("/parts")) }
      let leaving = try fixture.connect()
      leaving.send(Self.get("/parts"))
      _ = consume leaving
      for client in others { #expect(client.readAnswer().statuses == [200]) }
      #expect(try waitUntil { fixture.server?.counters.openConnections.value == 50 })
      let next = try fixture.connect()
      next.send(Self.get("/parts") + Self.get("/x"))
      #expect(next.readAnswer().statuses == [200])
      #expect(next.readAnswer().hasSuffix("GET /x 0\n"))
    }

    // MARK: memory

    /// How much of a body is taken while no more of it is read.
    private static func takenBytes(_ client: RawClient, of length: Int) -> Int {
      let piece = [UInt8](repeating: 0x62, count: 65_536)
      var (sent, waited) = (0, 0)
      while sent < length, waited < 20 {
        let count = unsafe Glibc.send(
          client.descriptor, piece, min(piece.count, length - sent), Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        if count > 0 {
          sent += count
        } else {
          waited += 1
          usleep(10_000)
        }
      }
      return sent
    }

    @Test(arguments: [true, false])
    func longBodiesWaitAtTheirClients(firstFinishes: Bool) throws {
      let length = HTTPLimits.bodyRoom - 100_000
      let fixture = try HTTPFixture { $0.workers = 1 }
      var holder: RawClient? = try fixture.connect()
      holder?.send(Self.head("/long", length: length) + "b")
      #expect(try waitUntil { fixture.handler.routes.value == 1 })
      let waiting = try fixture.connect()
      // Not told to go on before there is room for it.
      waiting.send(Self.head("/long", length: length, "Expect: 100-continue\r\n"))
      #expect(try waitUntil { fixture.handler.routes.value == 2 })
      #expect(Self.takenBytes(waiting, of: length) < HTTPLimits.bodyRoom / 4)
      // Short ones do not wait.
      let short = try fixture.connect()
      short.send(Self.get("/x"))
      #expect(short.readAnswer().statuses == [200])
      if firstFinishes {
        holder?.send([UInt8](repeating: 0x62, count: length - 1))
        #expect(holder?.readAnswer().hasSuffix("POST /long \(length)\n") == true)
      } else {
        holder = nil
      }
      let next = try fixture.connect()
      next.send(Self.head("/long", length: length))
      // The one that waited is the first to have room, and no one else is before it is answered.
      #expect(Self.takenBytes(next, of: length) < HTTPLimits.bodyRoom / 4)
      withExtendedLifetime(holder) {}
    }

    @Test func roomOfALateBodyIsGivenBack() throws {
      let length = HTTPLimits.bodyRoom - 100_000
      let fixture = try HTTPFixture {
        $0.workers = 1
        $0.requestDeadline = .seconds(2)
      }
      let holder = try fixture.connect()
      holder.send(Self.head("/long", length: length) + "b")
      #expect(holder.isEnded())
      #expect(fixture.server?.counters.deadlineKills.value == 1)
      let body = HTTPExchangeTests.post("/long", String(repeating: "b", count: length))
      // A client that has to wait for a processor may be late as well, and asks again.
      #expect(
        try waitUntil {
          guard let next = try? fixture.connect(), next.send(body) else { return false }
          return next.readAnswer().hasSuffix("POST /long \(length)\n")
        })
    }

    @Test func clientThatWaitedForRoomIsToldToGoOnAtOnce() throws {
      let length = HTTPLimits.bodyRoom - 100_000
      let fixture = try HTTPFixture { $0.workers = 1 }
      var holder: RawClient? = try fixture.connect()
      holder?.send(Self.head("/long", length: length) + "b")
      #expect(try waitUntil { fixture.handler.routes.value == 1 })
      let waiting = try fixture.connect()
      waiting.send(Self.head("/long", length: 200_000, "Expect: 100-continue\r\n"))
      #expect(try waitUntil { fixture.handler.routes.value == 2 })
      holder = nil
      #expect(String(decoding: waiting.read(), as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
      waiting.send([UInt8](repeating: 0x62, count: 200_000))
      #expect(waiting.readAnswer().statuses == [200])
      withExtendedLifetime(holder) {}
    }

    @Test func allLongBodiesAreAnsweredOneAfterAnother() throws {
      let fixture = try HTTPFixture { $0.workers = 2 }
      let path = fixture.path
      let right = Monitor(0)
      let clients = try (0..<8).map { index in
        try WorkerThread {
          let length = 3_000_000 + index
          guard let client = try? RawClient(path) else { return }
          client.send(HTTPExchangeTests.post("/long", String(repeating: "b", count: length)))
          if client.readAnswer().hasSuffix("POST /long \(length)\n") { right.change { $0 += 1 } }
        }
      }
      for client in clients { client.join() }
      #expect(right.current == 8)
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
