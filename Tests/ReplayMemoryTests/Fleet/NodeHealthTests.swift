import MediaTokenSystem
import Testing

@testable import MediaToken

@Suite struct NodeHealthTests {
  private let health: FleetHealth
  private var nodes: [NodeRecord] { health.records }
  private static let second: UInt64 = 1_000_000_000

  init() throws { health = FleetHealth(try FleetAddress(redis: "test@a:1,b:1,c:1")) }

  private static func handshake(_ process: String, from: Int64 = 0, isStarted: Bool = false) -> HandshakeResult {
    HandshakeResult(from: from, clockOffsetSeconds: 1, isStarted: isStarted, process: process, timeline: nil)
  }

  private func open(_ node: Int, from: Int64 = 0, isStarted: Bool = false) {
    let handshake = Self.handshake("process \(node)", from: from, isStarted: isStarted)
    #expect(nodes[node - 1].connectionOpened(handshake) == nil)
  }

  private func state(_ node: Int, at second: Int64 = 0) -> NodeState { nodes[node - 1].reading(at: second).state }

  // MARK: states

  @Test func `a node is down until a connection is open, and again when all are closed`() {
    #expect(state(1) == .down)
    open(1)
    open(1)
    #expect(state(1) == .voting)
    nodes[0].connectionClosed()
    #expect(state(1) == .voting)
    nodes[0].connectionClosed()
    #expect(state(1) == .down)
    #expect(state(2) == .down)
  }

  @Test func `a node is warming until its floor has come`() {
    open(1, from: 100)
    #expect(state(1, at: 99) == .warming)
    #expect(state(1, at: 100) == .voting)
    nodes[0].learned(Self.handshake("process 1", from: 200, isStarted: true))
    #expect(state(1, at: 199) == .warming)
    #expect(nodes[0].reading(at: 0).vouchesFrom == 200)
    #expect(nodes[0].reading(at: 0).clockOffsetSeconds == 1)
  }

  @Test
  func `how long a database was left alone is known from its first maintenance in an epoch on, by its own clock`() {
    func maintained(at second: Int64) -> Int64? { nodes[0].reading(at: second).maintainedSeconds }
    open(1)
    #expect(maintained(at: 100) == nil)
    nodes[0].maintained(at: 99)
    // Its clock is a second ahead.
    #expect(maintained(at: 100) == 2)
    #expect(maintained(at: 130) == 32)
    #expect(maintained(at: 90) == 0)
    open(1)
    #expect(maintained(at: 130) == 32)
    open(1, from: 200, isStarted: true)
    #expect(maintained(at: 130) == nil)
    #expect(nodes[0].reading(at: nil).maintainedSeconds == nil)
  }

  @Test func `a node that may not be asked is refused until a connection is good`() {
    nodes[0].refused(.replica)
    #expect(state(1) == .refused)
    open(1)
    #expect(state(1) == .voting)
    nodes[0].refused(.otherFleet)
    #expect(state(1) == .refused)
    nodes[0].connectionClosed()
    #expect(state(1) == .refused)
  }

  @Test func `a node whose clock is off is not started, or refused if it was`() {
    nodes[0].refused(.clock(offsetSeconds: -7))
    #expect(state(1) == .uninitialised && nodes[0].reading(at: 0).clockOffsetSeconds == -7)
    open(1)
    #expect(state(1) == .voting && nodes[0].reading(at: 0).clockOffsetSeconds == 1)
    nodes[0].refused(.clock(offsetSeconds: 7))
    #expect(state(1) == .refused && nodes[0].reading(at: 0).clockOffsetSeconds == 7)
  }

  @Test func `one process is not two nodes`() {
    #expect(nodes[0].connectionOpened(Self.handshake("same")) == nil)
    #expect(nodes[1].connectionOpened(Self.handshake("same")) == .sameProcess(asNode: 1))
    #expect(state(2) == .refused)
    // Its own second connection is not another node's.
    #expect(nodes[0].connectionOpened(Self.handshake("same")) == nil)
    nodes[0].connectionClosed()
    #expect(nodes[1].connectionOpened(Self.handshake("same")) == .sameProcess(asNode: 1))
    // When no connection of the one leads there any more, the other may.
    nodes[0].connectionClosed()
    #expect(nodes[1].connectionOpened(Self.handshake("same")) == nil)
    #expect(state(2) == .voting)
  }

