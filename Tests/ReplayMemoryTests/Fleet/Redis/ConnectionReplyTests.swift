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
      let node = try peer.connectedNode()
      let number = node.send([(1, 1000), (2, 1000), (3, 1000)])
      node.settle()
      peer.send(Array(bytes[..<place]), on: 0)
      node.settle()
      #expect(node.replies == [])
      peer.send(Array(bytes[place...]), on: 0)
      let answers = try node.reply(to: number)
      let ballot = Ballot(bytes: Array("\r\n345678901234\r\n".utf8).span)
      #expect(answers == [.new, ballot.map { .present($0) } ?? .ahead, .forgotten])
      #expect(node.isUsable)
    }
  }

  @Test func `a reply that is cut off at any byte is no reply, and the node is dialled again`() throws {
    let bytes = Array("*3\r\n:\(ScriptedPeer.time)\r\n:1\r\n$1\r\nA\r\n".utf8)
    for place in bytes.indices {
      let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
      let node = try peer.connectedNode()
      let number = node.send([(1, 1000), (2, 1000)])
      node.settle()
      peer.send(Array(bytes[..<place]), on: 0)
      peer.close(0)
      node.settle()
      #expect(node.replies == [] && node.lost == [number] && !node.isUsable)
      node.pass(milliseconds: 50)
      node.settle()
      #expect(node.isUsable && peer.accepted == 2)
    }
  }

  @Test func `that nothing listens at a socket is known at once`() throws {
    let node = try NodeHarness(NodeFixture(at: ["/nowhere/node.sock"]))
    let time = node.time
    node.turn()
    #expect(!node.node.isConnected && node.node.nextDeadline.map { $0 > time } == true)
  }

  @Test func `replies that come together are matched in order`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let node = try peer.connectedNode()
    let numbers = (0..<3).map { node.send(Array(repeating: (1, 1000), count: $0 + 1)) }
    node.settle()
    let time = ScriptedPeer.time
    peer.send(
      Array("*2\r\n:\(time)\r\n:1\r\n-BUSY x\r\n*4\r\n:\(time)\r\n$1\r\nF\r\n$1\r\nA\r\n:1\r\n".utf8), on: 0)
    node.settle()
    #expect(node.replies.map(\.batch) == numbers)
    #expect(node.replies.map(\.answers) == [[.new], nil, [.forgotten, .ahead, .new]])
  }

  @Test(arguments: [
    "BUSY Redis is busy running a script.", "LOADING Redis is loading the dataset in memory", "ERR unknown",
    "MTCLOCK 1", "MTOLD x", "",
  ])
  func `an error is no answer for the whole batch`(error: String) throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims("-\(error)\r\n"))
    let node = try peer.connectedNode()
    #expect(try node.ask([(1, 1000), (2, 1000)]) == nil)
    #expect(node.isUsable && node.refusal == nil)
  }

  @Test(arguments: [
    ("MTROLE not a master", NodeRefusal.replica), ("MTNODE another node", .otherNode),
    ("MTFLEET another fleet", .otherFleet), ("NOPERM x", .denied(StoreWords("NOPERM x"))),
    (
      "OOM command not allowed when used memory > 'maxmemory'.",
      .takesNoWrites(StoreWords("OOM command not allowed when used memory > 'maxmemory'."))
    ),
  ])
  func `a process that says that it is not a node is refused`(error: String, refusal: NodeRefusal) throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims("-\(error)\r\n"))
    let node = try peer.connectedNode()
    #expect(try node.ask([(1, 1000)]) == nil)
    #expect(!node.isUsable && !node.node.isConnected && node.refusal == refusal)
    node.settle()
    #expect(peer.comesToHave(open: []))
  }

  @Test(arguments: ["NOSCRIPT No matching script.", "MTEPOCH no epoch"])
  func `what a node has lost it gets, and the same batch once more`(error: String) throws {
    var failures = 1
    let peer = try ScriptedPeer { words, connection in
      guard ScriptedPeer.isClaims(words), failures > 0 else { return ScriptedPeer.good(words, connection) }
      failures -= 1
      return Array("-\(error)\r\n".utf8)
    }
    let node = try peer.connectedNode()
    #expect(try node.ask([(1, 1000)]) == [.new])
    let words = peer.commands.map(\.words)
    #expect(words[8] == words[10] && ScriptedPeer.isClaims(words[8]) && words.count == 11)
    #expect(words[9][1] == (error.hasPrefix("NOSCRIPT") ? "LOAD" : NodeScripts.start.name))
    // Once more, and not forever.
    failures = 2
    #expect(try node.ask([(1, 1000)]) == nil)
    #expect(peer.commands.count == 14 && node.isUsable)
  }

  @Test(arguments: ForeignText.replies + ForeignText.times)
  func `what is no reply of ours closes the connection, which loses its claims`(reply: ForeignText) throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(reply.text))
    let node = try peer.connectedNode()
    let number = node.send([(1, 1000), (2, 1000)])
    let next = node.send([(3, 1000)])
    node.settle()
    #expect(node.lost == [number, next] && node.replies == [])
    #expect(!node.isUsable)
    node.settle()
    #expect(peer.comesToHave(open: []))
  }

  @Test(arguments: ["*2\r\n:1\r\n:1\r\n", "*2\r\n:1\r\n", ":"])
  func `a reply to nothing closes the connection, also when it has only begun`(more: String) throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims("*2\r\n:1\r\n:1\r\n" + more))
    let node = try peer.connectedNode()
    #expect(try node.ask([(1, 1000)]) == [.new])
    #expect(!node.isUsable)
    #expect(node.replies.count == 1)
  }

  @Test(arguments: [":1\r\n", ":1\r\n:2\r\n", "+"])
  func `a caller that waits takes no reply to nothing either`(more: String) throws {
    let peer = try ScriptedPeer { words, connection in
      (ScriptedPeer.good(words, connection) ?? []) + (words == ["INFO", "cluster"] ? Array(more.utf8) : [])
    }
    let engine = try NodeFixture(at: [peer.path]).engine
    let outcome = Monitor<Result<Reply, NodeError>?>(nil)
    try WorkerThread {
      let reply = Result { () throws(NodeError) in
        let caller = try RedisCaller(engine, node: 1, within: Timeout(milliseconds: 60_000))
        for _ in 0..<3 { _ = try caller.next() }
        return try caller.ask { $0.time(into: &$1) }
      }
      outcome.change { $0 = reply }
    }.detach()
    while outcome.current == nil {
      peer.turn()
      WorkerThread.sleep(milliseconds: 1)
    }
    #expect {
      try outcome.current?.get()
    } throws: {
      if case NodeError.refused(.protocolUnknown) = $0 { true } else { false }
    }
  }
}
