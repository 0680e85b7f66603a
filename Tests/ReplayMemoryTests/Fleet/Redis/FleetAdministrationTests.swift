import Foundation
import MediaTokenSystem
import Testing

@testable import MediaToken

/// What operators do, with real processes.
@Suite(.enabled(if: SeatServer.isInstalled, SeatServer.absent), .steadyMachine)
struct FleetAdministrationTests {
  private let servers: [SeatServer]
  private let fleet: SeatFixture
  private let administration: FleetAdministration
  private var now: Int64 { Int64(Date().timeIntervalSince1970) }

  init() throws {
    servers = try (0..<3).map { _ in try SeatServer() }
    fleet = try SeatFixture(at: servers.map(\.path))
    administration = FleetAdministration(fleet.address, fleet.digest, fleet.engine)
  }

  private func keys() throws -> [Int64] { try servers.map { try $0.ask("DBSIZE").values[0].number } }

  @Test func `seats are described, and nothing is changed`() throws {
    let seats = administration.describe()
    #expect(seats.map(\.number) == [1, 2, 3])
    #expect(seats.map(\.address) == servers.map(\.path))
    #expect(seats.map(\.state) == [.unborn, .unborn, .unborn])
    #expect(try keys() == [0, 0, 0])
    for seat in seats {
      #expect(seat.reason == nil && seat.from == nil && seat.high == nil)
      // The same machine's clock; a busy machine may take a while between.
      #expect(seat.clockOffsetMilliseconds.map { abs($0) < 5000 } == true)
      #expect(seat.roundTripMicroseconds.map { $0 > 0 } == true)
      #expect(seat.usedMemoryBytes.map { $0 > 100_000 } == true)
      #expect(seat.policy == "noeviction")
      #expect(seat.version?.contains(".") == true)
      #expect(seat.warnings == [])
    }
  }

  @Test func `founding gives each seat a floor, and a second time changes nothing`() throws {
    let founded = administration.found(fresh: false)
    #expect(founded.map(\.state) == [.young, .young, .young])
    for seat in founded {
      #expect(seat.from.map { $0 > now + 50 } == true && seat.high == seat.from.map { $0 - 1 })
    }
    #expect(administration.found(fresh: false).map(\.from) == founded.map(\.from))
    #expect(administration.describe().map(\.from) == founded.map(\.from))
  }

  @Test func `a floor is above what its own seat has shown the founding host`() throws {
    let floor = now + 50 + 72
    fleet.clock.note(second: now + 50, ofSeat: 2, in: nil)
    fleet.clock.note(second: now + 5000, ofSeat: 3, in: nil)
    let found = administration.found(fresh: false)
    #expect(found[0].from.map { $0 < floor } == true && found[1].from == floor)
    // Far above both clocks: another host may found it.
    #expect(found[2].state == .unborn && found[2].reason?.contains("mediatoken replay found") == true)
    let other = try SeatFixture(at: servers.map(\.path))
    let later = FleetAdministration(other.address, other.digest, other.engine).found(fresh: false)
    #expect(later.map(\.state) == [.young, .young, .young] && later[1].from == floor)
  }

  @Test func `looking at seats is seeing their clocks`() throws {
    let slow = FleetClock { Instant(millisecondsSinceEpoch: Instant.now.millisecondsSinceEpoch - 600_000) }
    let fleet = try SeatFixture(at: servers.map(\.path), clock: slow)
    _ = FleetAdministration(fleet.address, fleet.digest, fleet.engine).describe()
    #expect(slow.highestSecond(ofSeat: 3) >= now - 60)
  }

  @Test func `a fresh fleet vouches for all tokens`() throws {
    let founded = administration.found(fresh: true)
    #expect(founded.map(\.state) == [.voting, .voting, .voting])
    #expect(founded.map(\.from) == [0, 0, 0])
    #expect(founded.map(\.reason) == [nil, nil, nil])
  }

  @Test func `nothing is founded fresh where a seat has an epoch, of whatever time`() throws {
    try servers[1].ask(
      "HSET", "{mt1:test}", "owner", "former", "seat", "\(fleet.digest):2", "from", "1", "high", "2")
    let seats = administration.found(fresh: true)
    #expect(seats.map(\.state) == [.unborn, .unborn, .unborn])
    #expect(seats[1].reason?.hasPrefix("it has an epoch") == true && seats[0].reason == nil)
    #expect(try keys() == [0, 1, 0])
  }

