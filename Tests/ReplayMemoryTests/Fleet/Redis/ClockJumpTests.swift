import Foundation
import MediaTokenSystem
import Testing

@testable import MediaToken

/// Clocks that are far ahead for a while, and nodes that lose their data afterwards.
@Suite struct ClockJumpTests {
  /// How far the host's clock is off, in seconds.
  private let lead = Monitor(Int64(0))
  private let clock: FleetClock

  init() {
    let lead = lead
    clock = FleetClock { Instant(millisecondsSinceEpoch: Instant.now.millisecondsSinceEpoch + lead.current * 1000) }
  }

  @Test(.enabled(if: NodeServer.isInstalled, NodeServer.absent), .steadyMachine)
  func `a host whose clock was a day ahead gives nodes that begin again an ordinary floor`() throws {
    let servers = try (0..<3).map { _ in try NodeServer() }
    let fleet = try NodeFixture(at: servers.map(\.path), clock: clock)
    let nodes = try (1...3).map { try NodeHarness(fleet, number: $0) }
    for node in nodes { try node.connect() }
    lead.exchange(for: 86_400)
    for node in nodes {
      node.pass(milliseconds: 4500)
      try node.until("the clock is not found wrong") { $0.refusal?.description.contains("set both clocks") == true }
    }
    lead.exchange(for: 0)
    for server in servers[..<2] {
      server.stop()
      try server.start()
    }
    for (node, server) in zip(nodes, servers) {
      node.pass(milliseconds: 5000)
      try node.connect()
      let from = try #require(Int64(try server.ask("HGET", "{mt2:test}", "from").wholeText))
      #expect(from <= Int64(Date().timeIntervalSince1970) + 72 + 6)
    }
  }

  /// A node whose clock and floor a test sets.
  private func peer(_ state: Monitor<(time: Int64, from: Int64)>) throws -> ScriptedPeer {
    try ScriptedPeer { words, connection in
      guard ScriptedPeer.isStart(words) else {
        return ScriptedPeer.good(words, connection)
      }
      let (time, from) = state.current
      let highest = Int64(words[8]) ?? 0
      if from == 0, highest > time + 60 { return Array("-MTCLOCK \(time)\r\n".utf8) }
      return Array("*4\r\n:\(time)\r\n:\(from)\r\n:900\r\n:0\r\n".utf8)
    }
  }

  private var second: Int64 { clock.now().millisecondsSinceEpoch / 1000 }

  @Test func `a node that shows a far time for a while is out meanwhile, and begins again as usual`() throws {
    let state = Monitor((time: second, from: Int64(5)))
    let peer = try peer(state)
    let node = try NodeHarness(NodeFixture(at: [peer.path], clock: clock), with: peer)
    func highest() -> Int64? {
      peer.commands.last { $0.words.count > 8 && $0.words[1] == NodeScripts.start.name }.flatMap {
        Int64($0.words[8])
      }
    }
    node.settle()
    #expect(node.isUsable)
    let far = second + 3_155_760_000
    state.exchange(for: (far, 5))
    node.pass(milliseconds: 4500)
    node.settle()
    #expect(!node.isUsable)
    #expect(clock.highestSecond(ofNode: 1) == far)
    state.exchange(for: (second, 5))
    node.pass(milliseconds: 5000)
    node.settle()
    #expect(node.isUsable && node.record.reading(at: 0).clockSetBacks == 1)
    #expect(clock.highestSecond(ofNode: 1) < second + 6)
    // The data are gone: this host gives them an epoch.
    state.exchange(for: (second, 0))
    node.pass(milliseconds: 4500)
    node.settle()
    #expect(node.isUsable && highest().map { $0 < second + 6 } == true)
  }

  @Test func `a node that shows a far time and loses its data is given no epoch by who heard it`() throws {
    let state = Monitor((time: second, from: Int64(5)))
    let peer = try peer(state)
    let node = try NodeHarness(NodeFixture(at: [peer.path], clock: clock), with: peer)
    state.exchange(for: (second + 100_000, 5))
    node.settle()
    state.exchange(for: (second, 0))
    node.pass(milliseconds: 5000)
    node.settle()
    guard case .clockWasAhead(let seconds) = node.refusal else {
      Issue.record("it is not refused for what it showed")
      return
    }
    #expect((99_990...100_000).contains(seconds))
    #expect(node.record.reading(at: 0).state == .uninitialised)
    // Another host has given it an epoch. What it showed before is remembered all the same.
    state.exchange(for: (second, 7))
    node.pass(milliseconds: 5000)
    node.settle()
    #expect(node.isUsable && clock.highestSecond(ofNode: 1) > second + 90_000)
  }
}
