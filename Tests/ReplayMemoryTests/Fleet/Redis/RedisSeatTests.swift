import Foundation
import MediaTokenSystem
import Testing

@testable import MediaToken

/// Connections to real processes.
@Suite(.enabled(if: SeatServer.isInstalled, SeatServer.absent), .steadyMachine)
struct RedisSeatTests {
  private let server: SeatServer
  private var now: Int64 { Int64(Date().timeIntervalSince1970) }

  init() throws { server = try SeatServer() }

  /// A seat that votes for tokens issued now.
  private func voting(_ fleet: SeatFixture) throws -> SeatHarness {
    let seat = try SeatHarness(fleet)
    try seat.connect()
    try server.ask("HSET", "{mt1:test}", "from", "0", "high", "-1")
    return seat
  }

  @Test func `a seat is connected to, born and asked`() throws {
    let fleet = try SeatFixture(at: [server.path])
    let seat = try SeatHarness(fleet)
    #expect(!seat.isUsable)
    try seat.connect()
    #expect(try seat.ask([(1, now)]) == [.forgotten])
    let from = try #require(Int64(try server.ask("HGET", "{mt1:test}", "from").wholeText))
    #expect(from >= now + 60)
    #expect(fleet.clock.highestSecond(ofSeat: 1) >= now - 1)
  }

  @Test func `votes come back in order, one for each claim of each batch`() throws {
    let seat = try voting(SeatFixture(at: [server.path]))
    let first = seat.send([(1, now), (2, now)], ballot: 1)
    let second = seat.send([(1, now), (3, now), (4, now + 300)], ballot: 2)
    #expect(try seat.reply(to: first) == [.new, .new])
    #expect(try seat.reply(to: second) == [.present(SeatHarness.ballot(1)), .new, .ahead])
    #expect(seat.replies.map(\.batch) == [first, second])
  }

  @Test func `a network address leads there too, in numbers and by name`() throws {
    for (host, address) in [("127.0.0.1", "127.0.0.1"), ("localhost", "127.0.0.1"), ("[::1]", "::1")] {
      let server = try SeatServer(at: address)
      let port = try #require(server.port)
      let seat = try SeatHarness(SeatFixture(at: ["\(host):\(port)"]))
      try seat.connect()
      #expect(try seat.ask([(1, now)]) == [.forgotten])
      withExtendedLifetime(server) {}
    }
  }

  @Test func `scripts that were flushed are loaded again, and the same batch is answered`() throws {
    let seat = try voting(SeatFixture(at: [server.path]))
    try server.ask("SCRIPT", "FLUSH")
    let first = seat.send([(1, now)])
    let second = seat.send([(1, now)], ballot: 2)
    #expect(try seat.reply(to: first) == [.new])
    #expect(try seat.reply(to: second) == [.present(SeatHarness.ballot(1))])
  }

  @Test func `a seat that lost its epoch is born again, and the same batch is answered`() throws {
    let seat = try voting(SeatFixture(at: [server.path]))
    #expect(try seat.ask([(1, now)]) == [.new])
    try server.ask("FLUSHALL")
    #expect(try seat.ask([(2, now)]) == [.forgotten])
    #expect(try server.ask("EXISTS", "{mt1:test}").values[0].number == 1)
  }

  @Test func `a seat that has no memory for a claim is down until it has`() throws {
    let seat = try voting(SeatFixture(at: [server.path]))
    try server.ask("CONFIG", "SET", "maxmemory", "1")
    #expect(try seat.ask([(1, now), (2, now)]) == nil)
    #expect(!seat.isUsable && seat.writeWords == "OOM command not allowed when used memory > 'maxmemory'")
    try server.ask("CONFIG", "SET", "maxmemory", "0")
    seat.pass(milliseconds: 1000)
    try seat.connect()
    #expect(try seat.ask([(1, now), (2, now)]) == [.new, .new])
  }

