import Glibc
import MediaTokenSystem
import Testing

@testable import MediaTokenHTTP

extension HTTPTests {
  @Suite("Connections")
  struct HTTPConnectionTests {
    static let request = HTTPExchangeTests.get("/x")

    // MARK: time

    /// Case 155: each byte is activity, and yet a request has an end.
    @Test(arguments: [
      ("GET /x HTTP/1.1\r\n", false), ("GET /x HT", true),
      ("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n", false),
    ])
    func byteNowAndThenDoesNotKeepARequestAlive(start: String, afterAnother: Bool) throws {
      let isCut = try someRound {
        let fixture = try HTTPFixture { $0.requestDeadline = .milliseconds(600) }
        let client = try fixture.connect()
        if afterAnother {
          client.send(Self.request)
          guard client.readAnswer().statuses == [200] else { return false }
        }
        client.send(start)
        #expect(try waitUntil { !client.send("a") })
        return fixture.server?.counters.deadlineKills.value == 1
          && fixture.handler.answers.value == (afterAnother ? 1 : 0)
      }
      #expect(isCut)
    }

    @Test func slowReaderIsCutAtTheDeadline() throws {
      let isCut = try someRound {
        let fixture = try HTTPFixture { $0.requestDeadline = .milliseconds(600) }
        let client = try fixture.connect()
        client.send(HTTPExchangeTests.get("/big"))
        #expect(try waitUntil { fixture.server?.counters.deadlineKills.value == 1 })
        // None was delivered if the machine was late with the request itself.
        return fixture.handler.undelivered.value == 1 && client.readAll().utf8.count < 4_000_000
      }
      #expect(isCut)
    }

    @Test func silentConnectionsEnd() throws {
      let fixture = try HTTPFixture { $0.idleLimit = .seconds(1) }
      let began = MonotonicTime.now
      let fresh = try fixture.connect()
      #expect(fresh.isEnded())
      #expect(MonotonicTime.now - began >= 1_000_000_000, "not before the limit for the idle")
      // On a busy machine that second may pass before its request is sent.
      var used = fresh
      #expect(
        try waitUntil {
          guard let next = try? fixture.connect() else { return false }
          used = next
          return used.send(Self.request) && used.readAnswer().statuses == [200]
        })
      #expect(used.isEnded())
      #expect(fixture.server?.counters.deadlineKills.value == 0, "no request was late")
    }

    @Test func requestThatIsInTimeIsNotCut() throws {
      let areServed = try someRound {
        let fixture = try HTTPFixture { $0.requestDeadline = .milliseconds(1500) }
        let client = try fixture.connect()
        // Together they take longer than one may.
        let statuses = (0..<6).flatMap { _ in
          client.send(HTTPExchangeTests.get("/slow"))
          return client.readAnswer().statuses
        }
        return statuses == Array(repeating: 200, count: 6) && fixture.server?.counters.deadlineKills.value == 0
      }
      #expect(areServed)
    }

    // MARK: the end

    @Test func drainServesWhoWasConnected() throws {
      for round in 0..<10 {
        let fixture = try HTTPFixture()
        let (idle, slow, half) = (try fixture.connect(), try fixture.connect(), try fixture.connect())
        idle.send(Self.request)
        _ = idle.readAnswer()
        slow.send(HTTPExchangeTests.get("/gate"))
        half.send("GET /half HTT")
        var queued: [RawClient] = []
        for _ in 0..<30 { queued.append(try fixture.connect()) }
        for client in queued { client.send(Self.request) }
        let (path, handler) = (fixture.path, fixture.handler)
        // A thread and not a Task, which on a busy machine has to wait for the tests that run at the same time.
        let late = try WorkerThread {
          waitUntilGone(path)
          handler.openGates.count()
          half.send("P/1.1\r\nHost: a\r\n\r\n")
        }
        #expect(fixture.stop() == 0)
        late.join()
        for client in queued {
          #expect(client.readAll().statuses == [200], "round \(round)")
        }
        let slowAnswer = slow.readAll()
        #expect(slowAnswer.statuses == [200] && slowAnswer.contains("Connection: close"))
        #expect(half.readAll().statuses == [200])
        #expect(idle.isEnded())
        #expect(throws: POSIXFailure.self) { try RawClient(path) }
        #expect(unsafe access(path, F_OK) != 0)
      }
    }

    @Test func drainIsBounded() throws {
      let fixture = try HTTPFixture()
      let stuck = try fixture.connect()
      stuck.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12")
      #expect(try waitUntil { fixture.handler.heads.value == 1 })
      let began = MonotonicTime.now
      #expect(fixture.stop(within: .milliseconds(700)) == 1)
      #expect(MonotonicTime.now - began >= 700_000_000)
      #expect(stuck.isEnded())
    }

    /// In a process of its own: other tests open and close sockets of theirs at the same time.
    @Test func stoppedServerLeavesNothingOpen() async {
      await #expect(processExitsWith: .success) {
        // Dispatch opens and closes descriptors of its own now and then; what the server left open would be more each time.
        let leavesNothing = try someRound {
          let before = openSockets()
          for _ in 0..<5 {
            let fixture = try HTTPFixture()
            let client = try fixture.connect()
            client.send(Self.request)
            #expect(client.readAnswer().statuses == [200])
            #expect(fixture.stop() == 0)
          }
          return openSockets() == before
        }
        #expect(leavesNothing)
      }
    }
  }
}

extension RawClient: @unchecked Sendable {}