  @Test func `a seat that loses its data while it is founded fresh is not`() throws {
    let owner = try #require(administration.describe()[0].owner)
    servers[0].stop()
    try servers[0].start()
    let place = SeatPlace(number: 1, address: fleet.address.seats[0])
    let error = try #require(throws: SeatError.self) {
      try fleet.engine.found(place, freshOwner: owner, within: Timeout(milliseconds: 60_000))
    }
    let seat = SeatDescription(place, error)
    #expect(seat.state == .unborn && seat.reason?.contains("lost its data since") == true)
    #expect(try keys() == [0, 0, 0])
  }

  @Test func `nothing is founded fresh while a seat is away`() throws {
    servers[2].stop()
    let seats = administration.found(fresh: true)
    #expect(seats.map(\.state) == [.unborn, .unborn, .down])
    #expect(seats[2].reason == "it cannot be reached: connection refused")
    #expect(try servers[0].ask("DBSIZE").values[0].number == 0)
    // Without that ballot the others are founded.
    #expect(administration.found(fresh: false).map(\.state) == [.young, .young, .down])
  }

  @Test func `a seat that does not answer is down, and the others are not kept waiting`() throws {
    servers[0].signal(SIGSTOP)
    defer { servers[0].signal(SIGCONT) }
    let seats = administration.describe()
    #expect(seats.map(\.state) == [.down, .unborn, .unborn])
    #expect(seats[0].reason == "it does not answer within 5 s")
  }

  @Test func `a replica, a seat of another number and another fleet's seat are refused with the reason`() throws {
    try servers[0].ask("REPLICAOF", "127.0.0.1", "1")
    try servers[1].ask("HSET", "{mt1:test}", "owner", "x", "seat", "\(fleet.digest):3")
    try servers[2].ask("HSET", "{mt1:test}", "owner", "x", "seat", "0123456789abcdef:3")
    let seats = administration.found(fresh: false)
    #expect(seats.map(\.state) == [.refused, .refused, .refused])
    #expect(
      seats.map(\.reason) == [SeatRefusal.replica, .otherSeat, .otherFleet].map(\.description))
    #expect(try servers[1].ask("HGET", "{mt1:test}", "owner").wholeText == "x")
  }

  @Test func `one process at two addresses is refused, and nothing is founded`() throws {
    let server = try SeatServer(at: "127.0.0.1")
    let port = try #require(server.port)
    let fleet = try SeatFixture(at: [servers[0].path, server.path, "127.0.0.1:\(port)"])
    let seats = FleetAdministration(fleet.address, fleet.digest, fleet.engine).found(fresh: true)
    #expect(seats.map(\.state) == [.unborn, .unborn, .refused])
    #expect(seats[2].reason == SeatRefusal.sameProcess(asSeat: 2).description)
    #expect(try server.ask("DBSIZE").values[0].number == 0)
  }

  @Test func `a seat whose socket others may exchange is refused, and nothing is founded`() throws {
    try servers[1].setFolderMode(0o777)
    let seats = administration.found(fresh: true)
    try servers[1].setFolderMode(0o755)
    #expect(seats.map(\.state) == [.unborn, .refused, .unborn])
    let reason = try #require(seats[1].reason)
    #expect(reason.hasPrefix("it") && reason.hasSuffix("; run: chmod go-w \(servers[1].folder.path)"))
    #expect(try keys() == [0, 0, 0])
  }

  @Test(arguments: ["time", "hmget", "script|load"])
  func `a seat that lets its user look at less is refused with the reason`(command: String) throws {
    for server in servers { try server.ask("ACL", "SETUSER", "default", "-\(command)") }
    let seats = administration.describe()
    #expect(seats.map(\.state) == [.refused, .refused, .refused])
    // The command that its user may not run is named.
    #expect(seats.allSatisfy { $0.reason?.contains("'\(command)' command") == true })
  }

  @Test func `a seat that takes no writes is down, with the reason and its numbers, and is not founded`() throws {
    let founded = administration.found(fresh: false).map(\.from)
    for server in servers { try server.ask("CONFIG", "SET", "min-replicas-to-write", "1") }
    let seats = administration.describe()
    #expect(seats.map(\.state) == [.down, .down, .down] && seats.map(\.from) == founded)
    #expect(seats.allSatisfy { $0.reason?.contains("it takes no writes: NOREPLICAS Not enough good") == true })
    for server in servers { try server.ask("CONFIG", "SET", "min-replicas-to-write", "0") }
    try servers[0].ask("DEL", "{mt1:test}")
    try servers[0].ask("CONFIG", "SET", "min-replicas-to-write", "1")
    let again = administration.found(fresh: false)
    #expect(again.map(\.state) == [.down, .young, .young] && again[0].reason?.contains("NOREPLICAS") == true)
    #expect(try keys()[0] == 0)
  }

  @Test func `a seat that has no connection to spare says so`() throws {
    let server = try SeatServer(["--maxclients", "1"])
    let fleet = try SeatFixture(at: [servers[0].path, server.path, servers[2].path])
    let caller = try fleet.engine.caller(ofSeat: 2)
    #expect(try caller.ask { $0.time(into: &$1) }.kind == .list)
    let seats = FleetAdministration(fleet.address, fleet.digest, fleet.engine).describe()
    #expect(
      seats[1].state == .down && seats[1].reason == "it answers with an error: ERR max number of clients reached")
  }

  @Test func `what a seat should not do is a warning`() throws {
    try servers[0].ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    try servers[1].ask("CONFIG", "SET", "appendonly", "yes")
    let seats = administration.describe()
    #expect(seats[0].warnings.count == 1 && seats[0].warnings[0].hasPrefix("maxmemory-policy is allkeys-lru"))
    #expect(seats[0].policy == "allkeys-lru")
    #expect(seats[1].warnings.count == 1 && seats[1].warnings[0].hasPrefix("the append-only file"))
    #expect(seats[2].warnings == [])
  }

  @Test func `a clock that is off is a warning, and lets no seat be founded`() throws {
    let clock = FleetClock { Instant(millisecondsSinceEpoch: Instant.now.millisecondsSinceEpoch - 60_000) }
    let fleet = try SeatFixture(at: servers.map(\.path), clock: clock)
    let administration = FleetAdministration(fleet.address, fleet.digest, fleet.engine)
    for seat in administration.describe() {
      #expect(seat.warnings.count == 1 && seat.warnings[0].hasPrefix("its clock is "))
      #expect(seat.clockOffsetMilliseconds.map { (55_000...120_000).contains($0) } == true)
    }
    for seat in administration.found(fresh: false) {
      #expect(seat.state == .unborn && seat.reason?.contains("more than 5 s is too much") == true)
    }
    #expect(try keys() == [0, 0, 0])
  }

  @Test func `a seat with an epoch whose clock is off is refused, and keeps its numbers`() throws {
    let founded = administration.found(fresh: false).map(\.from)
    let clock = FleetClock { Instant(millisecondsSinceEpoch: Instant.now.millisecondsSinceEpoch + 60_000) }
    let fleet = try SeatFixture(at: servers.map(\.path), clock: clock)
    let administration = FleetAdministration(fleet.address, fleet.digest, fleet.engine)
    for seats in [administration.describe(), administration.found(fresh: false)] {
      #expect(seats.map(\.state) == [.refused, .refused, .refused] && seats.map(\.from) == founded)
      #expect(seats.allSatisfy { $0.reason?.contains("more than 5 s is too much") == true })
    }
    // The others are founded all the same, or were.
    try servers[2].ask("DEL", "{mt1:test}")
    let seats = administration.found(fresh: false)
    #expect(seats.map(\.state) == [.refused, .refused, .unborn] && seats[2].reason != nil)
  }

  @Test func `a look says what a claim would hear, and claims nothing`() throws {
    func peek(_ second: Int64) -> [SeatAnswer?] {
      administration.peek(
        at: TokenIdentity(digest: SHA256Digest(words: 1, 0, 0, 0)),
        issueTime: Instant(millisecondsSinceEpoch: second * 1000)
      ).map(\.answer)
    }
    #expect(peek(now) == [nil, nil, nil])
    let founded = administration.found(fresh: true)
    #expect(founded.map(\.state) == [.voting, .voting, .voting])
    let second = now
    #expect(peek(second) == [.new, .new, .new])
    #expect(peek(second + 3000) == [.ahead, .ahead, .ahead])
    let seat = try SeatHarness(fleet, number: 2)
    try seat.connect()
    #expect(try seat.ask([(1, second)], ballot: 5) == [.new])
    #expect(peek(second) == [.new, .present(SeatHarness.ballot(5)), .new])
    let fields = try servers[1].ask("HKEYS", "{mt1:test}:\(second)").texts.compactMap { $0 }
    try servers[1].ask("HSET", "{mt1:test}:\(second)", try #require(fields.first { !$0.isEmpty }), "no ballot")
    #expect(peek(second) == [.new, nil, .new])
    try servers[1].ask("DEL", "{mt1:test}:\(second)")
    #expect(peek(second) == [.new, .forgotten, .new])
    try servers[0].ask("HSET", "{mt1:test}", "from", "\(second + 1)", "high", "\(second)")
    #expect(peek(second) == [.forgotten, .forgotten, .new])
    #expect(try servers[2].ask("HLEN", "{mt1:test}:\(second)").values[0].number <= 1)
  }
}
