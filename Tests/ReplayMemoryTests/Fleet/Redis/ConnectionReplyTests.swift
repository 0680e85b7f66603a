import MediaTokenSystem
import Testing

@testable import MediaToken

/// Replies of a peer that a test plays.
@Suite struct ConnectionReplyTests {
  @Test func `a reply may be torn at any byte`() throws {
    let text = "*4\r\n:\(ScriptedPeer.time)\r\n:1\r\n$16\r\n\r\n345678901234\r\n\r\n$1\r\nF\r\n"
    let bytes = Array(text.utf8)
    for place in bytes.indices {
      let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
      let seat = try peer.connectedSeat()
      let number = seat.send([(1, 1000), (2, 1000), (3, 1000)])
      seat.settle()
      peer.send(Array(bytes[..<place]), on: 0)
      seat.settle()
      #expect(seat.replies == [])
      peer.send(Array(bytes[place...]), on: 0)
      let answers = try seat.reply(to: number)
      let ballot = Ballot(bytes: Array("\r\n345678901234\r\n".utf8).span)
      #expect(answers == [.new, ballot.map { .present($0) } ?? .ahead, .forgotten])
      #expect(seat.isUsable)
    }
  }

  @Test func `a reply that is cut off at any byte is no reply, and the seat is dialled again`() throws {
    let bytes = Array("*3\r\n:\(ScriptedPeer.time)\r\n:1\r\n$1\r\nA\r\n".utf8)
    for place in bytes.indices {
      let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
      let seat = try peer.connectedSeat()
      let number = seat.send([(1, 1000), (2, 1000)])
      seat.settle()
      peer.send(Array(bytes[..<place]), on: 0)
      peer.close(0)
      seat.settle()
      #expect(seat.replies == [] && seat.lost == [number] && !seat.isUsable)
      seat.pass(milliseconds: 50)
      seat.settle()
      #expect(seat.isUsable && peer.accepted == 2)
    }
  }

  @Test func `replies that come together are matched in order`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let seat = try peer.connectedSeat()
    let numbers = (0..<3).map { seat.send(Array(repeating: (1, 1000), count: $0 + 1)) }
    seat.settle()
    let time = ScriptedPeer.time
    peer.send(
      Array("*2\r\n:\(time)\r\n:1\r\n-BUSY x\r\n*4\r\n:\(time)\r\n$1\r\nF\r\n$1\r\nA\r\n:1\r\n".utf8), on: 0)
    seat.settle()
    #expect(seat.replies.map(\.batch) == numbers)
    #expect(seat.replies.map(\.answers) == [[.new], nil, [.forgotten, .ahead, .new]])
  }

  @Test(arguments: [
    "BUSY Redis is busy running a script.", "LOADING Redis is loading the dataset in memory", "ERR unknown",
    "MTCLOCK 1", "MTOLD x", "",
  ])
  func `an error is no answer for the whole batch`(error: String) throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims("-\(error)\r\n"))
    let seat = try peer.connectedSeat()
    #expect(try seat.ask([(1, 1000), (2, 1000)]) == nil)
    #expect(seat.isUsable && seat.refusal == nil)
  }

  @Test(arguments: [
    ("MTROLE not a master", SeatRefusal.replica), ("MTSEAT another seat", .otherSeat),
    ("MTFLEET another fleet", .otherFleet), ("NOPERM x", .denied(StoreWords("NOPERM x"))),
    (
      "OOM command not allowed when used memory > 'maxmemory'.",
      .takesNoWrites(StoreWords("OOM command not allowed when used memory > 'maxmemory'."))
    ),
  ])
  func `a process that says that it is not a seat is refused`(error: String, refusal: SeatRefusal) throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims("-\(error)\r\n"))
    let seat = try peer.connectedSeat()
    #expect(try seat.ask([(1, 1000)]) == nil)
    #expect(!seat.isUsable && seat.refusal == refusal)
    seat.settle()
    #expect(peer.comesToHave(open: []))
  }

  @Test(arguments: ["NOSCRIPT No matching script.", "MTTENURE no tenure"])
  func `what a seat has lost it gets, and the same batch once more`(error: String) throws {
    var failures = 1
    let peer = try ScriptedPeer { words, connection in
      guard ScriptedPeer.isClaims(words), failures > 0 else { return ScriptedPeer.good(words, connection) }
      failures -= 1
      return Array("-\(error)\r\n".utf8)
    }
    let seat = try peer.connectedSeat()
    #expect(try seat.ask([(1, 1000)]) == [.new])
    let words = peer.commands.map(\.words)
    #expect(words[8] == words[10] && ScriptedPeer.isClaims(words[8]) && words.count == 11)
    #expect(words[9][1] == (error.hasPrefix("NOSCRIPT") ? "LOAD" : SeatScripts.birth.name))
    // Once more, and not forever.
    failures = 2
    #expect(try seat.ask([(1, 1000)]) == nil)
    #expect(peer.commands.count == 14 && seat.isUsable)
  }

  @Test(arguments: ForeignText.replies + ForeignText.times)
  func `what is no reply of ours closes the connection, which loses its claims`(reply: ForeignText) throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(reply.text))
    let seat = try peer.connectedSeat()
    let number = seat.send([(1, 1000), (2, 1000)])
    let next = seat.send([(3, 1000)])
    seat.settle()
    #expect(seat.lost == [number, next] && seat.replies == [])
    #expect(!seat.isUsable)
    seat.settle()
    #expect(peer.comesToHave(open: []))
  }

  @Test(arguments: ForeignText.replies + ForeignText.values)
  func `after a good batch it is the same`(reply: ForeignText) throws {
    var texts = ["*3\r\n:\(ScriptedPeer.time)\r\n:1\r\n:1\r\n", reply.text]
    let peer = try ScriptedPeer { words, connection in
      ScriptedPeer.isClaims(words) ? Array(texts.removeFirst().utf8) : ScriptedPeer.good(words, connection)
    }
    let seat = try peer.connectedSeat()
    #expect(try seat.ask([(1, 1000), (2, 1000)]) == [.new, .new])
    let number = seat.send([(3, 1000), (4, 1000)])
    seat.settle()
    #expect(seat.lost == [number] && seat.replies.count == 1 && !seat.isUsable)
  }

  @Test(arguments: ["*2\r\n:1\r\n:1\r\n", "*2\r\n:1\r\n", ":"])
  func `a reply to nothing closes the connection, also when it has only begun`(more: String) throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims("*2\r\n:1\r\n:1\r\n" + more))
    let seat = try peer.connectedSeat()
    #expect(try seat.ask([(1, 1000)]) == [.new])
    #expect(!seat.isUsable)
    #expect(seat.replies.count == 1)
  }

  @Test(arguments: [":2\r\n", ":"])
  func `a caller that waits takes no reply to nothing either`(more: String) throws {
    let greeting = ScriptedPeer.good(["INFO", "cluster"], 0) ?? []
    let peer = try ScriptedPeer { words, connection in
      words == ["INFO", "cluster"] ? greeting + Array((":1\r\n" + more).utf8) : ScriptedPeer.good(words, connection)
    }
    let fleet = try SeatFixture(at: [peer.path])
    let caller = try RedisCaller(fleet.engine, seat: 1, within: Timeout(milliseconds: 60_000))
    peer.turn()
    #expect(throws: SeatError.self) {
      for _ in 0..<3 { _ = try caller.next() }
      _ = try caller.ask { $0.time(into: &$1) }
    }
  }
}