  @Test func `a seat that takes no writes is found out without a claim`() throws {
    let seat = try voting(SeatFixture(at: [server.path]))
    try server.ask("CONFIG", "SET", "min-replicas-to-write", "1")
    seat.pass(milliseconds: 1000)
    try seat.until("the seat is not refused") { $0.refusal != nil }
    #expect(!seat.isUsable && seat.writeWords == "NOREPLICAS Not enough good replicas to write")
    // A host that comes now is not let in either.
    let other = try SeatHarness(SeatFixture(at: [server.path]))
    try other.until("the seat is not refused") { $0.refusal != nil }
    #expect(!other.isUsable && other.record.reading(at: 0).state == .down)
    try server.ask("CONFIG", "SET", "min-replicas-to-write", "0")
    for seat in [seat, other] {
      seat.pass(milliseconds: 1000)
      try seat.connect()
      #expect(try seat.ask([(1, now)])?.count == 1)
    }
    #expect(try server.ask("EXISTS", "{mt1:test}:probe").values[0].number == 0)
  }

  @Test(arguments: ["-script|load", "-evalsha", "-info", "-time", "-hset", "resetkeys"])
  func `a seat whose ACL lacks what is needed is refused, in the ballots of any version`(rule: String) throws {
    try server.ask("ACL", "SETUSER", "default", rule)
    let seat = try SeatHarness(SeatFixture(at: [server.path]))
    try seat.until("the seat is not refused") { $0.refusal != nil }
    #expect(seat.deniedWords != nil)
  }

  @Test func `a seat refuses a user whom it does not have, and a password that is wrong`() throws {
    try server.ask("ACL", "SETUSER", "known", "on", ">right", "~*", "+@all")
    for user in ["unknown right", "known wrong"] {
      let credentials = try FleetCredentials(parsing: Array("1 \(user)\n".utf8), of: "seats", seats: 3)
      let seat = try SeatHarness(SeatFixture(at: [server.path], credentials: credentials))
      try seat.until("the seat is not refused") { $0.refusal != nil }
      #expect(seat.deniedWords?.hasPrefix("WRONGPASS ") == true)
    }
  }

  @Test func `a seat that becomes a replica is refused, and looked at again after five seconds`() throws {
    let seat = try voting(SeatFixture(at: [server.path]))
    try server.ask("REPLICAOF", "127.0.0.1", "1")
    #expect(try seat.ask([(1, now)]) == nil)
    #expect(!seat.isUsable)
    #expect(seat.seat.nextDeadline.map { $0 > seat.time + 4_000_000_000 } == true)
    seat.pass(milliseconds: 5000)
    for _ in 0..<20 { seat.turn() }
    #expect(!seat.isUsable)
    try server.ask("REPLICAOF", "NO", "ONE")
    seat.pass(milliseconds: 5000)
    try seat.connect()
    #expect(try seat.ask([(1, now)]) == [.forgotten])
  }

  @Test func `a seat whose socket others may exchange is given nothing, until they may not`() throws {
    try server.setFolderMode(0o777)
    let dialled = try SeatHarness(SeatFixture(at: [server.path]))
    for _ in 0..<5 { dialled.turn() }
    guard case .exchangeableSocket(let place)? = dialled.refusal else {
      Issue.record("\(String(describing: dialled.refusal))")
      return
    }
    #expect(place.mode == 0o777 && place.path == Array(server.folder.path.utf8))
    #expect(!dialled.isUsable && !dialled.seat.isConnected)
    try server.setFolderMode(0o755)
    #expect(try server.ask("DBSIZE").values[0].number == 0)
    // A connection is young: the next one is not made, and the seat is left.
    let seat = try voting(SeatFixture(at: [server.path]))
    try server.setFolderMode(0o777)
    seat.pass(milliseconds: 4500)
    for _ in 0..<5 { seat.turn() }
    #expect(seat.refusal?.description.hasSuffix("; run: chmod go-w \(server.folder.path)") == true)
    #expect(!seat.isUsable && !seat.seat.isConnected)
    try server.setFolderMode(0o755)
    seat.pass(milliseconds: 5000)
    try seat.connect()
  }

  @Test func `a seat that goes and comes back is dialled again`() throws {
    let seat = try voting(SeatFixture(at: [server.path]))
    server.stop()
    try seat.until("a seat without a process is usable") { !$0.isUsable }
    for _ in 0..<5 { seat.turn() }
    try server.start()
    try seat.connect()
    #expect(try seat.ask([(1, now)]) == [.forgotten])
  }
}
