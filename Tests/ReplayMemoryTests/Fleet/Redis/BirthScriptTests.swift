import Foundation
import MediaTokenSystem
import Testing

@testable import MediaToken

/// Births and who a seat is, rule by rule, on a real process.
@Suite(.enabled(if: SeatServer.isInstalled, SeatServer.absent), .steadyMachine)
struct BirthScriptTests {
  private let server: SeatServer
  private let now: Int64
  /// Tokens may be issued 60 seconds ahead of the host's clock; a floor is twelve more above the latest clock.
  private let floor: Int64 = 72

  init() throws {
    server = try SeatServer()
    now = Int64(Date().timeIntervalSince1970)
  }

  // MARK: names

  @Test(arguments: [SeatScripts.claims, SeatScripts.birth, SeatScripts.probe])
  func `a script is known by the SHA-1 of its text`(script: SeatScripts.Script) throws {
    #expect(try server.ask("SCRIPT", "LOAD", script.text).wholeText == script.name)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl", "dgst", "-sha1", "-r"]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    input.fileHandleForWriting.write(Data(script.text.utf8))
    try input.fileHandleForWriting.close()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(text.prefix(40) == script.name[...])
  }

  // MARK: birth

  @Test func `a birth's floor is above the clocks of the seat and of its host, and is given once`() throws {
    let seat = try SeatConversation(server)
    let born = try seat.bear(at: now)
    #expect(born.from == born.time + floor && born.high == born.from - 1 && born.isNew)
    let again = try seat.bear(at: now + 3, highest: now + 100_000)
    #expect((again.from, again.high, again.isNew) == (born.from, born.high, false))
    #expect(try server.ask("TTL", seat.key).values[0].number == -1)
  }

  @Test(arguments: [60, 61, 86_400] as [Int64])
  func `a birth's floor is above what its host has heard, and more than a minute is too much`(lead: Int64)
    throws
  {
    let seat = try SeatConversation(server)
    let (time, error) = try seat.inOneSecond { time in
      try server.ask("DEL", seat.key)
      return try seat.birthError(at: time, highest: time + lead)
    }
    #expect(error == (lead > 60 ? "MTCLOCK \(time)" : nil))
    let from = try server.ask("HGET", seat.key, "from").wholeText
    #expect(from == (lead > 60 ? "" : "\(time + 60 + floor)"))
    // The later one of both clocks counts.
    try server.ask("DEL", seat.key)
    #expect(try seat.bear(at: time + 4, highest: time + 64).from == time + 64 + floor)
  }

  @Test func `a host's clock ahead of the seat's counts for the floor`() throws {
    let born = try SeatConversation(server).bear(at: now + 4)
    #expect(born.from == max(born.time, now + 4) + floor)
  }

