import Glibc
import MediaTokenSystem
import Synchronization
import Testing

@testable import MediaTokenHTTP

extension HTTPTests {
  @Suite("The loop")
  struct HTTPLoopTests {
    static func get(_ target: String) -> String { HTTPExchangeTests.get(target) }

    // MARK: later

    @Test func answersThatComeLaterKeepTheOrderOfTheirConnection() throws {
      let fixture = try HTTPFixture { $0.workers = 1 }
      let (first, second) = (try fixture.connect(), try fixture.connect())
      first.send(Self.get("/a") + Self.get("/later") + Self.get("/b") + Self.get("/later") + Self.get("/c"))
      second.send(Self.get("/later"))
      for target in ["/a", "/later", "/b", "/later", "/c"] {
        #expect(first.readAnswer().hasSuffix("\r\n\r\nGET \(target) 0\n"))
      }
      #expect(second.readAnswer().hasSuffix("GET /later 0\n"))
      #expect(fixture.handler.lost.value == 0)
    }

    @Test func theWorkerGoesOnWhileARequestWaits() throws {
      let fixture = try HTTPFixture { $0.workers = 1 }
      let (waiting, other) = (try fixture.connect(), try fixture.connect())
      waiting.send(Self.get("/never"))
      for _ in 0..<20 {
        other.send(Self.get("/x"))
        #expect(other.readAnswer().statuses == [200])
      }
    }

    @Test func nothingThatComesMeanwhileIsLostOrAnsweredFirst() throws {
      let fixture = try HTTPFixture { $0.workers = 1 }
      let client = try fixture.connect()
      client.send(Self.get("/later"))
      usleep(10_000)
      client.send(Self.get("/x") + HTTPExchangeTests.post("/y", "abc"))
      client.finishSending()
      let answers = client.readAll()
      #expect(answers.statuses == [200, 200, 200])
      #expect(answers.hasSuffix("POST /y 3\n"))
    }

    @Test func answerThatComesTooLateFindsNoOne() throws {
      let fixture = try HTTPFixture { $0.workers = 1 }
      for round in 0..<10 {
        let client = try fixture.connect()
        client.send(Self.get("/told"))
        #expect(try waitUntil { fixture.handler.answers.value == 2 * round + 1 })
        _ = consume client
        #expect(try waitUntil { fixture.server?.counters.openConnections.value == 0 })
        // Its place is another's by then, which must not get the answer.
        let next = try fixture.connect()
        next.send(Self.get("/never"))
        #expect(try waitUntil { fixture.handler.answers.value == 2 * round + 2 })
        fixture.handler.tellings.count()
        #expect(try waitUntil { fixture.handler.lost.value == round + 1 })
        var byte: UInt8 = 0
        #expect(unsafe recv(next.descriptor, &byte, 1, Int32(MSG_DONTWAIT)) < 0)
        _ = consume next
        #expect(try waitUntil { fixture.server?.counters.openConnections.value == 0 })
      }
      #expect(fixture.handler.delivered.value == 0)
    }

    @Test func requestThatIsNeverAnsweredHasADeadline() throws {
      let fixture = try HTTPFixture { $0.requestDeadline = .milliseconds(300) }
      let client = try fixture.connect()
      client.send(Self.get("/never"))
      #expect(client.readAll().isEmpty)
      #expect(fixture.server?.counters.deadlineKills.value == 1)
    }

    @Test func headAndHTTP10AreRememberedUntilTheAnswerComes() throws {
      let fixture = try HTTPFixture()
      let client = try fixture.connect()
      client.send("HEAD /later HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" + "GET /later HTTP/1.0\r\n\r\n")
      let answers = client.readAll()
      #expect(answers.statuses == [200, 200])
      #expect(answers.contains("Connection: keep-alive\r\nContent-Length: 14\r\n\r\nHTTP/1.1 200"))
      #expect(answers.hasSuffix("Connection: close\r\nContent-Length: 13\r\n\r\nGET /later 0\n"))
    }

    // MARK: descriptors of the handler's own

    /// Watches pipes from its first turn on, and answers with what they say.
    final class PipeHandler: RequestHandler {
      let pipes: [Int32]
      private var isWatching = false
      private var waiting: [Ticket] = []
      let seen: Seen

      final class Seen: Sendable {
        /// How many were ready in each turn in which some were.
        let batches = Monitor<[Int]>([])
        /// How many requests have come.
        let asked = Atomic<Int>(0)
      }

      init(_ pipes: [Int32], _ seen: Seen) { (self.pipes, self.seen) = (pipes, seen) }