  // MARK: condition

  @Test func `a fleet is usable while as many nodes vouch for a token of now as must agree`() {
    #expect(health.condition(at: 0) == .nodesMissing(usable: 0, needed: 2))
    open(1)
    #expect(health.condition(at: 0) == .nodesMissing(usable: 1, needed: 2))
    open(2, from: 100)
    #expect(health.condition(at: 99) == .warming(until: Instant(millisecondsSinceEpoch: 100_000)))
    #expect(health.condition(at: 100) == .usable)
    // One warming node among voting ones takes nothing away.
    open(3)
    #expect(health.condition(at: 99) == .usable)
    nodes[0].refused(.replica)
    #expect(health.condition(at: 99) == .warming(until: Instant(millisecondsSinceEpoch: 100_000)))
    nodes[2].connectionClosed()
    #expect(health.condition(at: 100) == .nodesMissing(usable: 1, needed: 2))
  }

  @Test func `names that are not resolved are the reason, if with their nodes there might be enough`() {
    open(1)
    nodes[1].named(false)
    #expect(health.condition(at: 0) == .nodesNameless(usable: 1, needed: 2))
    #expect(news(0) == [.nameless])
    // A node that is refused would not count, whatever its name leads to.
    nodes[1].refused(.replica)
    #expect(health.condition(at: 0) == .nodesMissing(usable: 1, needed: 2))
    nodes[2].named(false)
    nodes[2].named(false)
    #expect(health.condition(at: 0) == .nodesNameless(usable: 1, needed: 2))
    nodes[0].connectionClosed()
    #expect(health.condition(at: 0) == .nodesMissing(usable: 0, needed: 2))
    open(1)
    nodes[2].named(true)
    #expect(health.condition(at: 0) == .nodesMissing(usable: 1, needed: 2))
    // A connection that is warming lives on while the name service is away.
    open(3)
    nodes[2].named(false)
    #expect(health.condition(at: 0) == .usable)
  }