  @Test(arguments: [-6, -5, 5, 6] as [Int64])
  func `a clock more than five seconds off lets no seat be born, unless it is already`(off: Int64) throws {
    let seat = try SeatConversation(server)
    let (time, error) = try seat.inOneSecond { time in
      try server.ask("DEL", seat.key)
      return try seat.birthError(at: time + off)
    }
    if abs(off) == 5 { return #expect(error == nil) }
    #expect(error.map { ErrorReply($0) } == .clock(second: time))
    #expect(try server.ask("EXISTS", seat.key).values[0].number == 0)
    let born = try seat.bear(at: time)
    #expect(try seat.bear(at: time + 10 * off).from == born.from)
  }

  @Test func `a newborn's floor is never below its former one, nor at or below what was spent`() throws {
    let seat = try SeatConversation(server)
    try server.ask("HSET", seat.key, "owner", "former", "seat", seat.name, "from", "\(now + 5000)", "high", "7")
    #expect(try seat.bear(at: now).from == now + 5000)
    try server.ask("HSET", seat.key, "owner", "former", "from", "7", "high", "\(now + 6000)")
    let born = try seat.bear(at: now)
    #expect((born.from, born.high, born.isNew) == (now + 6001, now + 6000, true))
  }

  @Test func `a fresh seat vouches for all tokens, and only one that has no epoch can be fresh`() throws {
    let seat = try SeatConversation(server)
    let fresh = try seat.bear(at: now, isFresh: true)
    #expect((fresh.from, fresh.high, fresh.isNew) == (0, fresh.time, true))
    #expect(try seat.bear(at: now, isFresh: true).isNew == false)
    try server.ask("HSET", seat.key, "owner", "former")
    #expect(try seat.bearing(at: now, isFresh: true).hasPrefix("MTOLD "))
    let born = try seat.bear(at: now)
    #expect(born.from == born.time + floor)
    try server.ask("DEL", seat.key)
    try server.ask("HSET", seat.key, "anything", "else")
    #expect(try seat.bearing(at: now, isFresh: true).hasPrefix("MTOLD "))
  }

  @Test func `what was vouched for is what was seen, and nothing that was lost since then`() throws {
    let seat = try SeatConversation(server)
    let seen = try #require(InfoText(try server.ask("INFO", "replication").wholeText)["master_replid"])
    seat.freshOwner = seen
    // REPLICAOF there and back: the data may be others.
    try server.ask("REPLICAOF", "127.0.0.1", "1")
    try server.ask("REPLICAOF", "NO", "ONE")
    #expect(try seat.bearing(at: now, isFresh: true).hasPrefix("MTDATA "))
    #expect(try server.ask("EXISTS", seat.key).values[0].number == 0)
    seat.freshOwner = nil
    #expect(try seat.bear(at: now, isFresh: true).from == 0)
  }

  // MARK: buckets

  /// How many commands make buckets.
  private func deletions() throws -> Int {
    let field = InfoText(try server.ask("INFO", "commandstats").wholeText)["cmdstat_del"]
    return field.flatMap { Int($0.dropFirst("calls=".count).prefix { $0.isNumber }) } ?? 0
  }

  @Test func `the first claim of a fresh seat, or after an idle hour, makes no bucket of a second that is over`()
    throws
  {
    let seat = try SeatConversation(server)
    let fresh = try seat.bear(at: now, isFresh: true)
    #expect(try deletions() == 101)
    #expect(try seat.spend(1, fresh.time) == [.new])
    #expect(try deletions() == 101)
    // An hour in which no host came.
    try server.ask("HSET", seat.key, "high", "\(fresh.time - 3600)")
    let again = try seat.bear(at: now)
    #expect((again.from, again.high, again.isNew) == (0, again.time, false))
    #expect(try deletions() == 202)
    #expect(try seat.spend(1, fresh.time) == [.new])
    #expect(try deletions() == 202)
  }

  @Test func `a birth makes no bucket again, and none where the clocks differ`() throws {
    let seat = try SeatConversation(server)
    let fresh = try seat.bear(at: now, isFresh: true)
    #expect(try seat.spend(1, fresh.time) == [.new])
    try server.ask("DEL", seat.bucket(fresh.time - 1))
    try seat.bear(at: now)
    #expect(try seat.spend(1, fresh.time) == [.present(seat.ballot(1))])
    #expect(try seat.spend(1, fresh.time - 1) == [.forgotten])
    try server.ask("HSET", seat.key, "high", "7")
    for off in [-60, 60] as [Int64] { #expect(try seat.bear(at: now + off).high == 7) }
  }

  @Test func `a seat that has no memory for buckets says so to births and claims`() throws {
    let seat = try SeatConversation(server)
    let fresh = try seat.bear(at: now, isFresh: true)
    try server.ask("HSET", seat.key, "high", "\(fresh.time - 3600)")
    try server.ask("CONFIG", "SET", "maxmemory", "1")
    #expect(try seat.bearing(at: now).hasPrefix("OOM "))
    #expect(try seat.spending(1, fresh.time).hasPrefix("OOM "))
  }

  // MARK: who it is

  @Test func `another seat, another fleet's seat and one without an epoch say so, and nothing is changed`() throws {
    let seat = try SeatConversation(server)
    #expect(try seat.spending(1, now).hasPrefix("MTTENURE "))
    #expect(try server.ask("DBSIZE").values[0].number == 0)
    let born = try seat.bear(at: now)
    let second = try SeatConversation(server, number: 2)
    #expect(try second.spending(1, now).hasPrefix("MTSEAT "))
    #expect(try second.bearing(at: now).hasPrefix("MTSEAT "))
    let other = try SeatConversation(server, name: seat.fleetName, life: 50_000)
    #expect(try other.spending(1, now).hasPrefix("MTFLEET "))
    #expect(try other.bearing(at: now).hasPrefix("MTFLEET "))
    // Also a former life's: no process takes over another's seat.
    try server.ask("HSET", seat.key, "owner", "former")
    #expect(try other.bearing(at: now).hasPrefix("MTFLEET "))
    #expect(try second.bearing(at: now).hasPrefix("MTSEAT "))
    #expect(try seat.spending(1, now).hasPrefix("MTTENURE "))
    #expect(try server.ask("DBSIZE").values[0].number == 1)
    #expect(born.isNew)
  }

  @Test func `a replica is no seat, and after it was one the seat is born again`() throws {
    let seat = try SeatConversation(server)
    try seat.bear(at: now, isFresh: true)
    #expect(try seat.spend(1, now) == [.new])
    try server.ask("REPLICAOF", "127.0.0.1", "1")
    #expect(try seat.spending(1, now).hasPrefix("MTROLE "))
    #expect(try seat.bearing(at: now).hasPrefix("MTROLE "))
    try server.ask("REPLICAOF", "NO", "ONE")
    #expect(try seat.spending(1, now).hasPrefix("MTTENURE "))
    let born = try seat.bear(at: now)
    #expect(born.isNew && born.from >= now + floor)
    #expect(try seat.spend(2, now) == [.forgotten])
  }

  @Test func `what a restart or FLUSHALL left is not vouched for`() throws {
    let seat = try SeatConversation(server)
    try seat.bear(at: now, isFresh: true)
    #expect(try seat.spend(1, now) == [.new])
    try server.ask("FLUSHALL")
    #expect(try seat.spending(1, now).hasPrefix("MTTENURE "))
    try seat.bear(at: now)
    #expect(try seat.spend(1, now, ballot: 2) == [.forgotten])
    server.stop()
    try server.start()
    let later = try SeatConversation(server)
    #expect(try later.spending(1, now).hasPrefix("MTTENURE "))
  }

  @Test func `a restart on saved data is another life`() throws {
    let seat = try SeatConversation(server)
    let first = try seat.bear(at: now, isFresh: true)
    try server.ask("SAVE")
    server.stop()
    try server.start()
    let later = try SeatConversation(server)
    #expect(try server.ask("HGET", seat.key, "seat").wholeText == seat.name)
    #expect(try later.spending(1, now).hasPrefix("MTTENURE "))
    #expect(first.isNew)
    #expect(try later.bearing(at: now, isFresh: true).hasPrefix("MTOLD "))
    #expect(try later.bear(at: now).from >= now + floor)
  }
}
