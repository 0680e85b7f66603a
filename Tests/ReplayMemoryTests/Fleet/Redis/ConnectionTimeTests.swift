import Foundation
import MediaTokenSystem
import Testing

@testable import MediaToken

/// Connections on a clock that the test sets: late, silent, and old.
@Suite struct ConnectionTimeTests {
  @Test func `a node that is late is asked no more, until it has answered`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let node = try peer.connectedNode()
    let number = node.send([(1, 1000)])
    node.pass(milliseconds: 249)
    #expect(node.isUsable)
    node.pass(milliseconds: 1)
    #expect(!node.isUsable)
    let unsent = node.send([(2, 1000)])
    node.settle()
    #expect(peer.commands.filter { ScriptedPeer.isClaims($0.words) }.count == 1)
    peer.send(Array("*2\r\n:\(ScriptedPeer.time)\r\n:1\r\n".utf8), on: 0)
    #expect(try node.reply(to: number) == [.new])
    #expect(node.isUsable && node.lost == [unsent] && node.replies.count == 1)
  }

  @Test func `a node that is silent for two seconds is dialled again`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let node = try peer.connectedNode()
    let number = node.send([(1, 1000)])
    node.settle()
    node.pass(milliseconds: 1999)
    node.settle()
    #expect(peer.open == [0])
    #expect(node.node.nextDeadline == node.time + 1_000_000)
    node.pass(milliseconds: 1)
    node.settle()
    #expect(peer.comesToHave(open: []) && node.replies == [] && node.lost == [number])
    node.pass(milliseconds: 50)
    node.settle()
    #expect(node.isUsable)
  }

  @Test func `replies that came in time count, however late the thread looks`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let node = try peer.connectedNode()
    let number = node.send([(1, 1000)])
    peer.turn()
    peer.send(Array("*2\r\n:\(ScriptedPeer.time)\r\n:1\r\n".utf8), on: 0)
    node.pass(milliseconds: 10_000)
    node.settle()
    #expect(node.replies == [NodeHarness.Reply(batch: number, answers: [.new])])
  }

  @Test func `sixty-four commands without an answer are enough`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let node = try peer.connectedNode()
    for _ in 0..<63 { _ = node.send([(1, 1000)]) }
    #expect(node.isUsable && !node.isBusy)
    _ = node.send([(1, 1000)])
    // It is busy, so claims wait for it; once it has been silent for long it is slow, and they do not.
    #expect(!node.isUsable && node.isBusy)
    node.pass(milliseconds: 249)
    #expect(node.isBusy)
    node.settle()
    peer.send(Array("*2\r\n:\(ScriptedPeer.time)\r\n:1\r\n".utf8), on: 0)
    node.settle()
    #expect(node.isUsable && node.replies.count == 1)
    node.pass(milliseconds: 1)
    #expect(!node.isUsable && !node.isBusy)
  }

  @Test func `a silent handshake is given up after two seconds`() throws {
    let peer = try ScriptedPeer { _, _ in nil }
    let node = try peer.node()
    node.pass(milliseconds: 1999)
    node.settle()
    #expect(peer.open == [0])
    node.pass(milliseconds: 1)
    node.settle()
    #expect(peer.comesToHave(open: []))
  }

  @Test func `a connection that breaks while it is asked is dialled again as soon as one that ends by itself`()
    throws
  {
    let peer = try ScriptedPeer()
    let node = try peer.connectedNode()
    peer.close(0)
    let number = node.send([(1, 1000)])
    node.turn()
    #expect(!node.isUsable && node.lost == [number] && node.node.nextDeadline == node.time + 50_000_000)
    node.pass(milliseconds: 50)
    node.settle()
    #expect(node.isUsable && peer.accepted == 2)
  }

  @Test func `a connection is dialled again in time, and the new one takes over once its handshake is done`() throws
  {
    var isShakingHands = true
    let peer = try ScriptedPeer { words, connection in
      isShakingHands || connection == 0 ? ScriptedPeer.good(words, connection) : nil
    }
    let node = try peer.connectedNode()
    isShakingHands = false
    // At a random age of three to four and a half seconds: here in the middle.
    node.pass(milliseconds: 3749)
    node.settle()
    #expect(peer.accepted == 1)
    node.pass(milliseconds: 1)
    node.settle()
    #expect(peer.accepted == 2 && node.isUsable)
    #expect(try node.ask([(1, 1000)]) == [.new])
    #expect(peer.commands.last?.connection == 0)
    for command in peer.commands.filter({ $0.connection == 1 }) {
      ScriptedPeer.good(command.words, 1).map { peer.send($0, on: 1) }
    }
    isShakingHands = true
    node.settle()
    #expect(peer.comesToHave(open: [1]) && node.isUsable)
    #expect(try node.ask([(2, 1000)]) == [.new])
    #expect(peer.commands.last?.connection == 1)
  }

  @Test func `a connection older than five seconds gets no claim`() throws {
    let peer = try ScriptedPeer { words, connection in connection == 0 ? ScriptedPeer.good(words, 0) : nil }
    let node = try peer.connectedNode()
    node.pass(milliseconds: 3750)
    node.settle()
    node.pass(milliseconds: 1249)
    #expect(node.isUsable)
    #expect(try node.ask([(1, 1000)]) == [.new])
    node.pass(milliseconds: 1)
    #expect(!node.isUsable)
    let number = node.send([(2, 1000)])
    node.settle()
    #expect(peer.commands.filter { ScriptedPeer.isClaims($0.words) }.count == 1)
    #expect(!node.replies.contains { $0.batch == number } && node.lost == [number])
    #expect(peer.comesToHave(open: [1]))
  }

  @Test func `a node that is found to be none when it is dialled again gets no claim on its old connection either`()
    throws
  {
    let peer = try ScriptedPeer { words, connection in
      connection == 1 && words == ["INFO", "replication"]
        ? ScriptedPeer.bulk("role:slave\r\n") : ScriptedPeer.good(words, connection)
    }
    let node = try peer.connectedNode()
    node.pass(milliseconds: 3750)
    node.settle()
    #expect(peer.accepted == 2 && peer.comesToHave(open: []))
    #expect(!node.isUsable && node.refusal == .replica)
  }

  @Test func `an old connection is heard until it has answered`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let node = try peer.connectedNode()
    node.pass(milliseconds: 3700)
    let number = node.send([(1, 1000)])
    node.pass(milliseconds: 60)
    node.settle()
    #expect(peer.open == [0, 1])
    peer.send(Array("*2\r\n:\(ScriptedPeer.time)\r\n:1\r\n".utf8), on: 0)
    #expect(try node.reply(to: number) == [.new])
    node.settle()
    #expect(peer.comesToHave(open: [1]))
  }

  @Test func `a batch is not sent once more on a connection that has grown old`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let node = try peer.connectedNode()
    node.pass(milliseconds: 3700)
    let number = node.send([(1, 1000)])
    peer.turn()
    node.pass(milliseconds: 1300)
    peer.send(Array("-MTEPOCH x\r\n".utf8), on: 0)
    #expect(try node.reply(to: number) == nil)
    #expect(peer.commands.filter { ScriptedPeer.isClaims($0.words) }.count == 1)
  }

  @Test func `the age of a connection counts from the lookup of its address`() throws {
    let peer = try ScriptedPeer { _, _ in nil }
    let node = try peer.node()
    // A slow handshake: the second half comes 1.9 s after the first, twice.
    for command in peer.commands { ScriptedPeer.good(command.words, 0).map { peer.send($0, on: 0) } }
    node.pass(milliseconds: 1900)
    node.settle()
    for command in peer.commands.dropFirst(3) { ScriptedPeer.good(command.words, 0).map { peer.send($0, on: 0) } }
    peer.script = { words, connection in ScriptedPeer.isProbe(words) ? ScriptedPeer.good(words, connection) : nil }
    node.pass(milliseconds: 1900)
    node.settle()
    #expect(node.isUsable)
    node.pass(milliseconds: 1199)
    #expect(node.isUsable)
    node.pass(milliseconds: 1)
    #expect(!node.isUsable)
  }

  @Test func `an address that leads elsewhere is followed`() throws {
    let (peer, other) = (try ScriptedPeer(), try ScriptedPeer())
    let node = try peer.connectedNode()
    let renamed = unsafe rename(other.path, peer.path)
    try #require(renamed == 0)
    node.pass(milliseconds: 3750)
    for _ in 0..<12 {
      node.turn()
      other.turn()
      peer.turn()
    }
    #expect(other.open == [0] && peer.comesToHave(open: []))
    #expect(node.isUsable)
  }

  @Test func `closing ends all connections, and leaves what is asked without a reply`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let node = try peer.connectedNode()
    node.pass(milliseconds: 3700)
    _ = node.send([(1, 1000)])
    node.pass(milliseconds: 50)
    node.turn()
    node.node.close()
    peer.turn()
    #expect(peer.comesToHave(open: []) && !node.isUsable && node.replies == [] && node.lost == [])
  }
}
