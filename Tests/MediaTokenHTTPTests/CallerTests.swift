import Glibc
import MediaTokenSystem
import Testing

@testable import MediaTokenHTTP

extension HTTPTests {
  /// One caller takes all that he can get; another, whose connections are older and fewer, notices nothing.
  @Suite("Shares")
  struct CallerTests {
    private static let (greedy, other): (UInt32, UInt32) = (7, 8)

    /// A worker with connections of more users than this process can be.
    final class WorkerFixture {
      let handler = EchoHandler.Seen()
      let worker: Worker
      private let thread: WorkerThread

      /// - Parameter before: what happens before the worker's first turn.
      init(_ change: (inout ServerOptions) -> Void = { _ in }, before: (Worker) throws -> Void = { _ in }) throws {
        var options = HTTPFixture.patientOptions
        change(&options)
        let (worker, seen) = (try Worker(options: options, counters: ServerCounters()), handler)
        self.worker = worker
        try before(worker)
        thread = try WorkerThread { _ = worker.run(EchoHandler(seen)) }
      }

      deinit {
        worker.stop(by: 0)
        thread.join()
      }

      /// A connection, which the worker has before the next one.
      func connect(_ uid: UInt32, isNamed: Bool = false) throws -> RawClient {
        try Self.connect(.process(uid: uid, gid: uid, pid: 1, isNamed: isNamed), to: worker)
      }

      func connectOverTCP() throws -> RawClient { try Self.connect(.tcp, to: worker) }

      static func connect(_ peer: Peer, to worker: Worker) throws -> RawClient {
        var ends: [Int32] = [0, 0]
        try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        worker.counters.openConnections.count()
        if peer.isTCP { worker.counters.openOverTCP.count() }
        worker.serve(ends[0], of: peer)
        return RawClient(owning: ends[1])
      }

      /// Keeps the worker busy until ``openGate()``: what is sent until then has all come when it has time again.
      func keepBusy(_ client: RawClient) throws {
        client.send(HTTPExchangeTests.get("/gate"))
        #expect(try waitUntil { self.handler.gates.value == 1 })
      }

      /// Opens the gate at which the worker is, so late that the turn is over, and waits until it is at the next one.
      func openGate() throws {
        let gate = handler.gates.value
        usleep(UInt32(2 * HTTPLimits.turnNanoseconds / 1000))
        handler.openGates.count()
        #expect(try waitUntil { self.handler.gates.value == gate + 1 })
      }

      var crowdedOut: Int { worker.counters.crowdedOut.value }
    }

