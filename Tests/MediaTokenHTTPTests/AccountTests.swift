import Glibc
import MediaTokenSystem
import Testing

@testable import MediaTokenHTTP

extension HTTPTests {
  /// Who has many names is one caller: all clients over TCP, and all users that one may have made.
  @Suite("Accounts")
  struct AccountTests {
    private typealias WorkerFixture = CallerTests.WorkerFixture
    private static let question = HTTPExchangeTests.get("/x")

    private static func ask(_ client: RawClient, times: Int = 1) {
      for _ in 0..<times {
        client.ask(question)
      }
    }

    // MARK: users

    @Test(
      arguments: [
        (0, false, .user(0)), (65_535, false, .user(65_535)), (65_536, false, .otherUsers),
        (.max, false, .otherUsers),
        (65_536, true, .user(65_536)), (33, true, .user(33)),
      ] as [(UInt32, Bool, Peer.Account)])
    func usersFromSixteenBitsOnAreOneUnlessNamed(uid: UInt32, isNamed: Bool, account: Peer.Account) {
      #expect(Peer.process(uid: uid, gid: 0, pid: 1, isNamed: isNamed).account == account)
    }

    @Test func userWithManyNumbersLosesConnectionsAndNoOther() throws {
      let fixture = try WorkerFixture { $0.connectionLimit = 40 }
      let others = try [fixture.connect(8), fixture.connect(70_000, isNamed: true)]
      let many = try (0..<50).map { try fixture.connect(100_000 + UInt32($0)) }
      #expect(try waitUntil { fixture.crowdedOut == 12 })
      for client in many[..<12] { #expect(client.isEnded()) }
      for client in others { Self.ask(client) }
    }

    @Test func userWithManyNumbersHasTheTurnsOfOne() throws {
      let fixture = try WorkerFixture()
      let many = try (0..<20).map { try fixture.connect(100_000 + UInt32($0)) }
      try fixture.keepBusy(many[0])
      for client in many[1...] { client.send(HTTPExchangeTests.get("/gate")) }
      for uid: UInt32 in [8, 70_000] {
        let other = try fixture.connect(uid, isNamed: uid == 70_000)
        other.send(Self.question)
        for _ in 0..<2 { try fixture.openGate() }
        #expect(other.readAnswer().statuses == [200])
      }
      fixture.handler.openGates.add(100)
      for client in many { #expect(client.readAnswer().statuses == [200]) }
    }

    // MARK: TCP

    /// Connections that say nothing take no place of one that has asked, or has just come, however many there are.
    @Test func connectionThatHasAskedOverTCPIsNotClosedForThoseThatHaveNot() throws {
      let fixture = try WorkerFixture()
      let kept = try fixture.connectOverTCP()
      Self.ask(kept)
      var silent: [RawClient] = []
      for _ in 0..<3 {
        for _ in 0..<HTTPLimits.tcpConnections { silent.append(try fixture.connectOverTCP()) }
        Self.ask(try fixture.connectOverTCP())
      }
      #expect(try waitUntil { fixture.crowdedOut > 2 * HTTPLimits.tcpConnections })
      #expect(silent[0].isEnded())
      Self.ask(kept)
    }

    /// One that asks much has half of the connections, and loses the longest silent of those; one that asks seldom keeps its own.
    @Test func clientThatAsksMuchLosesConnectionsAndNotTheReserve() throws {
      let fixture = try WorkerFixture()
      let quiet = try (0..<8).map { _ in try fixture.connectOverTCP() }
      for client in quiet { Self.ask(client) }
      let busy = try (0..<(HTTPLimits.tcpConnections + 10)).map { _ in
        let client = try fixture.connectOverTCP()
        Self.ask(client, times: Int(HTTPLimits.seldomQuestions) + 2)
        return client
      }
      #expect(try waitUntil { fixture.crowdedOut == 18 })
      for client in busy[..<18] { #expect(client.isEnded()) }
      for client in quiet + busy[18...] { Self.ask(client) }
    }

    @Test func clientThatAsksMuchTakesTurnsWithTheReserve() throws {
      let fixture = try WorkerFixture()
      let busy = try (0..<20).map { _ in try fixture.connectOverTCP() }
      for client in busy { Self.ask(client, times: Int(HTTPLimits.seldomQuestions) + 2) }
      try fixture.keepBusy(busy[0])
      for client in busy[1...] { client.send(HTTPExchangeTests.get("/gate")) }
      let quiet = try fixture.connectOverTCP()
      for _ in 0..<3 {
        quiet.send(Self.question)
        for _ in 0..<2 { try fixture.openGate() }
        #expect(quiet.readAnswer().statuses == [200])
      }
      fixture.handler.openGates.add(100)
      for client in busy { #expect(client.readAnswer().statuses == [200]) }
    }

    @Test func memoryOfAClientThatAsksMuchIsNotTheReserves() throws {
      let fixture = try WorkerFixture()
      let quiet = try fixture.connectOverTCP()
      quiet.send("GET /x HTTP/1.1\r\n")
      let busy = try (0..<8).map { _ in try fixture.connectOverTCP() }
      for client in busy {
        Self.ask(client, times: Int(HTTPLimits.seldomQuestions) + 2)
        client.send(HTTPExchangeTests.get("/big"))
      }
      #expect(try waitUntil { fixture.crowdedOut > 0 })
      quiet.ask("Host: a\r\n\r\n")
    }

    /// As a scraper that keeps its connection: what it asked once does not count for ever.
    @Test func questionsThatAreFarApartAreSeldom() {
      let connection = try? Connection(-1, .tcp, Caller(Caller.Name(of: .tcp), slot: 0), slot: 0, number: 1)
      let isSeldom = (1...100).map { connection?.countQuestion(at: $0 * HTTPLimits.seldomNanoseconds) }
      #expect(isSeldom.allSatisfy { $0 == true })
      let atOnce = (1...HTTPLimits.seldomQuestions + 1).map { _ in
        connection?.countQuestion(at: 200 * HTTPLimits.seldomNanoseconds)
      }
      #expect(atOnce.dropLast().allSatisfy { $0 == true } && atOnce.last == false)
    }
  }
}
