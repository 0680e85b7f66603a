import Testing

@testable import MediaTokenHTTP

extension HTTPTests {
  /// Workers that take no connection, because the handler waits for something.
  @Suite("Stuck workers")
  struct HTTPStuckTests {
    private func server(_ fixture: HTTPFixture, workers: Int, spare: EchoHandler.Seen?) throws -> Server {
      var options = HTTPFixture.patientOptions
      options.workers = workers
      let seen = fixture.handler
      var makeSpare: (@Sendable () -> any RequestHandler)?
      if let spare { makeSpare = { EchoHandler(spare) } }
      return try Server(
        listeners: [try ListeningSocket.open(SocketPath(path: fixture.path))], options: options, spare: makeSpare
      ) { EchoHandler(seen) }
    }

    /// One connection at each worker, whose request is not answered until a gate is opened.
    private func stick(_ workers: Int, _ fixture: HTTPFixture) throws -> [RawClient] {
      try (1...workers).map { number in
        let client = try fixture.connect()
        client.send(HTTPExchangeTests.get("/gate"))
        #expect(try waitUntil { fixture.handler.gates.value == number })
        return client
      }
    }

    @Test func spareOneAnswersWhileAllAreStuck() throws {
      let (fixture, spare) = (try HTTPFixture(serve: false), EchoHandler.Seen())
      let server = try server(fixture, workers: 2, spare: spare)
      let stuck = try stick(2, fixture)
      for number in 1...20 {
        let client = try fixture.connect()
        client.ask()
        #expect(spare.answers.value == number)
      }
      fixture.handler.openGates.add(2)
      for client in stuck { #expect(client.readAnswer().statuses == [200]) }
      #expect(try waitUntil { server.workers.allSatisfy { !$0.isStuck.load(ordering: .relaxed) } })
      let client = try fixture.connect()
      client.ask()
      #expect(spare.answers.value == 20 && fixture.handler.answers.value == 3)
      #expect(server.stop(within: .seconds(60)) == 0)
    }

    @Test func otherWorkerAnswersWhileOneIsStuck() throws {
      let (fixture, spare) = (try HTTPFixture(serve: false), EchoHandler.Seen())
      let server = try server(fixture, workers: 2, spare: spare)
      let stuck = try stick(1, fixture)
      for _ in 1...20 {
        let client = try fixture.connect()
        client.ask()
      }
      #expect(spare.answers.value == 0)
      fixture.handler.openGates.add(1)
      #expect(stuck[0].readAnswer().statuses == [200])
      #expect(server.stop(within: .seconds(60)) == 0)
    }

    @Test func withoutASpareOneConnectionsWaitForTheirWorker() throws {
      let fixture = try HTTPFixture(serve: false)
      let server = try server(fixture, workers: 1, spare: nil)
      let stuck = try stick(1, fixture)
      let client = try fixture.connect()
      client.send(HTTPExchangeTests.get("/x"))
      #expect(try waitUntil { server.workers[0].isStuck.load(ordering: .relaxed) })
      fixture.handler.openGates.add(1)
      for client in stuck + [client] { #expect(client.readAnswer().statuses == [200]) }
      #expect(server.stop(within: .seconds(60)) == 0)
    }
  }
}