      func bodyRule(of request: borrowing Request) -> BodyRule { .discard }

      func answer(_ request: borrowing Request, with response: inout Response) -> Answering {
        waiting.append(request.ticket)
        seen.asked.count()
        return .later
      }

      func refuse(_ refusal: RequestRefusal, with response: inout Response) { response.status = refusal.status }

      func answered(_ status: UInt16, delivered: Bool) {}

      func endTurn(_ ready: [UInt32], _ loop: inout WorkerLoop) -> UInt64? {
        if !isWatching {
          isWatching = true
          for (number, pipe) in pipes.enumerated() { try? loop.watch(pipe, .reading, as: UInt32(number)) }
        }
        if !ready.isEmpty { seen.batches.change { $0.append(ready.count) } }
        var text = ""
        for number in ready {
          var byte: UInt8 = 0
          if unsafe read(pipes[Int(number)], &byte, 1) == 1 { text += "\(number)=\(byte) " }
        }
        guard !text.isEmpty, let ticket = waiting.popLast() else { return nil }
        loop.answer(ticket) { response in
          response.status = 200
          response.body = Array(text.utf8)
        }
        return nil
      }
    }

    @Test func handlerHasItsFirstTurnBeforeAnyRequest() throws {
      let fixture = try HTTPFixture { $0.workers = 2 }
      #expect(try waitUntil { fixture.handler.turns.value == 2 })
    }

    @Test func watchedDescriptorsOfOneTurnComeTogether() throws {
      let fixture = try HTTPFixture(serve: false)
      var ends: [(read: Int32, write: Int32)] = []
      for _ in 0..<3 {
        var pipe: [Int32] = [0, 0]
        #expect(unsafe Glibc.pipe(&pipe) == 0)
        ends.append((pipe[0], pipe[1]))
      }
      let (pipes, seen) = (ends.map(\.read), PipeHandler.Seen())
      let server = try Server(
        listeners: [try ListeningSocket.open(SocketPath(path: fixture.path))], options: HTTPFixture.patientOptions
      ) { PipeHandler(pipes, seen) }
      let client = try fixture.connect()
      for (number, end) in ends.enumerated() {
        client.send(Self.get("/x"))
        #expect(try waitUntil { seen.asked.value == number + 1 })
        var byte = UInt8(number + 1)
        #expect(unsafe write(end.write, &byte, 1) == 1)
        #expect(client.readAnswer().hasSuffix("\(number)=\(number + 1) "))
      }
      #expect(seen.batches.current == [1, 1, 1])
      #expect(server.stop(within: .seconds(60)) == 0)
      for end in ends {
        close(end.read)
        close(end.write)
      }
    }