    @Test func atTheLimitTheCallerWithMostConnectionsLosesTheLongestSilent() throws {
      let fixture = try WorkerFixture { $0.connectionLimit = 20 }
      let old = try fixture.connect(Self.other)
      var many = try (0..<50).map { _ in try fixture.connect(Self.greedy) }
      let new = try fixture.connect(Self.other)
      #expect(try waitUntil { fixture.crowdedOut == 32 })
      for client in [old, new] {
        client.ask()
      }
      for client in many[..<32] { #expect(client.isEnded()) }
      for client in many[32...] {
        client.ask()
      }
      many = []
    }

    /// Of those that came at once, none was silent when the next one came, and none had begun a request.
    @Test func whatCameAtOnceIsBroughtToTheLimitWhenItIsRead() throws {
      var many: [RawClient] = []
      func connectAll(_ worker: Worker) throws {
        for _ in 0..<50 {
          many.append(try WorkerFixture.connect(.process(uid: Self.greedy, gid: 1, pid: 1), to: worker))
          many[many.count - 1].send("G")
        }
      }
      let fixture = try WorkerFixture({ $0.connectionLimit = 20 }, before: connectAll)
      #expect(try waitUntil { fixture.crowdedOut == 30 })
      #expect(fixture.worker.counters.openConnections.value == 20)
      withExtendedLifetime(many) {}
    }

    /// Connections that have sent a byte are no younger than one that has just come.
    @Test func newConnectionIsNotClosedForOldOnesThatHaveBegunARequest() throws {
      let fixture = try WorkerFixture { $0.connectionLimit = 10 }
      let many = try (0..<10).map { _ in try fixture.connect(Self.greedy) }
      for client in many { client.send("G") }
      // Read, as the other caller's question came after them.
      let other = try fixture.connect(Self.other)
      other.ask()
      let new = try fixture.connect(Self.greedy)
      #expect(try waitUntil { fixture.crowdedOut == 2 })
      new.ask()
      withExtendedLifetime(many) {}
    }

    @Test func whereTooMuchIsKeptTheCallerLosesItWhoseItIs() throws {
      let fixture = try WorkerFixture()
      let head = "GET /x HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "v", count: 15_000)
      let old = try fixture.connect(Self.other)
      old.send(head)
      var many: [RawClient] = []
      for _ in 0..<(HTTPLimits.keptRoom / head.utf8.count + 50) {
        many.append(try fixture.connect(Self.greedy))
        many[many.count - 1].send(head)
      }
      #expect(try waitUntil { fixture.crowdedOut > 0 })
      #expect(many[0].isEnded())
      old.ask("\r\n\r\n")
    }

    /// However many connections a caller asks on, another waits for the question under way, and not for all of those that were found.
    /// A turn is over by time: each of these gates takes longer than one.
    @Test func callerWhoAsksOnManyConnectionsTakesTurnsWithOthers() throws {
      let fixture = try WorkerFixture()
      let many = try (0..<20).map { _ in try fixture.connect(Self.greedy) }
      try fixture.keepBusy(many[0])
      // Two questions each: what comes after the first has to wait as well.
      for client in many { client.send(HTTPExchangeTests.get("/gate") + HTTPExchangeTests.get("/gate")) }
      let other = try fixture.connect(Self.other)
      for _ in 0..<5 {
        other.send(HTTPExchangeTests.get("/x"))
        for _ in 0..<2 { try fixture.openGate() }
        #expect(other.readAnswer().statuses == [200])
      }
      fixture.handler.openGates.add(100)
      for client in many[1...] {
        for _ in 0..<2 { #expect(client.readAnswer().statuses == [200]) }
      }
    }

    /// Of one caller's, what has waited and what is new take turns, where each takes a whole one.
    @Test func whatWaitsHasItsTurnAmongNewQuestions() throws {
      let fixture = try WorkerFixture()
      let many = try (0..<20).map { _ in try fixture.connect(Self.greedy) }
      try fixture.keepBusy(many[0])
      many[1].send(HTTPExchangeTests.get("/x") + HTTPExchangeTests.get("/x"))
      for client in many[2...] { client.send(HTTPExchangeTests.get("/gate")) }
      for _ in 0..<3 { try fixture.openGate() }
      for _ in 0..<2 { #expect(many[1].readAnswer().statuses == [200]) }
      fixture.handler.openGates.add(100)
      for client in many[2...] { #expect(client.readAnswer().statuses == [200]) }
    }

    /// A process, or its machine, was stopped: what callers asked who have left meanwhile is not executed. One who only sends no more
    /// has an answer.
    @Test func questionOfACallerWhoHasLeftIsNotExecuted() throws {
      let fixture = try WorkerFixture()
      let gate = try fixture.connect(Self.other)
      gate.send(HTTPExchangeTests.get("/gate"))
      #expect(try waitUntil { fixture.handler.gates.value == 1 })
      let long = String(repeating: "b", count: HTTPLimits.promptBytes)
      for index in 0..<40 {
        let gone = try fixture.connect(Self.greedy)
        gone.send(index % 2 == 0 ? HTTPExchangeTests.get("/left") : HTTPExchangeTests.post("/long", long))
      }
      let half = try fixture.connect(Self.greedy)
      half.send(HTTPExchangeTests.get("/half"))
      half.finishSending()
      fixture.handler.openGates.count()
      #expect(half.readAll().hasSuffix("GET /half 0\n"))
      #expect(fixture.handler.answers.value == 2, "the gate, and the half-closed one")
    }

    @Test(arguments: ["GET /x HT", "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nb"])
    func requestThatDoesNotGoOnIsEnded(start: String) throws {
      let fixture = try WorkerFixture { $0.progressLimit = .milliseconds(300) }
      let client = try fixture.connect(Self.greedy)
      client.send(start)
      #expect(client.isEnded())
      #expect(fixture.worker.counters.deadlineKills.value == 1)
    }
  }
}
