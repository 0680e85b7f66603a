import Foundation
import MediaTokenSystem
import Testing

@testable import MediaToken

/// Connections on a clock that the test sets: late, silent, and old.
@Suite struct ConnectionTimeTests {
  @Test func `a seat that is late is asked no more, until it has answered`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let seat = try peer.connectedSeat()
    let number = seat.send([(1, 1000)])
    seat.pass(milliseconds: 249)
    #expect(seat.isUsable)
    seat.pass(milliseconds: 1)
    #expect(!seat.isUsable)
    let unsent = seat.send([(2, 1000)])
    seat.settle()
    #expect(peer.commands.filter { ScriptedPeer.isClaims($0.words) }.count == 1)
    peer.send(Array("*2\r\n:\(ScriptedPeer.time)\r\n:1\r\n".utf8), on: 0)
    #expect(try seat.reply(to: number) == [.new])
    #expect(seat.isUsable && seat.lost == [unsent] && seat.replies.count == 1)
  }

  @Test func `a seat that is silent for two seconds is dialled again`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let seat = try peer.connectedSeat()
    let number = seat.send([(1, 1000)])
    seat.settle()
    seat.pass(milliseconds: 1999)
    seat.settle()
    #expect(peer.open == [0])
    #expect(seat.seat.nextDeadline == seat.time + 1_000_000)
    seat.pass(milliseconds: 1)
    seat.settle()
    #expect(peer.comesToHave(open: []) && seat.replies == [] && seat.lost == [number])
    seat.pass(milliseconds: 50)
    seat.settle()
    #expect(seat.isUsable)
  }

  @Test func `replies that came in time count, however late the thread looks`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let seat = try peer.connectedSeat()
    let number = seat.send([(1, 1000)])
    peer.turn()
    peer.send(Array("*2\r\n:\(ScriptedPeer.time)\r\n:1\r\n".utf8), on: 0)
    seat.pass(milliseconds: 10_000)
    seat.settle()
    #expect(seat.replies == [SeatHarness.Reply(batch: number, answers: [.new])])
  }

  @Test func `sixty-four commands without an answer are enough`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let seat = try peer.connectedSeat()
    for _ in 0..<63 { _ = seat.send([(1, 1000)]) }
    #expect(seat.isUsable && !seat.isBusy)
    _ = seat.send([(1, 1000)])
    // It is busy, so claims wait for it; once it has been silent for long it is slow, and they do not.
    #expect(!seat.isUsable && seat.isBusy)
    seat.pass(milliseconds: 249)
    #expect(seat.isBusy)
    seat.settle()
    peer.send(Array("*2\r\n:\(ScriptedPeer.time)\r\n:1\r\n".utf8), on: 0)
    seat.settle()
    #expect(seat.isUsable && seat.replies.count == 1)
    seat.pass(milliseconds: 1)
    #expect(!seat.isUsable && !seat.isBusy)
  }

  @Test func `a silent handshake is given up after two seconds`() throws {
    let peer = try ScriptedPeer { _, _ in nil }
    let seat = try SeatHarness(SeatFixture(at: [peer.path]), with: peer)
    seat.settle()
    seat.pass(milliseconds: 1999)
    seat.settle()
    #expect(peer.open == [0])
    seat.pass(milliseconds: 1)
    seat.settle()
    #expect(peer.comesToHave(open: []))
  }

  @Test func `a connection that breaks while it is asked is dialled again as soon as one that ends by itself`()
    throws
  {
    let peer = try ScriptedPeer()
    let seat = try peer.connectedSeat()
    peer.close(0)
    let number = seat.send([(1, 1000)])
    seat.turn()
    #expect(!seat.isUsable && seat.lost == [number] && seat.seat.nextDeadline == seat.time + 50_000_000)
    seat.pass(milliseconds: 50)
    seat.settle()
    #expect(seat.isUsable && peer.accepted == 2)
  }

  @Test func `a connection is dialled again in time, and the new one takes over once its handshake is done`() throws
  {
    var isShakingHands = true
    let peer = try ScriptedPeer { words, connection in
      isShakingHands || connection == 0 ? ScriptedPeer.good(words, connection) : nil
    }
    let seat = try peer.connectedSeat()
    isShakingHands = false
    // At a random age of three to four and a half seconds: here in the middle.
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
    isShakingHands = true
    seat.settle()
    #expect(peer.comesToHave(open: [1]) && seat.isUsable)
    #expect(try seat.ask([(2, 1000)]) == [.new])
    #expect(peer.commands.last?.connection == 1)
  }

  @Test func `a connection older than five seconds gets no claim`() throws {
    let peer = try ScriptedPeer { words, connection in connection == 0 ? ScriptedPeer.good(words, 0) : nil }
    let seat = try peer.connectedSeat()
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
    #expect(!seat.replies.contains { $0.batch == number } && seat.lost == [number])
    #expect(peer.comesToHave(open: [1]))
  }

  @Test func `a seat that is found to be none when it is dialled again gets no claim on its old connection either`()
    throws
  {
    let peer = try ScriptedPeer { words, connection in
      connection == 1 && words == ["INFO", "replication"]
        ? ScriptedPeer.bulk("role:slave\r\n") : ScriptedPeer.good(words, connection)
    }
    let seat = try peer.connectedSeat()
    seat.pass(milliseconds: 3750)
    seat.settle()
    #expect(peer.accepted == 2 && peer.comesToHave(open: []))
    #expect(!seat.isUsable && seat.refusal == .replica)
  }

  @Test func `an old connection is heard until it has answered`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let seat = try peer.connectedSeat()
    seat.pass(milliseconds: 3700)
    let number = seat.send([(1, 1000)])
    seat.pass(milliseconds: 60)
    seat.settle()
    #expect(peer.open == [0, 1])
    peer.send(Array("*2\r\n:\(ScriptedPeer.time)\r\n:1\r\n".utf8), on: 0)
    #expect(try seat.reply(to: number) == [.new])
    seat.settle()
    #expect(peer.comesToHave(open: [1]))
  }

  @Test func `a batch is not sent once more on a connection that has grown old`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let seat = try peer.connectedSeat()
    seat.pass(milliseconds: 3700)
    let number = seat.send([(1, 1000)])
    peer.turn()
    seat.pass(milliseconds: 1300)
    peer.send(Array("-MTTENURE x\r\n".utf8), on: 0)
    #expect(try seat.reply(to: number) == nil)
    #expect(peer.commands.filter { ScriptedPeer.isClaims($0.words) }.count == 1)
  }

  @Test func `the age of a connection counts from the lookup of its address`() throws {
    let peer = try ScriptedPeer { _, _ in nil }
    let seat = try SeatHarness(SeatFixture(at: [peer.path]), with: peer)
    seat.settle()
    // A slow handshake: the second half comes 1.9 s after the first, twice.
    for command in peer.commands { ScriptedPeer.good(command.words, 0).map { peer.send($0, on: 0) } }
    seat.pass(milliseconds: 1900)
    seat.settle()
    for command in peer.commands.dropFirst(3) { ScriptedPeer.good(command.words, 0).map { peer.send($0, on: 0) } }
    peer.script = { words, connection in ScriptedPeer.isProbe(words) ? ScriptedPeer.good(words, connection) : nil }
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
    let seat = try peer.connectedSeat()
    let renamed = unsafe rename(other.path, peer.path)
    try #require(renamed == 0)
    seat.pass(milliseconds: 3750)
    for _ in 0..<12 {
      seat.turn()
      other.turn()
      peer.turn()
    }
    #expect(other.open == [0] && peer.comesToHave(open: []))
    #expect(seat.isUsable)
  }

  @Test func `closing ends all connections, and leaves what is asked without a reply`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let seat = try peer.connectedSeat()
    seat.pass(milliseconds: 3700)
    _ = seat.send([(1, 1000)])
    seat.pass(milliseconds: 50)
    seat.turn()
    seat.seat.close()
    peer.turn()
    #expect(peer.comesToHave(open: []) && !seat.isUsable && seat.replies == [] && seat.lost == [])
  }
}