    /// What has come of a body that is thrown away takes no memory.
    @Test func bodiesThatAreThrownAwayCrowdNoOneOut() throws {
      let fixture = try HTTPFixture { $0.workers = 1 }
      let (busy, other) = (try fixture.connect(), try fixture.connect())
      let head = "POST /discard HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n"
      let clients = try (0..<160).map { _ in try fixture.connect() }
      for (number, client) in clients.enumerated() {
        // What it sends comes in one piece.
        busy.send(Self.get("/gate"))
        try #require(try waitUntil { fixture.handler.gates.value == number + 1 })
        client.send(head + String(repeating: "b", count: 60_000))
        fixture.handler.openGates.count()
        #expect(busy.readAnswer().statuses == [200])
        try #require(try waitUntil { fixture.handler.heads.value == 2 * (number + 1) })
      }
      other.send(Self.get("/x"))
      #expect(other.readAnswer().statuses == [200])
      #expect(fixture.server?.counters.crowdedOut.value == 0)
      for client in clients { client.send(String(repeating: "b", count: 140_000)) }
      for client in clients { #expect(client.readAnswer().hasSuffix("POST /discard 0\n")) }
    }

    // MARK: fairness

    /// A client that asks without end gets its answers a few at a time: the others have their turn between.
    @Test func pipeliningClientDoesNotHoldUpOthers() throws {
      let fixture = try HTTPFixture { $0.workers = 1 }
      let (greedy, honest) = (try fixture.connect(), try fixture.connect())
      honest.send(Self.get("/x"))
      _ = honest.readAnswer()
      greedy.send(String(repeating: Self.get("/gate"), count: 64))
      fixture.handler.openGates.add(2)
      #expect(try waitUntil { fixture.handler.gates.value == 3 })
      honest.send(Self.get("/x"))
      // It waits for what was begun, one turn's worth, and not for all: the worker is kept busy by the next of them.
      fixture.handler.openGates.add(HTTPLimits.requestsPerTurn + 2)
      #expect(honest.readAnswer().statuses == [200])
      fixture.handler.openGates.add(64)
      for _ in 0..<64 { #expect(greedy.readAnswer().statuses == [200]) }
    }

    @Test func clientThatDoesNotReadIsNotAnsweredWithoutEnd() throws {
      let fixture = try HTTPFixture { $0.workers = 1 }
      let client = try fixture.connect()
      client.send(String(repeating: Self.get("/big"), count: 200))
      #expect(try waitUntil { fixture.handler.answers.value == 1 })
      var bytes = 0
      while bytes < 20_000_000 {
        let piece = client.read()
        if piece.isEmpty { break }
        bytes += piece.count
      }
      #expect(bytes >= 20_000_000 && fixture.handler.answers.value < 8)
    }

    /// Each worker has as many as the others, also when those of one worker have ended.
    @Test func connectionsAreDealtToTheWorkerThatHasTheFewest() throws {
      let fixture = try HTTPFixture { $0.workers = 5 }
      let server = try #require(fixture.server)
      func loads() -> [Int] { server.workers.map { $0.load.value } }
      var clients: [RawClient] = []
      for _ in 0..<203 { clients.append(try fixture.connect()) }
      #expect(try waitUntil { loads().reduce(0, +) == 203 })
      #expect(loads().max() == 41 && loads().min() == 40)
      // Every fifth was dealt to one worker.
      clients = clients.enumerated().filter { $0.offset % 5 != 2 }.map(\.element)
      #expect(try waitUntil { loads().min() == 0 })
      for _ in 0..<40 { clients.append(try fixture.connect()) }
      #expect(try waitUntil { (loads().min() ?? 0) >= 40 })
      #expect((loads().max() ?? 0) <= 41)
    }
  }

  @Suite("Deadlines")
  struct DeadlinesTests {
    @Test func theFirstToBeginIsTheFirstToEnd() {
      var deadlines = Deadlines(silence: 100, request: 10, end: 5)
      #expect(deadlines.next == nil)
      deadlines.begin(.silence, 3, at: 0)
      deadlines.begin(.silence, 1, at: 20)
      deadlines.begin(.request, 2, at: 30)
      #expect(deadlines.next == 40 && deadlines.kind(2) == .request && deadlines.kind(0) == nil)
      #expect(deadlines.overdue(at: 40) == nil)
      let overdue = deadlines.overdue(at: 41)
      #expect(overdue?.slot == 2 && overdue?.kind == .request)
      deadlines.stop(2)
      #expect(deadlines.next == 100)
      // Begun again it is the last of its kind.
      deadlines.begin(.silence, 3, at: 30)
      #expect(deadlines.overdue(at: 121)?.slot == 1)
      deadlines.stop(1)
      #expect(deadlines.next == 130 && deadlines.age(3, at: 50) == 20 && deadlines.age(3, at: 10) == 0)
      deadlines.stop(3)
      deadlines.stop(3)
      #expect(deadlines.next == nil && deadlines.overdue(at: .max) == nil)
    }

    /// Against a list that is searched.
    @Test func manyAreKeptApart() {
      var deadlines = Deadlines(silence: 1000, request: 100, end: 10)
      let limits: [Deadlines.Deadline: UInt64] = [.silence: 1000, .request: 100, .end: 10]
      var plain: [Int: (kind: Deadlines.Deadline, since: UInt64)] = [:]
      var random = SystemRandomNumberGenerator()
      for now in UInt64(0)..<5000 {
        let slot = Int.random(in: 0..<50, using: &random)
        if Int.random(in: 0..<4, using: &random) == 0, plain[slot] != nil {
          deadlines.stop(slot)
          plain[slot] = nil
        } else {
          let kind = Deadlines.Deadline.allCases[Int.random(in: 0..<3, using: &random)]
          deadlines.begin(kind, slot, at: now)
          plain[slot] = (kind, now)
        }
        #expect(deadlines.next == plain.values.map { $0.since + (limits[$0.kind] ?? 0) }.min())
        while let (slot, kind) = deadlines.overdue(at: now) {
          #expect(plain[slot].map { $0.kind == kind && now - $0.since > (limits[kind] ?? 0) } == true)
          deadlines.stop(slot)
          plain[slot] = nil
        }
        #expect(plain.values.allSatisfy { now - $0.since <= (limits[$0.kind] ?? 0) })
      }
    }
  }
}
