import Foundation
import MediaTokenSystem
import Testing

@testable import MediaTokenFleet

/// Lanes to a peer that a test plays, in a time that the test makes.
@Suite struct LaneTests {
  /// A seat that was greeted by this peer.
  private func greeted(_ peer: ScriptedPeer, credentials: FleetCredentials = .none) throws -> SeatHarness {
    let seat = try SeatHarness(SeatFixture(at: [peer.path], credentials: credentials), with: peer)
    seat.settle()
    try #require(seat.isUsable)
    return seat
  }

  // MARK: greeting

  @Test func `a process is looked at before it is given scripts and a tenure`() throws {
    let peer = try ScriptedPeer()
    let fleet = try SeatFixture(at: [peer.path])
    let seat = try SeatHarness(fleet, with: peer)
    seat.settle()
    #expect(seat.isUsable)
    let words = peer.commands.map(\.words)
    #expect(words.count == 6)
    #expect(words.prefix(3) == [["INFO", "server"], ["INFO", "replication"], ["INFO", "cluster"]])
    #expect(
      words[3...4] == [["SCRIPT", "LOAD", SeatScripts.claims.text], ["SCRIPT", "LOAD", SeatScripts.birth.text]])
    #expect(
      words[5][...5] == ["EVALSHA", SeatScripts.birth.name, "1", "{mt1:test}", "\(fleet.digest):1", "60"][...])
    let second = try #require(Int64(words[5][6]))
    #expect(abs(second - fleet.clock.now().millisecondsSinceEpoch / 1000) < 100)
    let highest = try #require(Int64(words[5][7]))
    #expect(highest >= second && highest <= fleet.clock.highestSecond)
    #expect(words[5][8...] == [""][...])
  }

  @Test func `a greeting may come in pieces`() throws {
    let peer = try ScriptedPeer { _, _ in nil }
    let seat = try SeatHarness(SeatFixture(at: [peer.path]), with: peer)
    seat.settle()
    var answered = 0
    while answered < peer.commands.count {
      #expect(!seat.isUsable)
      for byte in ScriptedPeer.good(peer.commands[answered].words, 0) ?? [] {
        peer.send([byte], on: 0)
        seat.settle()
      }
      answered += 1
    }
    #expect(seat.isUsable && answered == 6)
  }

  @Test(arguments: [
    ("replication", "role:slave", SeatRefusal.replica), ("cluster", "cluster_enabled:1", .clusterNode),
    ("server", "redis_version:5.0.14\r\nrun_id:x", .version("5.0.14")),
  ])
  func `a process that can be no seat is given nothing`(section: String, text: String, refusal: SeatRefusal) throws
  {
    let peer = try ScriptedPeer { words, connection in
      words == ["INFO", section] ? ScriptedPeer.bulk(text + "\r\n") : ScriptedPeer.good(words, connection)
    }
    let seat = try SeatHarness(SeatFixture(at: [peer.path]), with: peer)
    seat.settle()
    #expect(!seat.isUsable && seat.refusal == refusal)
    #expect(peer.commands.allSatisfy { $0.words[0] == "INFO" })
    #expect(peer.open == [])
    // It is looked at again after five seconds, not earlier.
    seat.pass(milliseconds: 4999)
    seat.settle()
    #expect(peer.accepted == 1)
    seat.pass(milliseconds: 1)
    peer.script = ScriptedPeer.good
    seat.settle()
    #expect(peer.accepted == 2 && seat.isUsable && seat.refusal == nil)
  }

  @Test(arguments: [
    ("AUTH", "WRONGPASS invalid username-password pair or user is disabled."),
    ("AUTH", "ERR AUTH <password> called without any password configured for the default user."),
    ("INFO", "NOAUTH Authentication required."), ("INFO", "DENIED Redis is running in protected mode"),
    ("SCRIPT", "NOPERM this user has no permissions to run the 'script|load' command"),
    ("EVALSHA", "ERR The user executing the script can't access at least one of the keys mentioned"),
  ])
  func `a seat that does not let us in is refused`(command: String, error: String) throws {
    let peer = try ScriptedPeer { words, connection in
      words[0] == command ? Array("-\(error)\r\n".utf8) : ScriptedPeer.good(words, connection)
    }
    let credentials = try FleetCredentials(parsing: Array("1 user password\n".utf8), seats: 1)
    let seat = try SeatHarness(SeatFixture(at: [peer.path], credentials: credentials), with: peer)
    seat.settle()
    #expect(!seat.isUsable && seat.refusal == .credentials)
    #expect(peer.open == [])
  }

  @Test(arguments: [
    "LOADING Redis is loading the dataset in memory", "ERR max number of clients reached", "BUSY x",
  ])
  func `a seat that has no answer now is tried again soon`(error: String) throws {
    let peer = try ScriptedPeer { _, _ in Array("-\(error)\r\n".utf8) }
    let seat = try SeatHarness(SeatFixture(at: [peer.path]), with: peer)
    // The pauses double, from 50 ms to two seconds.
    for (connection, pause) in [50, 100, 200, 400, 800, 1600, 2000, 2000].enumerated() {
      seat.settle()
      #expect(peer.accepted == connection + 1)
      #expect(!seat.isUsable && seat.refusal == nil)
      seat.pass(milliseconds: UInt64(pause - 1))
      seat.settle()
      #expect(peer.accepted == connection + 1)
      seat.pass(milliseconds: 1)
    }
    peer.script = ScriptedPeer.good
    seat.settle()
    #expect(seat.isUsable)
    // After a greeting the first pause is the shortest again.
    peer.close(8)
    seat.settle()
    #expect(!seat.isUsable)
    seat.pass(milliseconds: 50)
    seat.settle()
    #expect(seat.isUsable)
  }

  @Test func `a birth refused for the clocks says how far they are apart`() throws {
    let peer = try ScriptedPeer { words, connection in
      words[0] == "EVALSHA" ? Array("-MTCLOCK 1000\r\n".utf8) : ScriptedPeer.good(words, connection)
    }
    let clock = FleetClock { .init(millisecondsSinceEpoch: 1_060_500) }
    let seat = try SeatHarness(SeatFixture(at: [peer.path], clock: clock), with: peer)
    seat.settle()
    #expect(seat.refusal == .clock(offsetSeconds: -60))
    #expect(peer.commands.last?.words[6...] == ["1061", "1061", ""])
  }

  @Test func `the user of the seat's own line is sent, and new ones with the next connection`() throws {
    let peer = try ScriptedPeer()
    let credentials = try FleetCredentials(parsing: Array("* all secret\n1 one other\n".utf8), seats: 1)
    let fleet = try SeatFixture(at: [peer.path], credentials: credentials)
    let seat = try SeatHarness(fleet, with: peer)
    seat.settle()
    #expect(seat.isUsable && peer.commands[0].words == ["AUTH", "one", "other"])
    fleet.credentials.exchange(for: try FleetCredentials(parsing: Array("* all changed\n".utf8), seats: 1))
    seat.pass(milliseconds: 4000)
    seat.settle()
    #expect(peer.commands.filter { $0.words[0] == "AUTH" }.last?.words == ["AUTH", "all", "changed"])
  }

  @Test func `one process is one seat`() throws {
    let (first, second) = (try ScriptedPeer(), try ScriptedPeer())
    let fleet = try SeatFixture(at: [first.path, second.path])
    let book = SeatBook(seats: 3)
    let seat = try SeatHarness(fleet, in: book, with: first)
    seat.settle()
    let twin = try SeatHarness(fleet, number: 2, in: book, with: second)
    twin.settle()
    #expect(seat.isUsable && !twin.isUsable)
    #expect(twin.refusal == .sameProcess(asSeat: 1))
    #expect(second.open == [])
  }

  // MARK: replies

  @Test func `a reply may be torn at any byte`() throws {
    let text = "*4\r\n:1000\r\n:1\r\n$16\r\n\r\n345678901234\r\n\r\n$1\r\nF\r\n"
    let bytes = Array(text.utf8)
    for place in bytes.indices {
      let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
      let seat = try greeted(peer)
      let number = seat.send([(1, 1000), (2, 1000), (3, 1000)])
      seat.settle()
      peer.send(Array(bytes[..<place]), on: 0)
      seat.settle()
      #expect(seat.replies == [])
      peer.send(Array(bytes[place...]), on: 0)
      let answers = try seat.reply(to: number)
      let word = ClaimWord(bytes: Array("\r\n345678901234\r\n".utf8).span)
      #expect(answers == [.new, word.map { .stands($0) } ?? .ahead, .forgotten])
      #expect(seat.isUsable)
    }
  }

  @Test func `a reply that is cut off at any byte is no reply, and the seat is dialled again`() throws {
    let bytes = Array("*3\r\n:1000\r\n:1\r\n$1\r\nA\r\n".utf8)
    for place in bytes.indices {
      let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
      let seat = try greeted(peer)
      _ = seat.send([(1, 1000), (2, 1000)])
      seat.settle()
      peer.send(Array(bytes[..<place]), on: 0)
      peer.close(0)
      seat.settle()
      #expect(seat.replies == [] && !seat.isUsable)
      seat.pass(milliseconds: 50)
      seat.settle()
      #expect(seat.isUsable && peer.accepted == 2)
    }
  }

  @Test func `replies that come together are matched in order`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let seat = try greeted(peer)
    let numbers = (0..<3).map { seat.send(Array(repeating: (1, 1000), count: $0 + 1)) }
    seat.settle()
    peer.send(Array("*2\r\n:1\r\n:1\r\n-OOM x\r\n*4\r\n:1\r\n$1\r\nF\r\n$1\r\nA\r\n:1\r\n".utf8), on: 0)
    seat.settle()
    #expect(seat.replies.map(\.batch) == numbers)
    #expect(seat.replies.map(\.answers) == [[.new], nil, [.forgotten, .ahead, .new]])
  }

  @Test(arguments: [
    "OOM command not allowed when used memory > 'maxmemory'.", "BUSY Redis is busy running a script.",
    "LOADING Redis is loading the dataset in memory", "READONLY You can't write against a read only replica.",
    "ERR unknown", "MTCLOCK 1", "MTOLD x", "",
  ])
  func `an error is no answer for the whole batch`(error: String) throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims("-\(error)\r\n"))
    let seat = try greeted(peer)
    #expect(try seat.ask([(1, 1000), (2, 1000)]) == nil)
    #expect(seat.isUsable && seat.refusal == nil)
  }

  @Test(arguments: [
    ("MTROLE not a master", SeatRefusal.replica), ("MTSEAT another seat", .otherSeat),
    ("MTFLEET another fleet", .otherFleet), ("NOPERM x", .credentials),
  ])
  func `a seat that says that it is none is refused`(error: String, refusal: SeatRefusal) throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims("-\(error)\r\n"))
    let seat = try greeted(peer)
    #expect(try seat.ask([(1, 1000)]) == nil)
    #expect(!seat.isUsable && seat.refusal == refusal)
    seat.settle()
    #expect(peer.open == [])
  }

  @Test(arguments: ["NOSCRIPT No matching script.", "MTTENURE no tenure"])
  func `what a seat has lost it gets, and the same batch once more`(error: String) throws {
    var failures = 1
    let peer = try ScriptedPeer { words, connection in
      guard ScriptedPeer.isClaims(words), failures > 0 else { return ScriptedPeer.good(words, connection) }
      failures -= 1
      return Array("-\(error)\r\n".utf8)
    }
    let seat = try greeted(peer)
    #expect(try seat.ask([(1, 1000)]) == [.new])
    let words = peer.commands.map(\.words)
    #expect(words[6] == words[8] && ScriptedPeer.isClaims(words[6]) && words.count == 9)
    #expect(words[7][1] == (error.hasPrefix("NOSCRIPT") ? "LOAD" : SeatScripts.birth.name))
    // Once more, and not for ever.
    failures = 2
    #expect(try seat.ask([(1, 1000)]) == nil)
    #expect(peer.commands.count == 12 && seat.isUsable)
  }

  @Test(arguments: ForeignText.replies)
  func `what is no reply of ours closes the lane, and the batch has no answer`(reply: ForeignText) throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(reply.text))
    let seat = try greeted(peer)
    let number = seat.send([(1, 1000), (2, 1000)])
    let second = seat.send([(3, 1000)])
    seat.settle()
    #expect(seat.replies.first == SeatReply(batch: number, answers: nil))
    #expect(seat.replies.allSatisfy { $0.batch == number || $0.batch == second && $0.answers == nil })
    #expect(!seat.isUsable)
    seat.settle()
    #expect(peer.open == [])
  }

  @Test func `a reply to nothing closes the lane`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims("*2\r\n:1\r\n:1\r\n*2\r\n:1\r\n:1\r\n"))
    let seat = try greeted(peer)
    #expect(try seat.ask([(1, 1000)]) == [.new])
    #expect(!seat.isUsable)
    #expect(seat.replies.count == 1)
  }

  @Test(arguments: ForeignText.greetings)
  func `what greets in another language is refused`(reply: ForeignText) throws {
    let peer = try ScriptedPeer { _, _ in Array(reply.text.utf8) }
    let seat = try SeatHarness(SeatFixture(at: [peer.path]), with: peer)
    seat.settle()
    #expect(!seat.isUsable && seat.refusal == .protocolUnknown)
  }

  // MARK: time

  @Test func `a seat that is late is asked no more, until it has answered`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let seat = try greeted(peer)
    let number = seat.send([(1, 1000)])
    seat.pass(milliseconds: 249)
    #expect(seat.isUsable)
    seat.pass(milliseconds: 1)
    #expect(!seat.isUsable)
    let unsent = seat.send([(2, 1000)])
    seat.settle()
    #expect(peer.commands.filter { ScriptedPeer.isClaims($0.words) }.count == 1)
    peer.send(Array("*2\r\n:1\r\n:1\r\n".utf8), on: 0)
    #expect(try seat.reply(to: number) == [.new])
    #expect(seat.isUsable && !seat.replies.contains { $0.batch == unsent })
  }

  @Test func `a seat that is silent for two seconds is dialled again`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let seat = try greeted(peer)
    _ = seat.send([(1, 1000)])
    seat.settle()
    seat.pass(milliseconds: 1999)
    seat.settle()
    #expect(peer.open == [0])
    #expect(seat.seat.nextDeadline == seat.time + 1_000_000)
    seat.pass(milliseconds: 1)
    seat.settle()
    #expect(peer.open == [] && seat.replies == [])
    seat.pass(milliseconds: 50)
    seat.settle()
    #expect(seat.isUsable)
  }

  @Test func `replies that came in time count, however late the thread looks`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let seat = try greeted(peer)
    let number = seat.send([(1, 1000)])
    peer.turn()
    peer.send(Array("*2\r\n:1\r\n:1\r\n".utf8), on: 0)
    seat.pass(milliseconds: 10_000)
    seat.settle()
    #expect(seat.replies == [SeatReply(batch: number, answers: [.new])])
  }

  @Test func `sixty-four commands without an answer are enough`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let seat = try greeted(peer)
    for _ in 0..<63 { _ = seat.send([(1, 1000)]) }
    #expect(seat.isUsable)
    _ = seat.send([(1, 1000)])
    #expect(!seat.isUsable)
    seat.settle()
    peer.send(Array("*2\r\n:1\r\n:1\r\n".utf8), on: 0)
    seat.settle()
    #expect(seat.isUsable && seat.replies.count == 1)
  }

  @Test func `a silent greeting is given up after two seconds`() throws {
    let peer = try ScriptedPeer { _, _ in nil }
    let seat = try SeatHarness(SeatFixture(at: [peer.path]), with: peer)
    seat.settle()
    seat.pass(milliseconds: 1999)
    seat.settle()
    #expect(peer.open == [0])
    seat.pass(milliseconds: 1)
    seat.settle()
    #expect(peer.open == [])
  }

  // MARK: young lanes

  @Test func `a lane is dialled anew in time, and the new one takes over once greeted`() throws {
    var isGreeting = true
    let peer = try ScriptedPeer { words, connection in
      isGreeting || connection == 0 ? ScriptedPeer.good(words, connection) : nil
    }
    let seat = try greeted(peer)
    isGreeting = false
    // Between three and four and a half seconds of age, by chance: here in the middle.
    seat.pass(milliseconds: 3749)
    seat.settle()
    #expect(peer.accepted == 1)
    seat.pass(milliseconds: 1)
    seat.settle()
    #expect(peer.accepted == 2 && seat.isUsable)
    #expect(try seat.ask([(1, 1000)]) == [.new])
    #expect(peer.commands.last?.connection == 0)
    for command in peer.commands.filter({ $0.connection == 1 }) {
      ScriptedPeer.good(command.words, 1).map { peer.send($0, on: 1) }
    }
    isGreeting = true
    seat.settle()
    #expect(peer.open == [1] && seat.isUsable)
    #expect(try seat.ask([(2, 1000)]) == [.new])
    #expect(peer.commands.last?.connection == 1)
  }

  @Test func `a lane older than five seconds gets no claim`() throws {
    let peer = try ScriptedPeer { words, connection in connection == 0 ? ScriptedPeer.good(words, 0) : nil }
    let seat = try greeted(peer)
    seat.pass(milliseconds: 3750)
    seat.settle()
    seat.pass(milliseconds: 1249)
    #expect(seat.isUsable)
    #expect(try seat.ask([(1, 1000)]) == [.new])
    seat.pass(milliseconds: 1)
    #expect(!seat.isUsable)
    let number = seat.send([(2, 1000)])
    seat.settle()
    #expect(peer.commands.filter { ScriptedPeer.isClaims($0.words) }.count == 1)
    #expect(!seat.replies.contains { $0.batch == number })
    #expect(peer.open == [1])
  }

  @Test func `an old lane is heard until it has answered`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let seat = try greeted(peer)
    seat.pass(milliseconds: 3700)
    let number = seat.send([(1, 1000)])
    seat.pass(milliseconds: 60)
    seat.settle()
    #expect(peer.open == [0, 1])
    peer.send(Array("*2\r\n:1\r\n:1\r\n".utf8), on: 0)
    #expect(try seat.reply(to: number) == [.new])
    seat.settle()
    #expect(peer.open == [1])
  }

  @Test func `a batch is not sent once more on a lane that has grown old`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let seat = try greeted(peer)
    seat.pass(milliseconds: 3700)
    let number = seat.send([(1, 1000)])
    peer.turn()
    seat.pass(milliseconds: 1300)
    peer.send(Array("-MTTENURE x\r\n".utf8), on: 0)
    #expect(try seat.reply(to: number) == nil)
    #expect(peer.commands.filter { ScriptedPeer.isClaims($0.words) }.count == 1)
  }

  @Test func `the age of a lane counts from the lookup of its address`() throws {
    let peer = try ScriptedPeer { _, _ in nil }
    let seat = try SeatHarness(SeatFixture(at: [peer.path]), with: peer)
    seat.settle()
    // A slow greeting: the second half comes 1.9 s after the first, twice.
    for command in peer.commands { ScriptedPeer.good(command.words, 0).map { peer.send($0, on: 0) } }
    seat.pass(milliseconds: 1900)
    seat.settle()
    for command in peer.commands.dropFirst(3) { ScriptedPeer.good(command.words, 0).map { peer.send($0, on: 0) } }
    seat.pass(milliseconds: 1900)
    seat.settle()
    #expect(seat.isUsable)
    seat.pass(milliseconds: 1199)
    #expect(seat.isUsable)
    seat.pass(milliseconds: 1)
    #expect(!seat.isUsable)
  }

  @Test func `an address that leads elsewhere is followed`() throws {
    let (peer, other) = (try ScriptedPeer(), try ScriptedPeer())
    let seat = try greeted(peer)
    let renamed = unsafe rename(other.path, peer.path)
    try #require(renamed == 0)
    seat.pass(milliseconds: 3750)
    for _ in 0..<12 {
      seat.turn()
      other.turn()
      peer.turn()
    }
    #expect(other.open == [0] && peer.open == [])
    #expect(seat.isUsable)
  }

  @Test func `closing ends all connections, and leaves what is asked without a reply`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let seat = try greeted(peer)
    _ = seat.send([(1, 1000)])
    seat.pass(milliseconds: 3750)
    seat.turn()
    seat.seat.close()
    peer.turn()
    #expect(peer.open == [] && !seat.isUsable && seat.replies == [])
  }
}
