import MediaTokenSystem
import Testing

@testable import MediaToken

/// How a node is connected to, by a peer that a test plays.
@Suite struct HandshakeTests {
  @Test func `a process is looked at before it is given scripts and an epoch`() throws {
    let peer = try ScriptedPeer()
    let fleet = try NodeFixture(at: [peer.path])
    let node = try NodeHarness(fleet, with: peer)
    node.settle()
    #expect(node.isUsable)
    let words = peer.commands.map(\.words)
    #expect(words.count == 8)
    #expect(words.prefix(3) == [["INFO", "server"], ["INFO", "replication"], ["INFO", "cluster"]])
    #expect(
      words[3...5] == [
        ["SCRIPT", "LOAD", NodeScripts.claims.text], ["SCRIPT", "LOAD", NodeScripts.start.text],
        ["SCRIPT", "LOAD", NodeScripts.probe.text],
      ])
    #expect(words[6] == ["EVALSHA", NodeScripts.probe.name, "1", "{mt2:test}:probe"])
    #expect(
      words[7][...6] == [
        "EVALSHA", NodeScripts.start.name, "1", "{mt2:test}", "\(fleet.digest):1", "60", "100",
      ])
    let second = try #require(Int64(words[7][7]))
    #expect(abs(second - fleet.clock.now().millisecondsSinceEpoch / 1000) < 100)
    let highest = try #require(Int64(words[7][8]))
    #expect(highest >= second && highest <= fleet.clock.highestSecond(ofNode: 1))
    #expect(words[7][9...] == [""][...])
  }

  @Test func `a handshake may come in pieces`() throws {
    let peer = try ScriptedPeer { _, _ in nil }
    let node = try peer.node()
    var answered = 0
    while answered < peer.commands.count {
      #expect(!node.isUsable)
      for byte in ScriptedPeer.good(peer.commands[answered].words, 0) ?? [] {
        peer.send([byte], on: 0)
        node.settle()
      }
      answered += 1
    }
    #expect(node.isUsable && answered == 8)
  }

  @Test(arguments: [
    ("replication", "role:slave", NodeRefusal.replica), ("cluster", "cluster_enabled:1", .clusterNode),
    ("server", "redis_version:5.0.14\r\nrun_id:x", .version("5.0.14")),
  ])
  func `a process that can be no node is given nothing`(section: String, text: String, refusal: NodeRefusal) throws
  {
    let peer = try ScriptedPeer { words, connection in
      words == ["INFO", section] ? ScriptedPeer.bulk(text + "\r\n") : ScriptedPeer.good(words, connection)
    }
    let node = try peer.node()
    #expect(!node.isUsable && node.refusal == refusal)
    #expect(peer.commands.allSatisfy { $0.words[0] == "INFO" })
    #expect(peer.comesToHave(open: []))
    // It is looked at again after five seconds, not earlier.
    node.pass(milliseconds: 4999)
    node.settle()
    #expect(peer.accepted == 1)
    node.pass(milliseconds: 1)
    peer.script = ScriptedPeer.good
    node.settle()
    #expect(peer.accepted == 2 && node.isUsable && node.refusal == nil)
  }

  @Test(arguments: [
    ("AUTH", "WRONGPASS invalid username-password pair or user is disabled."),
    ("INFO", "NOAUTH Authentication required."), ("INFO", "DENIED Redis is running in protected mode"),
    ("SCRIPT", "NOPERM this user has no permissions to run the 'script|load' command"),
    ("EVALSHA", "ERR The user executing the script can't access at least one of the keys mentioned"),
    ("EVALSHA", "ERR ACL failure in script: User u has no permissions to run the 'time' command"),
  ])
  func `a node that does not let us in is refused`(command: String, error: String) throws {
    let peer = try ScriptedPeer { words, connection in
      words[0] == command ? Array("-\(error)\r\n".utf8) : ScriptedPeer.good(words, connection)
    }
    let credentials = try FleetCredentials(parsing: Array("1 user secret\n".utf8), of: "nodes", nodes: 1)
    let node = try peer.node(credentials: credentials)
    #expect(!node.isUsable && node.deniedWords == StoreWords(error).description)
    #expect(peer.comesToHave(open: []))
  }

  @Test(arguments: [
    ("ERR unknown command 'AUTH', with args beginning with: 'user' 'passw", "ERR unknown command "),
    ("ERR AUTH user password", "an error that repeats the password"),
    ("WRONGPASS password", "an error that repeats the password"),
  ])
  func `what a node says to a password is told without it`(error: String, told: String) throws {
    let peer = try ScriptedPeer { words, connection in
      words[0] == "AUTH" ? Array("-\(error)\r\n".utf8) : ScriptedPeer.good(words, connection)
    }
    let credentials = try FleetCredentials(parsing: Array("1 user password\n".utf8), of: "nodes", nodes: 1)
    let book = NodeBook(nodes: 1)
    let node = try peer.node(credentials: credentials, in: book)
    let trouble = try #require(book.current[0].trouble)
    #expect(!node.isUsable && trouble.contains(told) && !trouble.contains("passw") == !told.contains("passw"))
  }

  @Test(arguments: [
    ("MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.", ""),
    (
      "NOREPLICAS Not enough good replicas to write.",
      " script: 0123456789012345678901234567890123456789, on @user_script:1."
    ),
    ("READONLY You can't write against a read only replica.", ""), ("BUSY Redis is busy running a script.", ""),
  ])
  func `a node that takes no write is down for what it says, and used again a second after it takes one`(
    error: String, place: String
  ) throws {
    var isFull = false
    let peer = try ScriptedPeer { words, connection in
      isFull && ScriptedPeer.isProbe(words)
        ? Array("-\(error)\(place)\r\n".utf8) : ScriptedPeer.good(words, connection)
    }
    let node = try peer.connectedNode()
    node.pass(milliseconds: 999)
    node.settle()
    #expect(peer.commands.filter { ScriptedPeer.isProbe($0.words) }.count == 1)
    #expect(node.node.nextDeadline == node.time + 1_000_000)
    isFull = true
    node.pass(milliseconds: 1)
    node.settle()
    #expect(!node.isUsable && node.writeWords == StoreWords(error).description)
    let reading = node.record.reading(at: 0)
    #expect(reading.state == .down && reading.refusesWrites)
    // It is given no epoch, and looked at again once a second.
    node.pass(milliseconds: 1000)
    node.settle()
    #expect(!node.isUsable && node.writeWords == StoreWords(error).description && peer.accepted == 2)
    isFull = false
    node.pass(milliseconds: 1000)
    node.settle()
    #expect(node.isUsable && node.refusal == nil && !node.record.reading(at: 0).refusesWrites)
  }

  @Test(arguments: [
    "LOADING Redis is loading the dataset in memory", "ERR max number of clients reached", "BUSY x",
  ])
  func `a node that has no answer now is tried again soon`(error: String) throws {
    let peer = try ScriptedPeer { _, _ in Array("-\(error)\r\n".utf8) }
    let book = NodeBook(nodes: 1)
    let node = try NodeHarness(NodeFixture(at: [peer.path]), in: book, with: peer)
    // The pauses double, from 50 ms to one second.
    for (connection, pause) in [50, 100, 200, 400, 800, 1000, 1000, 1000].enumerated() {
      node.settle()
      #expect(peer.accepted == connection + 1)
      #expect(
        !node.isUsable && node.refusal == nil && book.current[0].trouble == "it answers with an error: \(error)")
      node.pass(milliseconds: UInt64(pause - 1))
      node.settle()
      #expect(peer.accepted == connection + 1)
      node.pass(milliseconds: 1)
    }
    peer.script = ScriptedPeer.good
    node.settle()
    #expect(node.isUsable)
    // After a handshake the first pause is the shortest again.
    peer.close(8)
    node.settle()
    #expect(!node.isUsable)
    node.pass(milliseconds: 50)
    node.settle()
    #expect(node.isUsable)
  }

  @Test(arguments: ForeignText.starts)
  func `what no start says is not worked with`(reply: ForeignText) throws {
    let peer = try ScriptedPeer { words, connection in
      ScriptedPeer.isStart(words) ? Array(reply.text.utf8) : ScriptedPeer.good(words, connection)
    }
    let fleet = try NodeFixture(at: [peer.path])
    let node = try NodeHarness(fleet, with: peer)
    node.settle()
    #expect(!node.isUsable && node.refusal == .protocolUnknown)
    let highest = fleet.clock.highestSecond(ofNode: 1)
    #expect(highest <= FleetClock.secondRoundedUp(fleet.clock.now()))
    #expect(peer.comesToHave(open: []))
  }

  @Test(arguments: [Int64.min, -1, 1 << 40 + 1, .max])
  func `a start refused for a clock that there is not is no answer`(second: Int64) throws {
    let peer = try ScriptedPeer { words, connection in
      ScriptedPeer.isStart(words) ? Array("-MTCLOCK \(second)\r\n".utf8) : ScriptedPeer.good(words, connection)
    }
    let node = try peer.node()
    #expect(!node.isUsable && node.refusal == nil)
  }

  @Test func `a start refused for the clocks says how far they are apart`() throws {
    let peer = try ScriptedPeer { words, connection in
      ScriptedPeer.isStart(words) ? Array("-MTCLOCK 1000\r\n".utf8) : ScriptedPeer.good(words, connection)
    }
    let clock = FleetClock { .init(millisecondsSinceEpoch: 1_060_500) }
    let node = try peer.node(clock: clock)
    #expect(node.refusal == .clock(offsetSeconds: -60))
    #expect(peer.commands.last?.words[7...] == ["1061", "1061", ""])
  }

  @Test(arguments: [-6, 6, 3_155_760_000] as [Int64])
  func `a node whose clock is off by more than five seconds is out, also while it runs`(off: Int64) throws {
    let clock = FleetClock { .init(millisecondsSinceEpoch: 1_060_500) }
    var time: Int64 = 1060
    let peer = try ScriptedPeer { words, _ in
      guard ScriptedPeer.isStart(words) || ScriptedPeer.isClaims(words) else { return ScriptedPeer.good(words, 0) }
      return Array(
        (ScriptedPeer.isClaims(words) ? "*2\r\n:\(time)\r\n:1\r\n" : "*4\r\n:\(time)\r\n:5\r\n:900\r\n:0\r\n").utf8)
    }
    let node = try NodeHarness(NodeFixture(at: [peer.path], clock: clock), with: peer)
    time += 5 * off.signum()
    node.settle()
    #expect(node.isUsable && node.refusal == nil)
    time = 1060 + off
    // What it votes for counts.
    #expect(try node.ask([(1, 1000)]) == [.new])
    #expect(!node.isUsable && node.refusal == .clock(offsetSeconds: off))
    #expect(node.record.reading(at: 0).clockOffsetSeconds == off)
    node.pass(milliseconds: 5000)
    node.settle()
    #expect(!node.isUsable && node.refusal == .clock(offsetSeconds: off))
    time = 1060
    node.pass(milliseconds: 5000)
    node.settle()
    #expect(node.isUsable && node.refusal == nil)
  }

  @Test func `a reply that was late says nothing of the node's clock`() throws {
    let peer = try ScriptedPeer(ScriptedPeer.answeringClaims(nil))
    let node = try peer.connectedNode()
    let number = node.send([(1, 1000)])
    peer.turn()
    peer.send(Array("*2\r\n:\(ScriptedPeer.time - 9)\r\n:1\r\n".utf8), on: 0)
    node.pass(milliseconds: 10_000)
    #expect(try node.reply(to: number) == [.new])
    #expect(node.refusal == nil)
  }

  @Test func `what one node's clock shows is no other's floor`() throws {
    let peers = [try ScriptedPeer(), try ScriptedPeer()]
    let clock = FleetClock { .init(millisecondsSinceEpoch: 1_060_500) }
    let fleet = try NodeFixture(at: peers.map(\.path), clock: clock)
    for (number, peer) in zip(1..., peers) {
      let node = try NodeHarness(fleet, number: number, with: peer)
      node.settle()
      #expect(!node.isUsable && node.refusal?.description.contains("ahead of this host's") == true)
      #expect(peer.commands.last?.words[7...] == ["1061", "1061", ""])
    }
  }

  @Test func `the user of the node's own line is sent, and new ones with the next connection`() throws {
    let peer = try ScriptedPeer()
    let credentials = try FleetCredentials(
      parsing: Array("* all secret\n1 one other\n".utf8), of: "nodes", nodes: 1)
    let fleet = try NodeFixture(at: [peer.path], credentials: credentials)
    let node = try NodeHarness(fleet, with: peer)
    node.settle()
    #expect(node.isUsable && peer.commands[0].words == ["AUTH", "one", "other"])
    fleet.credentials.exchange(
      for: try FleetCredentials(parsing: Array("* all changed\n".utf8), of: "nodes", nodes: 1))
    node.pass(milliseconds: 4000)
    node.settle()
    #expect(peer.commands.filter { $0.words[0] == "AUTH" }.last?.words == ["AUTH", "all", "changed"])
  }

  @Test func `one process is one node`() throws {
    let (first, second) = (try ScriptedPeer(), try ScriptedPeer())
    let fleet = try NodeFixture(at: [first.path, second.path])
    let book = NodeBook(nodes: 3)
    let node = try NodeHarness(fleet, in: book, with: first)
    node.settle()
    let twin = try NodeHarness(fleet, number: 2, in: book, with: second)
    twin.settle()
    #expect(node.isUsable && !twin.isUsable)
    #expect(twin.refusal == .sameProcess(asNode: 1))
    #expect(second.comesToHave(open: []))
  }

  @Test(arguments: ForeignText.handshakes)
  func `What answers in another language is refused`(reply: ForeignText) throws {
    let peer = try ScriptedPeer { _, _ in Array(reply.text.utf8) }
    let node = try peer.node()
    #expect(!node.isUsable && node.refusal == .protocolUnknown)
  }
}