  @Test func `a node that takes no writes is down for a reason, and no program has to end for it`() {
    for number in 1...3 { open(number) }
    #expect(health.troubles == nil && health.condition(at: 0) == .usable)
    nodes[0].refused(.takesNoWrites(StoreWords("MISCONF x")))
    nodes[1].reconnecting(StoreWords("LOADING y"))
    nodes[1].connectionClosed()
    #expect(state(1) == .down && state(2) == .down && health.wrongNode == nil)
    #expect(health.condition(at: 0) == .nodesMissing(usable: 1, needed: 2))
    #expect(
      health.troubles
        == "node 1: it takes no writes: MISCONF x; repair what it names, and it is used again by itself; node 2: it answers with an error: LOADING y"
    )
    open(1)
    open(2)
    #expect(health.troubles == nil && health.condition(at: 0) == .usable)
  }

  @Test func `a fleet is retired when a majority of its nodes said so last`() {
    for number in 1...2 {
      #expect(!health.isRetired)
      nodes[number].refused(.retired)
    }
    #expect(health.isRetired && health.wrongNode == nil && state(2) == .retired)
    // Its machine has ended.
    nodes[1].reconnecting()
    #expect(health.isRetired)
    open(2)
    #expect(!health.isRetired)
  }

  @Test func `a standby is down, and no program has to end for it`() {
    nodes[0].refused(.standby)
    #expect(state(1) == .down && health.wrongNode == nil)
    let shown = NodeDescription(NodePlace(number: 1, address: "db"), .refused(.standby))
    #expect(shown.state == .down && shown.reason == NodeRefusal.standby.description)
  }

  @Test func `the first wrong node is named, and a clock that is off is not wrong`() throws {
    nodes[0].refused(.clock(offsetSeconds: 9))
    #expect(health.wrongNode == nil)
    nodes[2].refused(.clusterNode)
    nodes[1].refused(.denied(StoreWords("words")))
    let wrong = try #require(health.wrongNode)
    #expect(wrong.record.number == 2)
    #expect(wrong.refusal == .denied(StoreWords("words")))
  }

  @Test func `every node is tried when it was connected to, refused or lost once`() {
    /// Whether waiting for that ends before its time.
    func waitsInVain(_ milliseconds: UInt64) -> Bool {
      let begin = MonotonicTime.now
      health.waitUntilTried(atMostMilliseconds: milliseconds)
      return MonotonicTime.now - begin >= milliseconds * 1_000_000
    }
    #expect(waitsInVain(20))
    open(1)
    nodes[1].refused(.replica)
    #expect(waitsInVain(20))
    nodes[2].reconnecting()
    #expect(!waitsInVain(600_000))
    #expect(nodes[2].reading(at: 0).reconnects == 1)
  }

  // MARK: events

  private func news(_ seconds: UInt64) -> [NodeEvent] { health.takeNews(at: seconds * Self.second).map(\.event) }

  @Test func `what happens to a node is told once, one event a second`() {
    open(1, from: 7, isStarted: true)
    #expect(health.takeNews(at: 0) == [NodeNews(node: 1, address: "a:1", event: .started(from: 7))])
    nodes[0].connectionClosed()
    open(1, from: 7)
    #expect(health.takeNews(at: Self.second - 1).isEmpty)
    #expect(news(1) == [.lost])
    #expect(news(1) == [])
    #expect(news(2) == [.back])
    #expect(news(3) == [])
  }

  @Test func `a first connection is no news, and one of several that closes neither`() {
    open(1)
    open(1)
    nodes[0].connectionClosed()
    #expect(news(0) == [])
  }

  @Test func `of a node that flutters each kind of event is told once`() {
    open(1)
    for floor in 1...50 as ClosedRange<Int64> {
      nodes[0].connectionClosed()
      open(1, from: floor, isStarted: true)
      nodes[0].refused(.otherNode)
    }
    let told = (0..<10).flatMap { news($0) }
    #expect(told.count == 4)
    #expect(told.contains(.started(from: 50)))
  }

  @Test func `a refusal is told with its cure, once, and again if it is another`() {
    for _ in 0..<3 { nodes[1].refused(.replica) }
    #expect(news(0) == [.refused(NodeRefusal.replica.description)])
    #expect(news(1) == [])
    nodes[1].refused(.clusterNode)
    #expect(news(2) == [.refused(NodeRefusal.clusterNode.description)])
  }

  @Test func `a start by another host is news too`() {
    open(1, from: 7)
    #expect(news(0) == [])
    open(1, from: 80)
    #expect(news(1) == [.started(from: 80)])
    #expect(nodes[0].reading(at: 0).starts == 0)
  }

  @Test func `starts that this process made are counted`() {
    open(1, from: 7, isStarted: true)
    nodes[0].learned(Self.handshake("process 1", from: 80, isStarted: true))
    nodes[0].learned(Self.handshake("process 1", from: 80))
    #expect(nodes[0].reading(at: 0).starts == 2)
  }

  // MARK: words

  @Test(arguments: [
    NodeRefusal.replica, .clusterNode, .sameProcess(asNode: 2), .otherNode, .otherFleet, .version("5.0.7"),
    .denied(StoreWords("words")), .clock(offsetSeconds: -61), .formerSchema, .protocolUnknown, .retired,
  ])
  func `a refusal says what is so, and then what to do`(refusal: NodeRefusal) {
    let text = refusal.description
    #expect(text.hasPrefix("it"))
    #expect(text.contains("; ") && !text.hasSuffix("."))
    let error = Problem.node(2, address: "b:1", refusal).description
    #expect(error == "node 2 (b:1): \(text)")
  }

  @Test func `a clock that is off is said with its direction`() {
    #expect(NodeRefusal.clock(offsetSeconds: -61).description.contains("61 s behind"))
    #expect(NodeRefusal.clock(offsetSeconds: 61).description.contains("61 s ahead of"))
  }

  // MARK: durations

  @Test func `durations are counted in their buckets, each bound inside`() {
    let durations = AskDurations()
    durations.count(1, after: 100_000)
    durations.count(2, after: 100_001)
    durations.count(3, after: 1_000_000_000)
    durations.count(4, after: 1_000_000_001)
    #expect(durations.totals.counts == [1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 4])
    #expect(FleetReading.askBoundsSeconds.count == 12)
  }
}
