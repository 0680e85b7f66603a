import Glibc
import MediaTokenSystem
import Synchronization
import Testing

@testable import MediaTokenHTTP

extension HTTPTests {
  @Suite("Parts that wait")
  struct HTTPPausesTests {
    @Test func partsThatWaitAreOneAnswerAndKeepTheOrderOfTheirConnection() throws {
      let fixture = try HTTPFixture { $0.workers = 1 }
      let client = try fixture.connect()
      client.send(
        HTTPExchangeTests.get("/a") + HTTPExchangeTests.post("/pauses", "abc") + HTTPExchangeTests.get("/b")
          + HTTPExchangeTests.post("/pauses", "abcd"))
      #expect(client.readAnswer().hasSuffix("GET /a 0\n"))
      #expect(client.readAnswer().hasSuffix("\r\n\r\n" + (0..<4).map { "part \($0) of 3\n" }.joined()))
      #expect(client.readAnswer().hasSuffix("GET /b 0\n"))
      #expect(client.readAnswer().hasSuffix("\r\n\r\n" + (0..<4).map { "part \($0) of 4\n" }.joined()))
      #expect(fixture.handler.lost.value == 0)
    }

    @Test func theWorkerGoesOnWhileAPartWaitsAlsoWithParts() throws {
      let fixture = try HTTPFixture { $0.workers = 1 }
      let (waiting, other) = (try fixture.connect(), try fixture.connect())
      waiting.send(HTTPExchangeTests.get("/paused"))
      for target in ["/x", "/parts", "/pauses", "/later"] {
        other.send(HTTPExchangeTests.get(target))
        #expect(other.readAnswer().statuses == [200])
      }
    }

    @Test func partThatIsNeverAskedForHasADeadline() throws {
      let fixture = try HTTPFixture { $0.requestDeadline = .milliseconds(300) }
      let client = try fixture.connect()
      client.send(HTTPExchangeTests.get("/paused"))
      #expect(client.readAll().isEmpty)
      #expect(fixture.server?.counters.deadlineKills.value == 1)
    }

    @Test func workerThatOnlyWaitsForPartsSleeps() throws {
      let fixture = try HTTPFixture { $0.workers = 1 }
      let client = try fixture.connect()
      client.send(HTTPExchangeTests.get("/paused"))
      #expect(try waitUntil { fixture.handler.answers.value == 1 })
      let before = fixture.handler.turns.value
      usleep(200_000)
      #expect(fixture.handler.turns.value <= before + 2)
    }

    @Test func handlerHasItsFirstTurnBeforeAnyRequest() throws {
      let fixture = try HTTPFixture { $0.workers = 2 }
      #expect(try waitUntil { fixture.handler.turns.value == 2 })
    }
  }
}
